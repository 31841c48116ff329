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

package org.apache.paimon.blobfallback.format.column;

import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.entry.BlobEntries;
import org.apache.paimon.blobfallback.format.entry.BlobEntryReader;
import org.apache.paimon.blobfallback.format.io.LongBlob;
import org.apache.paimon.data.Blob;

/**
 * Makes the values of rows whose entries are known. Not thread-safe.
 *
 * <p>The value of an entry that is too long for an array is a blob that streams from its file.
 */
public final class BlobValues {

    /**
     * Maximum number of descriptors that are made at once, since they take no bytes of the buffer.
     */
    private static final int MAX_DESCRIPTORS = 1 << 10;

    private final BlobColumnType columnType;
    private final BlobForm form;
    private final BlobEntryReader reader;

    private byte[][] payloads = new byte[0][];

    /**
     * @param columnType of the column
     * @param form of the values; a part only of a BLOB column
     * @param reader reads the entries
     */
    public BlobValues(BlobColumnType columnType, BlobForm form, BlobEntryReader reader) {
        this.columnType = columnType;
        this.form = form;
        this.reader = reader;
    }

    /**
     * The values of the next rows: as many as fit into the buffer, and at least one.
     *
     * @param entries of the rows, nothing where the row's value is null
     * @param from first row, inclusive
     * @param to last row, exclusive
     * @return a value for each row, the first for {@code from}: a blob, or what holds the blobs of
     *     the column's type, or null
     * @throws IOException if a file cannot be read or is corrupt; it names the file
     */
    public Object[] read(BlobEntries entries, int from, int to) throws IOException {
        if (form.isDescriptors()) {
            Object[] values = new Object[Math.min(MAX_DESCRIPTORS, to - from)];
            for (int i = 0; i < values.length; i++) {
                if (entries.has(from + i)) {
                    values[i] = columnType.describe(entries.get(from + i), true);
                }
            }
            return values;
        }
        if (form.part() != null) {
            return readParts(entries, from, to, form.part());
        }
        if (payloads.length < to - from) {
            payloads = new byte[to - from][];
        }
        int end = reader.read(entries, from, to, payloads);
        Object[] values = new Object[end - from];
        for (int i = 0; i < values.length; i++) {
            if (payloads[i] != null) {
                values[i] = columnType.decode(entries, from + i, payloads[i]);
                payloads[i] = null;
            } else if (entries.has(from + i)) {
                values[i] = columnType.describe(entries.get(from + i), false);
            }
        }
        return values;
    }

    private Object[] readParts(BlobEntries entries, int from, int to, BlobForm.Part part)
            throws IOException {
        byte[][] bytes = new byte[to - from][];
        int end =
                reader.read(
                        entries.parts(from, to, part.offset, part.length), 0, bytes.length, bytes);
        Object[] values = new Object[end];
        for (int i = 0; i < end; i++) {
            values[i] = bytes[i] == null ? null : Blob.fromData(bytes[i]);
        }
        return values;
    }

    /**
     * Tells the long blobs of a value its place, for their messages.
     *
     * @param value of a blob column; nothing is done if it is null or has no long blobs
     * @param column and table, in words
     * @param rowId of the value
     */
    public static void locate(@Nullable Object value, String column, long rowId) {
        if (value instanceof LongBlob) {
            ((LongBlob) value).locate(column, rowId);
        } else if (value instanceof BlobArray) {
            ((BlobArray) value).locate(column, rowId);
        } else if (value instanceof BlobMap) {
            ((BlobMap) value).locate(column, rowId);
        }
    }
}
