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

import java.util.Arrays;
import org.apache.paimon.blobfallback.format.entry.BlobEntry;
import org.apache.paimon.data.Blob;

/** A payload that is in memory; its blobs are copies. */
public final class LoadedPayload extends Payload {

    private final byte[] bytes;
    private final int start;

    /**
     * @param bytes all of the payload
     */
    public LoadedPayload(BlobEntry entry, byte[] bytes) {
        this(entry, bytes, 0);
    }

    /**
     * @param bytes hold all of the payload
     * @param start of the payload in them
     */
    public LoadedPayload(BlobEntry entry, byte[] bytes, int start) {
        super(entry);
        this.bytes = bytes;
        this.start = start;
    }

    @Override
    byte[] read(long position, int length) {
        int from = start + (int) position;
        return Arrays.copyOfRange(bytes, from, from + length);
    }

    @Override
    Blob blob(long position, long length) {
        return Blob.fromData(read(position, (int) length));
    }
}
