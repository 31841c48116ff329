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
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.format.FormatReaderContext;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.options.Options;
import org.apache.paimon.reader.FileRecordIterator;
import org.apache.paimon.reader.FileRecordReader;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.RoaringBitmap32;

/** Reads blob files through the plugin's file format, as the host reads files of any format. */
public final class BlobFormatReads {

    private final FileIO fileIO;
    private final Options options = new Options();
    private DataType type = DataTypes.BLOB();
    private RoaringBitmap32 selection;

    public BlobFormatReads(FileIO fileIO) {
        this.fileIO = fileIO;
    }

    public BlobFormatReads option(String key, Object value) {
        options.set(key, value.toString());
        return this;
    }

    public BlobFormatReads type(DataType columnType) {
        this.type = columnType;
        return this;
    }

    public BlobFormatReads select(int... positions) {
        this.selection = RoaringBitmap32.bitmapOf(positions);
        return this;
    }

    /** A row as it was read. */
    public record Row(long position, Object value) {

        /** The blob's bytes; null if it is null. */
        byte[] bytes() {
            return value == null ? null : ((Blob) value).toData();
        }

        BlobDescriptor descriptor() {
            return ((Blob) value).toDescriptor();
        }
    }

    /** All rows of a file. */
    public List<Row> read(java.nio.file.Path file) throws IOException {
        return read(file, Files.size(file));
    }

    /** All rows of a file whose metadata says another size. */
    public List<Row> read(java.nio.file.Path file, long fileSize) throws IOException {
        List<Row> rows = new ArrayList<>();
        try (FileRecordReader<InternalRow> reader = open(file, fileSize)) {
            for (FileRecordIterator<InternalRow> batch = reader.readBatch();
                    batch != null;
                    batch = reader.readBatch()) {
                for (InternalRow row = batch.next(); row != null; row = batch.next()) {
                    rows.add(new Row(batch.returnedPosition(), value(row)));
                }
                batch.releaseBatch();
            }
        }
        return rows;
    }

    public FileRecordReader<InternalRow> open(java.nio.file.Path file, long fileSize)
            throws IOException {
        RowType rowType = RowType.of(new DataType[] {type}, new String[] {"f"});
        return new BlobFallbackFileFormat(options)
                .createReaderFactory(rowType, rowType, null)
                .createReader(
                        new FormatReaderContext(
                                fileIO, new Path(file.toUri()), fileSize, selection));
    }

    private Object value(InternalRow row) {
        return InternalRow.createFieldGetter(type, 0).getFieldOrNull(row);
    }
}
