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

import java.util.Arrays;
import org.apache.paimon.blobfallback.format.EntryFrame;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;

/** Rows whose entries are close together in one file, so that one request reads them all. */
final class BlobRun {

    private static final int FEW = 8;

    private final BlobFileInput file;
    private final long start;

    private int[] rows = new int[FEW];
    private int count;
    private long end;
    private long entryBytes;

    /**
     * A run without entries.
     *
     * @param file that holds the entries
     * @param start where the run starts in the file, at the first entry or before it
     */
    BlobRun(BlobFileInput file, long start) {
        this.file = file;
        this.start = start;
    }

    /**
     * Adds the entry of a row, which comes after the others.
     *
     * @param offset of the entry in the file
     * @param length of the whole entry
     */
    void add(int row, long offset, long length) {
        if (count == rows.length) {
            rows = Arrays.copyOf(rows, 2 * count);
        }
        rows[count++] = row;
        end = offset + length;
        entryBytes += length;
    }

    BlobFileInput file() {
        return file;
    }

    /** Number of entries. */
    int count() {
        return count;
    }

    /** The row of an entry. */
    int row(int index) {
        return rows[index];
    }

    /** First byte to read. */
    long start() {
        return start;
    }

    /** End of the bytes to read, exclusive. */
    long end() {
        return end;
    }

    /**
     * Bytes of all payloads together.
     *
     * @param frame around each
     */
    long payloadBytes(EntryFrame frame) {
        return entryBytes - (long) count * frame.overhead();
    }
}
