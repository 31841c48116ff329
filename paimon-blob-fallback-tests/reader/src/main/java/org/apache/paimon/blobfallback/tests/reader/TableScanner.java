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

package org.apache.paimon.blobfallback.tests.reader;

import java.io.IOException;
import java.util.List;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.tests.bridge.PaimonScanner;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.TableRead;
import org.apache.paimon.types.DataTypeRoot;
import org.apache.paimon.types.RowType;

/** Scans through the public table API. Compiled against the host, and good for Paimon 2.0 too. */
public final class TableScanner extends HostCatalogClient implements PaimonScanner {

    private TableRead read;
    private List<Split> splits;
    private RowType type;
    private boolean descriptors;

    @Override
    public void plan(ReadRequest request) throws Exception {
        Table table =
                catalog().getTable(Identifier.fromString(request.table())).copy(request.options());
        ReadBuilder builder = Reads.builder(table, request);
        type = builder.readType();
        descriptors = CoreOptions.fromMap(table.options()).blobAsDescriptor();
        splits = builder.newScan().plan().splits();
        read = Reads.read(builder, request);
    }

    @Override
    public Scan scan() throws IOException {
        return scan(Long.MAX_VALUE, () -> {});
    }

    @Override
    public Scan scan(long everyRows, Runnable look) throws IOException {
        Tally tally = new Tally(type, descriptors);
        long nextLook = everyRows;
        for (Split split : splits) {
            try (RecordReader<InternalRow> reader = read.createReader(split)) {
                RecordReader.RecordIterator<InternalRow> batch;
                while ((batch = reader.readBatch()) != null) {
                    InternalRow row;
                    while ((row = batch.next()) != null) {
                        tally.add(row);
                        if (tally.rows == nextLook) {
                            look.run();
                            nextLook += everyRows;
                        }
                    }
                    batch.releaseBatch();
                }
            }
        }
        return new Scan(tally.rows, tally.blobs, tally.blobBytes);
    }

    /** Sums up rows. */
    private static final class Tally {

        private final int[] blobPositions;
        private final boolean descriptors;
        private long rows;
        private long blobs;
        private long blobBytes;

        private Tally(RowType type, boolean descriptors) {
            this.descriptors = descriptors;
            this.blobPositions =
                    type.getFields().stream()
                            .filter(field -> field.type().is(DataTypeRoot.BLOB))
                            .mapToInt(field -> type.getFieldIndexByFieldId(field.id()))
                            .toArray();
        }

        private void add(InternalRow row) {
            rows++;
            for (int position : blobPositions) {
                if (!row.isNullAt(position)) {
                    Blob blob = row.getBlob(position);
                    blobs++;
                    blobBytes += descriptors ? blob.toDescriptor().length() : blob.toData().length;
                }
            }
        }
    }
}
