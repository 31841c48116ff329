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

import java.util.zip.CRC32;

/** Nothing around bytes that are a part of a payload: there is nothing to check. */
final class NoFrame extends EntryFrame {

    private static final byte[] NOTHING = new byte[0];

    NoFrame() {}

    /**
     * No file is made of parts.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public byte version() {
        throw new UnsupportedOperationException("A part of a payload has no version.");
    }

    @Override
    public int headerLength() {
        return 0;
    }

    @Override
    public int trailerLength() {
        return 0;
    }

    @Override
    public byte[] header() {
        return NOTHING;
    }

    @Override
    public byte[] trailer(long length, CRC32 checksum) {
        return NOTHING;
    }

    @Override
    public void begin(CRC32 checksum) {}

    @Override
    public String headerFault(byte[] bytes, int start) {
        return null;
    }

    @Override
    public String trailerFault(byte[] bytes, int start, long length) {
        return null;
    }

    @Override
    public String checksumFault(CRC32 checksum, byte[] bytes, int start) {
        return null;
    }
}
