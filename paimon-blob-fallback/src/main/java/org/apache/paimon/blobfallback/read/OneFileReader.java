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

import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.read.rows.RowIdIterator;
import org.apache.paimon.blobfallback.read.rows.SelectedRows;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.Path;
import org.apache.paimon.reader.FileRecordIterator;
import org.apache.paimon.reader.FileRecordReader;
import org.apache.paimon.reader.RecordReader;

/** Rows of a group that is a single file, with their positions in it. */
final class OneFileReader implements FileRecordReader<InternalRow> {

    private final RecordReader<InternalRow> reader;
    private final Path file;
    private final long firstRowId;
    private final RowIdIterator rowIds;

    /**
     * @param reader of the selected rows in order; closed with this
     * @param file that they are of
     * @param firstRowId of the file
     * @param rows the selected rows
     */
    OneFileReader(RecordReader<InternalRow> reader, Path file, long firstRowId, SelectedRows rows) {
        this.reader = reader;
        this.file = file;
        this.firstRowId = firstRowId;
        this.rowIds = new RowIdIterator(rows);
    }

    @Nullable
    @Override
    public FileRecordIterator<InternalRow> readBatch() throws IOException {
        RecordIterator<InternalRow> batch = reader.readBatch();
        if (batch == null || batch instanceof FileRecordIterator) {
            // The host's own iterator knows the positions itself.
            return (FileRecordIterator<InternalRow>) batch;
        }
        return new Rows(batch);
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    private final class Rows implements FileRecordIterator<InternalRow> {

        private final RecordIterator<InternalRow> batch;
        private long rowId;

        private Rows(RecordIterator<InternalRow> batch) {
            this.batch = batch;
        }

        @Nullable
        @Override
        public InternalRow next() throws IOException {
            InternalRow row = batch.next();
            if (row != null && rowIds.hasNext()) {
                rowId = rowIds.next();
            }
            return row;
        }

        @Override
        public long returnedPosition() {
            return rowId - firstRowId;
        }

        @Override
        public Path filePath() {
            return file;
        }

        @Override
        public void releaseBatch() {
            batch.releaseBatch();
        }
    }
}
