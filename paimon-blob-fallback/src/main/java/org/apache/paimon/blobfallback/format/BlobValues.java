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

/**
 * The values of rows whose entries are known. Not for several threads at once.
 *
 * <p>An entry that is too long for an array comes as a blob that streams from its file.
 */
public final class BlobValues {

    /** Descriptors take no bytes of the buffer; no more of them are made at once than this. */
    private static final int MOST_DESCRIPTORS = 1 << 10;

    private final BlobElementCodec codec;
    private final boolean asDescriptor;
    private final BlobEntryReader reader;

    private byte[][] payloads = new byte[0][];

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
     * The values of the next rows, of as many as the buffer allows and at least of one.
     *
     * @param entries of the rows, nothing where the row's value is null
     * @param from first row, inclusive
     * @param to last row, exclusive
     * @return a value for each row, the first for {@code from}: a blob, or what holds the blobs of
     *     the column's type, or null
     * @throws IOException if a file cannot be read or is corrupt; it names the file
     */
    public Object[] read(BlobEntries entries, int from, int to) throws IOException {
        if (asDescriptor) {
            Object[] values = new Object[Math.min(MOST_DESCRIPTORS, to - from)];
            for (int i = 0; i < values.length; i++) {
                if (entries.has(from + i)) {
                    values[i] =
                            codec.describe(entries.get(from + i), asDescriptor, reader.openFiles());
                }
            }
            return values;
        }
        if (payloads.length < to - from) {
            payloads = new byte[to - from][];
        }
        int end = reader.read(entries, from, to, payloads);
        Object[] values = new Object[end - from];
        for (int i = 0; i < values.length; i++) {
            if (payloads[i] != null) {
                values[i] = codec.decode(entries, from + i, payloads[i]);
                payloads[i] = null;
            } else if (entries.has(from + i)) {
                values[i] = codec.describe(entries.get(from + i), asDescriptor, reader.openFiles());
            }
        }
        return values;
    }
}
