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

package org.apache.paimon.blobfallback.format;

import java.io.IOException;
import javax.annotation.Nullable;

/**
 * The values of rows whose entries are known, read in batches as far ahead as the buffer allows.
 *
 * <p>An entry that is too long for an array comes as a blob that streams from its file.
 */
public final class BlobValues {

    private final BlobElementCodec codec;
    private final boolean asDescriptor;
    private final BlobEntryReader reader;

    private BlobEntry[] entries;
    private BlobEntry[] inArrays;
    private int count;
    private byte[][] payloads;
    private int batchEnd;

    /**
     * @param codec of the column
     * @param asDescriptor whether values are descriptors, so that no blob's bytes are read
     * @param reader reads the entries
     */
    public BlobValues(BlobElementCodec codec, boolean asDescriptor, BlobEntryReader reader) {
        this.codec = codec;
        this.asDescriptor = asDescriptor;
        this.reader = reader;
    }

    /**
     * Starts with other rows.
     *
     * @param entries one a row, null where the row's value is null; the array is kept
     * @param count number of rows
     */
    public void reset(BlobEntry[] entries, int count) {
        this.entries = entries;
        this.count = count;
        this.batchEnd = 0;
        if (asDescriptor) {
            return;
        }
        if (payloads == null || payloads.length < count) {
            payloads = new byte[count][];
            inArrays = new BlobEntry[count];
        }
        for (int i = 0; i < count; i++) {
            boolean fits = entries[i] != null && entries[i].fitsIntoArray();
            inArrays[i] = fits ? entries[i] : null;
        }
    }

    /**
     * The value of a row.
     *
     * @param row from 0 to the number of rows; each row once, in ascending order
     * @return a blob, or what holds the blobs of the column's type; null if the row's value is null
     * @throws IOException if a file cannot be read or is corrupt; it names the file
     */
    @Nullable
    public Object value(int row) throws IOException {
        BlobEntry entry = entries[row];
        if (entry == null) {
            return null;
        }
        if (asDescriptor || !entry.fitsIntoArray()) {
            return codec.describe(entry, asDescriptor, reader.openFiles());
        }
        if (row >= batchEnd) {
            int end = reader.batchEnd(inArrays, row, count);
            reader.read(inArrays, row, end, payloads);
            batchEnd = end;
        }
        byte[] payload = payloads[row];
        payloads[row] = null;
        return codec.decode(entry, payload);
    }
}
