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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.EntryFrame;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;

/**
 * The places of the data entries of consecutive rows: for each row a place in a blob file, or
 * nothing. It has an array of numbers for each property instead of an object for each row. All
 * lengths and offsets are in bytes.
 *
 * <p>The entries of one file are in the order of the file. Not thread-safe while it is filled.
 */
public final class BlobEntries {

    private static final int NO_FILE = -1;

    private final List<BlobFileInput> files = new ArrayList<>();
    private final boolean parts;
    private final int[] fileOf;
    private final long[] offsets;
    private final long[] lengths;

    /**
     * No entry for any row.
     *
     * @param rows number of rows
     */
    public BlobEntries(int rows) {
        this(rows, false);
    }

    private BlobEntries(int rows, boolean parts) {
        this.parts = parts;
        fileOf = new int[rows];
        Arrays.fill(fileOf, NO_FILE);
        offsets = new long[rows];
        lengths = new long[rows];
    }

    /**
     * Adds a file whose entries will be set.
     *
     * @return its number
     */
    public int addFile(BlobFileInput file) {
        files.add(file);
        return files.size() - 1;
    }

    /**
     * Sets the entry of a row.
     *
     * @param row from 0 to the number of rows
     * @param file number of the file that holds the entry
     * @param offset of the entry in the file
     * @param length of the whole entry, as its file's index has it
     */
    public void set(int row, int file, long offset, long length) {
        fileOf[row] = file;
        offsets[row] = offset;
        lengths[row] = length;
    }

    /**
     * The same part of the payload of each entry of some rows. It is shorter where the payload ends
     * before it does, and empty where the payload ends before it starts.
     *
     * @param from first row, inclusive, which is row 0 of the parts
     * @param to last row, exclusive
     * @param offset of the part in the payload
     * @param length of the part
     */
    public BlobEntries parts(int from, int to, long offset, int length) {
        BlobEntries ofRows = new BlobEntries(to - from, true);
        ofRows.files.addAll(files);
        for (int row = from; row < to; row++) {
            if (has(row)) {
                BlobEntry entry = get(row);
                long start = Math.min(offset, entry.payloadLength());
                ofRows.set(
                        row - from,
                        fileOf[row],
                        entry.payloadOffset() + start,
                        Math.min(length, entry.payloadLength() - start));
            }
        }
        return ofRows;
    }

    /** The frame of a row's entry. */
    EntryFrame frame(int row) {
        return parts ? EntryFrame.NONE : file(row).frame();
    }

    /** Removes the entries of a row and of all rows after it. */
    public void clearFrom(int row) {
        Arrays.fill(fileOf, row, fileOf.length, NO_FILE);
    }

    /** Number of rows. */
    public int rowCount() {
        return fileOf.length;
    }

    /** Number of files. */
    int fileCount() {
        return files.size();
    }

    /** Whether a row has an entry. */
    public boolean has(int row) {
        return fileOf[row] != NO_FILE;
    }

    /** The number of the file that holds a row's entry. */
    int fileOf(int row) {
        return fileOf[row];
    }

    /** The file that holds a row's entry. */
    BlobFileInput file(int row) {
        return files.get(fileOf[row]);
    }

    /** First byte of a row's entry in its file. */
    long offset(int row) {
        return offsets[row];
    }

    /** Bytes of a row's whole entry. */
    public long length(int row) {
        return lengths[row];
    }

    /** The entry of a row, null if there is none. */
    @Nullable
    public BlobEntry get(int row) {
        return has(row) ? new BlobEntry(file(row), offsets[row], lengths[row]) : null;
    }
}
