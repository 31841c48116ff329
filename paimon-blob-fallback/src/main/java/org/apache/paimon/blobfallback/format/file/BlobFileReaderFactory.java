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

import java.io.IOException;
import org.apache.paimon.blobfallback.format.column.BlobColumnType;
import org.apache.paimon.blobfallback.format.column.BlobColumns;
import org.apache.paimon.blobfallback.format.column.BlobForm;
import org.apache.paimon.blobfallback.format.column.BlobValues;
import org.apache.paimon.blobfallback.format.entry.BlobEntryReader;
import org.apache.paimon.blobfallback.format.index.BlobIndex;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.format.io.BlobReadOptions;
import org.apache.paimon.blobfallback.format.io.ReadThreads;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.format.FormatReaderFactory;
import org.apache.paimon.reader.FileRecordReader;
import org.apache.paimon.types.RowType;

/** Opens single blob files as readers of rows. */
final class BlobFileReaderFactory implements FormatReaderFactory {

    private final int fieldCount;
    private final int blobPosition;
    private final BlobColumnType columnType;
    private final boolean asDescriptor;
    private final boolean emitPlaceholder;
    private final BlobReadOptions options;

    BlobFileReaderFactory(
            RowType projectedRowType,
            boolean asDescriptor,
            boolean emitPlaceholder,
            BlobReadOptions options) {
        this.fieldCount = projectedRowType.getFieldCount();
        this.blobPosition = blobPosition(projectedRowType);
        this.columnType = BlobColumnType.of(projectedRowType.getTypeAt(blobPosition));
        this.asDescriptor = asDescriptor;
        this.emitPlaceholder = emitPlaceholder;
        this.options = options;
    }

    @Override
    public FileRecordReader<InternalRow> createReader(Context context) throws IOException {
        BlobFileInput file =
                new BlobFileInput(context.fileIO(), context.filePath(), context.fileSize());
        BlobValues values =
                new BlobValues(
                        columnType,
                        BlobForm.of(asDescriptor),
                        new BlobEntryReader(options, new ReadThreads(1), Long.MAX_VALUE));
        try {
            BlobIndex index = BlobIndex.read(file);
            if (asDescriptor) {
                file.releaseStreams();
            }
            return new BlobFileReader(
                    file,
                    index,
                    context.selection(),
                    values,
                    fieldCount,
                    blobPosition,
                    emitPlaceholder ? columnType.placeholder() : null);
        } catch (IOException | RuntimeException | Error e) {
            try {
                file.close();
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private static int blobPosition(RowType rowType) {
        for (int i = 0; i < rowType.getFieldCount(); i++) {
            if (BlobColumns.isBlobColumn(rowType.getTypeAt(i))) {
                return i;
            }
        }
        throw new IllegalArgumentException(
                "A blob file is read for its blob column, found none in " + rowType);
    }
}
