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

import static org.apache.paimon.blobfallback.format.BlobFileLayout.MAX_VARINT_LENGTH;
import static org.apache.paimon.blobfallback.format.BlobFileLayout.NULL_LENGTH;
import static org.apache.paimon.blobfallback.format.BlobFileLayout.PLACEHOLDER_LENGTH;
import static org.apache.paimon.blobfallback.format.index.BlobIndex.CHECKPOINT_INTERVAL;
import static org.apache.paimon.blobfallback.format.io.CorruptBlobFileException.corrupt;

import java.io.IOException;
import java.util.Arrays;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.EntryFrame;
import org.apache.paimon.blobfallback.format.io.ReusedBytes;
import org.apache.paimon.fs.Path;
import org.apache.paimon.memory.MemorySegment;

/** Decodes the index of a file once from start to end, checks all of it, and packs it. */
final class BlobIndexParser {

    // A single zero byte becomes a repeat token and its count.
    private static final int MAX_TOKENS_PER_BYTE = 2;

    private final Path path;
    private final int overhead;
    private final byte[] deltas;
    private final MemorySegment deltasAsLongs;
    private final int start;
    private final int end;
    private final long dataLength;
    private final long rowCount;

    private int entries;
    private int nulls;
    private int placeholders;
    private int position;
    private long length;
    private long offset;

    private final BlobIndex.Checkpoints checkpoints = new BlobIndex.Checkpoints();
    private final ReusedBytes reused;
    private byte[] tokens;
    private int tokensLength;

    /**
     * @param path the file, for messages
     * @param frame of the file's entries
     * @param deltas bytes of the file, the index among them
     * @param start of that part, inclusive
     * @param end of that part, exclusive
     * @param dataLength bytes of the file before the index
     * @param rowCount expected number of entries, or -1 for any
     * @param reused buffer to pack the index into
     */
    BlobIndexParser(
            Path path,
            EntryFrame frame,
            byte[] deltas,
            int start,
            int end,
            long dataLength,
            long rowCount,
            ReusedBytes reused) {
        this.path = path;
        this.overhead = frame.overhead();
        this.deltas = deltas;
        this.deltasAsLongs = MemorySegment.wrap(deltas);
        this.start = start;
        this.end = end;
        this.position = start;
        this.dataLength = dataLength;
        this.rowCount = rowCount;
        this.reused = reused;
        this.tokens = reused.atLeast(0);
    }

    /**
     * Decodes and checks.
     *
     * @throws IOException if the index is not sound; it names the file and what is wrong
     */
    BlobIndex parse() throws IOException {
        while (position < end) {
            checkpoints.add(tokensLength, length, offset);
            reserve(CHECKPOINT_INTERVAL * MAX_VARINT_LENGTH);
            parseTo(entries + CHECKPOINT_INTERVAL);
        }
        if (rowCount >= 0 && entries != rowCount) {
            throw corrupt(path, "expected %s entries, found %s", rowCount, entries);
        }
        if (offset != dataLength) {
            throw corrupt(
                    path,
                    "its entries add up to %s bytes, expected the %s bytes of its data area",
                    offset,
                    dataLength);
        }
        tokens = Arrays.copyOf(tokens, tokensLength);
        checkpoints.trim();
        return new BlobIndex(this);
    }

    /**
     * Decodes up to an entry, exclusive, for whose tokens there is space. A read of few rows spends
     * most of its time here, hence the local variables.
     */
    private void parseTo(int lastEntry) throws IOException {
        int next = position;
        int entry = entries;
        int tokensEnd = tokensLength;
        long entryLength = length;
        long entryOffset = offset;
        int leastLength = overhead;
        while (entry < lastEntry && next < end) {
            int run = 1;
            byte first = deltas[next];
            if (first == 0) {
                run = zeros(next, (int) Math.min(end, (long) next + lastEntry - entry));
                next += run;
                tokensEnd = addRepeatToken(run, tokensEnd);
            } else {
                long raw = first;
                if (first < 0) {
                    int deltaEnd = deltaEnd(next, entry);
                    raw = varint(next, deltaEnd);
                    while (next < deltaEnd - 1) {
                        tokens[tokensEnd++] = deltas[next++];
                    }
                }
                tokens[tokensEnd++] = deltas[next++];
                entryLength += (raw >>> 1) ^ -(raw & 1);
            }
            if (entryLength >= leastLength) {
                long left = dataLength - entryOffset;
                // A product might overflow, and a division for each entry is expensive.
                if (entryLength > (run == 1 ? left : left / run)) {
                    throw beyondData(entry, entryLength, entryOffset);
                }
                entryOffset += entryLength * run;
            } else if (entryLength == PLACEHOLDER_LENGTH) {
                placeholders += run;
            } else if (entryLength == NULL_LENGTH) {
                nulls += run;
            } else {
                throw impossible(entry, entryLength);
            }
            entry += run;
        }
        position = next;
        entries = entry;
        tokensLength = tokensEnd;
        length = entryLength;
        offset = entryOffset;
    }

