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

package org.apache.paimon.blobfallback.format.entry;

import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;

/** The place of one data entry in a blob file. All numbers are bytes. */
public final class BlobEntry {

    private final BlobFileInput file;
    private final long offset;
    private final long length;

    /**
     * @param file that holds the entry
     * @param offset of the entry in the file
     * @param length of the whole entry, as its file's index has it
     */
    public BlobEntry(BlobFileInput file, long offset, long length) {
        this.file = file;
        this.offset = offset;
        this.length = length;
    }

    /** The file that holds the entry. */
    public BlobFileInput file() {
        return file;
    }

    /** First byte of the entry in the file. */
    public long offset() {
        return offset;
    }

    /** End of the entry in the file, exclusive. */
    public long end() {
        return offset + length;
    }

    /** Bytes of the whole entry. */
    public long length() {
        return length;
    }

    /** First byte of the payload in the file. */
    public long payloadOffset() {
        return offset + file.frame().headerLength();
    }

    /** Bytes of the payload. */
    public long payloadLength() {
        return length - file.frame().overhead();
    }

    /** Whether the payload fits into an array; otherwise it can only be streamed. */
    public boolean fitsIntoArray() {
        return length <= BlobFileLayout.MAX_ARRAY_LENGTH;
    }
}
