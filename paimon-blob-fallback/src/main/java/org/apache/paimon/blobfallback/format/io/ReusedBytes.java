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

package org.apache.paimon.blobfallback.format.io;

/**
 * An array to read into that is reused, so that it is neither cleared nor loaded into the
 * processor's cache each time. Not thread-safe.
 */
public final class ReusedBytes {

    /** The longest array that is kept, in bytes. */
    static final int MAX_KEPT = 1 << 22;

    private byte[] bytes = new byte[0];

    /**
     * The array, with its previous content.
     *
     * @param length minimum in bytes; if it is more than {@link #MAX_KEPT}, the array is new each
     *     time
     */
    public byte[] atLeast(int length) {
        if (bytes.length >= length) {
            return bytes;
        }
        byte[] longer = new byte[length];
        if (length <= MAX_KEPT) {
            bytes = longer;
        }
        return longer;
    }
}
