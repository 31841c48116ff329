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

package org.apache.paimon.blobfallback.format.file;

import static org.apache.paimon.blobfallback.format.BlobFileLayout.NULL_LENGTH;
import static org.apache.paimon.blobfallback.format.BlobFileLayout.PLACEHOLDER_LENGTH;

import java.io.IOException;
import java.util.Iterator;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.column.BlobValues;
import org.apache.paimon.blobfallback.format.entry.BlobEntries;
import org.apache.paimon.blobfallback.format.index.BlobIndex;
import org.apache.paimon.blobfallback.format.io.BlobFileException;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.format.io.CorruptBlobFileException;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.Path;
import org.apache.paimon.reader.FileRecordIterator;
import org.apache.paimon.reader.FileRecordReader;
import org.apache.paimon.utils.RoaringBitmap32;

/** Reads all or the selected rows of one blob file, in a batch for each range of them. */
final class BlobFileReader implements FileRecordReader<InternalRow> {

    /** Maximum number of rows in a batch. */
    private static final int BATCH_ROWS = 1 << 12;

    private final BlobFileInput file;
    private final BlobIndex.Cursor cursor;
    private final Iterator<Integer> positions;
    private final BlobValues values;
    private final int fieldCount;
    private final int blobPosition;
    @Nullable private final Object placeholder;

    private final int[] batchPositions = new int[BATCH_ROWS];
    private final boolean[] batchPlaceholders = new boolean[BATCH_ROWS];

    BlobFileReader(
            BlobFileInput file,
            BlobIndex index,
            @Nullable RoaringBitmap32 selection,
            BlobValues values,
            int fieldCount,
            int blobPosition,
            @Nullable Object placeholder)
            throws BlobFileException {
        this.file = file;
        this.cursor = index.cursor();
        this.values = values;
        this.fieldCount = fieldCount;
        this.blobPosition = blobPosition;
        this.placeholder = placeholder;
        if (selection == null) {
            this.positions = IntStream.range(0, index.entryCount()).iterator();
        } else {
            if (!selection.isEmpty() && selection.last() >= index.entryCount()) {
                throw CorruptBlobFileException.corrupt(
                        file.path(),
                        "the row at position %s is asked for, expected no more than %s rows",
                        selection.last(),
                        index.entryCount());
            }
            this.positions = selection.iterator();
        }
    }

    @Nullable
    @Override
    public FileRecordIterator<InternalRow> readBatch() throws IOException {
        int count = 0;
        BlobEntries entries = new BlobEntries(BATCH_ROWS);
        int fileNumber = entries.addFile(file);
        while (count < BATCH_ROWS && positions.hasNext()) {
            int position = positions.next();
            cursor.seek(position);
            long length = cursor.next();
            if (length == PLACEHOLDER_LENGTH && placeholder == null) {
                throw BlobFileException.placeholder(file.path(), position);
            }
            batchPositions[count] = position;
            batchPlaceholders[count] = length == PLACEHOLDER_LENGTH;
            if (length > NULL_LENGTH) {
                entries.set(count, fileNumber, cursor.offset(), length);
            }
            count++;
        }
        if (count == 0) {
            return null;
        }
        return new Batch(entries, count);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** Valid until the next batch is read. */
    private final class Batch implements FileRecordIterator<InternalRow> {

        private final BlobEntries entries;
        private final int count;
        private int next;
        private Object[] rowValues = new Object[0];
        private int firstValue;

        private Batch(BlobEntries entries, int count) {
            this.entries = entries;
            this.count = count;
        }

        @Nullable
        @Override
        public InternalRow next() throws IOException {
            if (next == count) {
                return null;
            }
            if (next - firstValue == rowValues.length) {
                rowValues = values.read(entries, next, count);
                firstValue = next;
            }
            int row = next++;
            Object value = rowValues[row - firstValue];
            rowValues[row - firstValue] = null;
            GenericRow result = new GenericRow(fieldCount);
            result.setField(blobPosition, batchPlaceholders[row] ? placeholder : value);
            return result;
        }

        @Override
        public long returnedPosition() {
            return batchPositions[next - 1];
        }

        @Override
        public Path filePath() {
            return file.path();
        }

        @Override
        public void releaseBatch() {}
    }
}
