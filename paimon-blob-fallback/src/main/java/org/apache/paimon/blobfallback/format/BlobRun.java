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

import java.util.Arrays;

/** Rows whose entries lie close together in one file, so that one request reads them all. */
final class BlobRun {

    private static final int FEW = 8;

    private final BlobEntries entries;
    private final long start;

    private int[] rows = new int[FEW];
    private int count;
    private long payloadBytes;

    /**
     * @param start where to begin in the file, at the first entry or before
     * @param row of the first entry
     */
    BlobRun(BlobEntries entries, long start, int row) {
        this.entries = entries;
        this.start = start;
        add(row);
    }

    /** Adds the entry of a row, which lies behind the others. */
    void add(int row) {
        if (count == rows.length) {
            rows = Arrays.copyOf(rows, 2 * count);
        }
        rows[count++] = row;
        payloadBytes += entries.length(row) - BlobFileLayout.ENTRY_OVERHEAD;
    }

    BlobFileInput file() {
        return entries.file(rows[0]);
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

    /** First byte behind what is to be read. */
    long end() {
        return entries.end(rows[count - 1]);
    }

    /** Bytes of all payloads together. */
    long payloadBytes() {
        return payloadBytes;
    }
}
