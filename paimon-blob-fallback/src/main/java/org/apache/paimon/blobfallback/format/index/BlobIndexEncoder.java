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

package org.apache.paimon.blobfallback.format.index;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.paimon.utils.DeltaVarintCompressor;

/**
 * Encodes lengths one by one as {@link DeltaVarintCompressor} encodes an array of them.
 *
 * <p>The host's compressor needs all lengths at once, which take many times the memory of the
 * result. It encodes the first value of an array unchanged, so an array of one difference is
 * encoded as the bytes of that difference.
 */
public final class BlobIndexEncoder {

    private final ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    private final long[] delta = new long[1];

    private long previous;

    public void add(long length) {
        delta[0] = length - previous;
        previous = length;
        if (delta[0] == 0) {
            // Partial updates consist mostly of runs of placeholders.
            encoded.write(0);
        } else {
            byte[] bytes = DeltaVarintCompressor.compress(delta);
            encoded.write(bytes, 0, bytes.length);
        }
    }

    /** Bytes of the encoded lengths so far; a copy. */
    public byte[] toByteArray() {
        return encoded.toByteArray();
    }

    /** Writes the encoded lengths and returns how many bytes they are. */
    public int writeTo(OutputStream out) throws IOException {
        encoded.writeTo(out);
        return encoded.size();
    }
}
