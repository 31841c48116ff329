/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package org.apache.paimon.blobfallback.read;

import java.util.Map;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.source.ReadBuilder;

/**
 * A program that reads the descriptors of the column {@code pic} of a table, for a JVM of its own.
 * It prints the maximum heap of the JVM in bytes, some of the rows, and a digest of all.
 */
final class DescriptorScan {

    private DescriptorScan() {}

    /**
     * @param arguments the table's folder, and every how many rows one is printed
     */
    public static void main(String[] arguments) throws Exception {
        FileStoreTable table =
                LayeredTable.at(LocalFileIO.create(), new Path(arguments[0])).table();
        table = table.copy(Map.of("blob-as-descriptor", "true"));
        ReadBuilder builder =
                table.newReadBuilder()
                        .withReadType(
                                SpecialFields.rowTypeWithRowTracking(table.rowType())
                                        .project("_ROW_ID", "pic"));
        Digest digest = new Digest(Integer.parseInt(arguments[1]));
        try (RecordReader<InternalRow> reader =
                builder.newRead().createReader(builder.newScan().plan())) {
            RecordReader.RecordIterator<InternalRow> batch;
            while ((batch = reader.readBatch()) != null) {
                InternalRow row;
                while ((row = batch.next()) != null) {
                    if (row.isNullAt(1)) {
                        digest.add(row.getLong(0), null, 0, 0);
                    } else {
                        BlobDescriptor blob = row.getBlob(1).toDescriptor();
                        String file = blob.uri().substring(blob.uri().lastIndexOf('/') + 1);
                        digest.add(row.getLong(0), file, blob.offset(), blob.length());
                    }
                }
                batch.releaseBatch();
            }
        }
        System.out.println(Runtime.getRuntime().maxMemory());
        System.out.print(digest);
    }

    /** Rows, one after the other. */
    static final class Digest {

        private final int every;
        private final StringBuilder shown = new StringBuilder();
        private long rows;
        private long hash;

        /**
         * @param every how many rows one is kept as it is
         */
        Digest(int every) {
            this.every = every;
        }

        /** A row; without a file its blob is null. */
        void add(long rowId, String file, long offset, long length) {
            if (rows % every == 0) {
                shown.append(rowId).append(": ").append(file).append('@').append(offset);
                shown.append('+').append(length).append('\n');
            }
            rows++;
            hash = 31 * hash + rowId;
            hash = 31 * hash + (file == null ? 0 : file.hashCode());
            hash = 31 * hash + offset;
            hash = 31 * hash + length;
        }

        @Override
        public String toString() {
            return shown + "" + rows + " rows, " + hash + "\n";
        }
    }
}
