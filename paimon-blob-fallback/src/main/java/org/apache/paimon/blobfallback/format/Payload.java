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
import org.apache.paimon.data.Blob;

/** The bytes of one entry's payload, by position in the payload. */
abstract class Payload {

    private final BlobEntry entry;

    Payload(BlobEntry entry) {
        this.entry = entry;
    }

    final BlobEntry entry() {
        return entry;
    }

    /** Bytes of the payload. */
    final long length() {
        return entry.payloadLength();
    }

    /**
     * A part of the payload, in an array of its own.
     *
     * @param position from 0, so that the part lies within the payload
     * @param length in bytes
     * @throws IOException if the file cannot be read; it names the file
     */
    abstract byte[] read(long position, int length) throws IOException;

    /**
     * A part of the payload as a blob.
     *
     * @param position from 0, so that the part lies within the payload
     * @param length in bytes
     */
    abstract Blob blob(long position, long length);

    /** The payload is not what its column's type says. */
    final BlobFileException corrupt(String problem, Object... arguments) {
        return BlobFileException.corrupt(
                entry.file().path(),
                "in the entry at position %d, %s",
                entry.offset(),
                String.format(problem, arguments));
    }
}
