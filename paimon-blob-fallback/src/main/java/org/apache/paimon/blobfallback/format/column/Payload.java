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
import org.apache.paimon.blobfallback.format.entry.BlobEntry;
import org.apache.paimon.blobfallback.format.io.CorruptBlobFileException;
import org.apache.paimon.blobfallback.format.io.NewerBlobFileException;
import org.apache.paimon.data.Blob;

/** The bytes of one entry's payload, by position in the payload. */
public abstract class Payload {

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
     * A part of the payload in a new array.
     *
     * @param position from 0, with the part inside the payload
     * @param length in bytes
     * @throws IOException if the file cannot be read; it names the file
     */
    abstract byte[] read(long position, int length) throws IOException;

    /**
     * A part of the payload as a blob.
     *
     * @param position from 0, with the part inside the payload
     * @param length in bytes
     */
    abstract Blob blob(long position, long length);

    /** The payload is not what its column's type says. */
    final CorruptBlobFileException corrupt(String problem, Object... arguments) {
        return CorruptBlobFileException.corrupt(
                entry.file().path(),
                "in the entry at position %s, %s",
                entry.offset(),
                String.format(problem, arguments));
    }

    /** Newer software has written the payload. */
    final NewerBlobFileException newer(String kind, byte known, byte found) {
        return new NewerBlobFileException(
                entry.file().path(),
                kind,
                "byte 4 of the payload of the entry at position " + entry.offset(),
                known,
                found);
    }
}