    /**
     * Number of consecutive zero bytes, starting with the one at a position and up to another
     * position, exclusive.
     */
    private int zeros(int from, int to) {
        int next = from + 1;
        while (next <= to - Long.BYTES) {
            long eight = deltasAsLongs.getLongLittleEndian(next);
            if (eight != 0) {
                return next + Long.numberOfTrailingZeros(eight) / Byte.SIZE - from;
            }
            next += Long.BYTES;
        }
        while (next < to && deltas[next] == 0) {
            next++;
        }
        return next - from;
    }

    /** End of a delta of several bytes. */
    private int deltaEnd(int from, int entry) throws IOException {
        int last = from;
        while (deltas[last] < 0) {
            last++;
            if (last == end) {
                throw corrupt(path, "its index ends in the middle of entry %s", entry);
            }
            if (last - from == MAX_VARINT_LENGTH) {
                throw corrupt(
                        path,
                        "entry %s of its index has more than %s bytes",
                        entry,
                        MAX_VARINT_LENGTH);
            }
        }
        return last + 1;
    }

    // The host's VarLengthIntUtils ends in an Error where the bytes are no number.
    private long varint(int from, int to) {
        long raw = 0;
        for (int i = from; i < to; i++) {
            raw |= (long) (deltas[i] & 0x7F) << 7 * (i - from);
        }
        return raw;
    }

    private IOException beyondData(int entry, long entryLength, long entryOffset) {
        long fitting = (dataLength - entryOffset) / entryLength;
        return corrupt(
                path,
                "entry %s claims %s bytes at position %s, but its data area ends at position %s",
                entry + fitting,
                entryLength,
                entryOffset + fitting * entryLength,
                dataLength);
    }

    private IOException impossible(int entry, long entryLength) {
        return corrupt(
                path,
                "entry %s has the length %s, expected %s (placeholder), %s (null) or at least %s",
                entry,
                entryLength,
                PLACEHOLDER_LENGTH,
                NULL_LENGTH,
                overhead);
    }

    /** Adds the token of a run and returns the end of the tokens. */
    private int addRepeatToken(int run, int start) {
        int tokensEnd = start;
        tokens[tokensEnd++] = BlobIndex.REPEAT;
        int left = run;
        while (left >= 0x80) {
            tokens[tokensEnd++] = (byte) (left | 0x80);
            left >>>= 7;
        }
        tokens[tokensEnd++] = (byte) left;
        return tokensEnd;
    }

    /**
     * Makes space for tokens: twice what there is, but no more than the rest of the index can need.
     */
    private void reserve(int more) {
        if (tokens.length - tokensLength < more) {
            long twice = 2L * tokens.length + more;
            long whole = tokensLength + (long) MAX_TOKENS_PER_BYTE * (end - position) + more;
            long longest = Math.min(Math.min(twice, whole), BlobFileLayout.MAX_ARRAY_LENGTH);
            byte[] longer = reused.atLeast((int) longest);
            System.arraycopy(tokens, 0, longer, 0, tokensLength);
            tokens = longer;
        }
    }

    byte[] tokens() {
        return tokens;
    }

    BlobIndex.Checkpoints checkpoints() {
        return checkpoints;
    }

    int entryCount() {
        return entries;
    }

    int nullCount() {
        return nulls;
    }

    int placeholderCount() {
        return placeholders;
    }

    long dataLength() {
        return dataLength;
    }

    int encodedLength() {
        return end - start;
    }
}
