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

import static org.apache.paimon.blobfallback.format.BlobFileException.corrupt;
import static org.apache.paimon.blobfallback.format.BlobFileLayout.ENTRY_OVERHEAD;
import static org.apache.paimon.blobfallback.format.BlobFileLayout.MAX_VARINT_LENGTH;
import static org.apache.paimon.blobfallback.format.BlobFileLayout.NULL_LENGTH;
import static org.apache.paimon.blobfallback.format.BlobFileLayout.PLACEHOLDER_LENGTH;
import static org.apache.paimon.blobfallback.format.BlobIndex.CHECKPOINT_INTERVAL;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.paimon.fs.Path;

/** Decodes an index as the file has it once from end to end, checks all of it, and packs it. */
final class BlobIndexParser {

    private final Path path;
    private final byte[] deltas;
    private final ByteBuffer deltasAsLongs;
    private final long dataLength;
    private final long rowCount;

    private int entries;
    private int nulls;
    private int placeholders;
    private int position;
    private long length;
    private long offset;

    private final BlobIndex.Checkpoints checkpoints = new BlobIndex.Checkpoints();
    private byte[] tokens;
    private int tokensLength;

    /**
     * @param path the file, for messages
     * @param deltas the index as the file has it
     * @param dataLength bytes of the file before the index
     * @param rowCount number of entries that is expected, or -1 for any
     */
    BlobIndexParser(Path path, byte[] deltas, long dataLength, long rowCount) {
        this.path = path;
        this.deltas = deltas;
        this.deltasAsLongs = ByteBuffer.wrap(deltas);
        this.dataLength = dataLength;
        this.rowCount = rowCount;
        this.tokens = new byte[Math.min(deltas.length, 64)];
    }

    /**
     * Decodes and checks.
     *
     * @throws IOException if the index is not sound; it names the file and what is wrong
     */
    BlobIndex parse() throws IOException {
        int nextCheckpoint = 0;
        while (position < deltas.length) {
            if (entries == nextCheckpoint) {
                checkpoints.add(tokensLength, length, offset);
                nextCheckpoint += CHECKPOINT_INTERVAL;
            }
            int start = position;
            if (deltas[start] == 0) {
                int run = zeros(nextCheckpoint - entries);
                position += run;
                addEntries(run);
                addRepeatToken(run);
            } else {
                length += nextDelta();
                addEntries(1);
                addToken(start);
            }
        }
        if (rowCount >= 0 && entries != rowCount) {
            throw corrupt(path, "expected %d entries, found %d", rowCount, entries);
        }
        if (offset != dataLength) {
            throw corrupt(
                    path,
                    "its entries add up to %d bytes, expected the %d bytes of its data area",
                    offset,
                    dataLength);
        }
        tokens = Arrays.copyOf(tokens, tokensLength);
        checkpoints.trim();
        return new BlobIndex(this);
    }

    /** Entries that are as long as the one before, from where the parser is. */
    private int zeros(int most) {
        int end = (int) Math.min(deltas.length, (long) position + most);
        int next = position;
        while (next <= end - Long.BYTES && deltasAsLongs.getLong(next) == 0) {
            next += Long.BYTES;
        }
        while (next < end && deltas[next] == 0) {
            next++;
        }
        return next - position;
    }

    private long nextDelta() throws IOException {
        int b = deltas[position++];
        long raw = b & 0x7F;
        for (int shift = 7; b < 0; shift += 7) {
            if (position == deltas.length) {
                throw corrupt(path, "its index ends in the middle of entry %d", entries);
            }
            if (shift >= 7 * MAX_VARINT_LENGTH) {
                throw corrupt(
                        path,
                        "entry %d of its index has more than %d bytes",
                        entries,
                        MAX_VARINT_LENGTH);
            }
            b = deltas[position++];
            raw |= (long) (b & 0x7F) << shift;
        }
        return (raw >>> 1) ^ -(raw & 1);
    }

    /** Checks and counts entries of the length that was decoded last. */
    private void addEntries(int count) throws IOException {
        if (length >= ENTRY_OVERHEAD) {
            long left = dataLength - offset;
            // Not by multiplying, which might overflow; and a division is dear for each entry.
            if (length > (count == 1 ? left : left / count)) {
                long fitting = left / length;
                throw corrupt(
                        path,
                        "entry %d claims %d bytes at position %d, but its data area ends at"
                                + " position %d",
                        entries + fitting,
                        length,
                        offset + fitting * length,
                        dataLength);
            }
            offset += length * count;
        } else if (length == PLACEHOLDER_LENGTH) {
            placeholders += count;
        } else if (length == NULL_LENGTH) {
            nulls += count;
        } else {
            throw corrupt(
                    path,
                    "entry %d has the length %d, expected %d (placeholder), %d (null) or at least"
                            + " %d",
                    entries,
                    length,
                    PLACEHOLDER_LENGTH,
                    NULL_LENGTH,
                    ENTRY_OVERHEAD);
        }
        entries += count;
    }

    private void addToken(int start) {
        int size = position - start;
        reserve(size);
        for (int i = start; i < position; i++) {
            tokens[tokensLength++] = deltas[i];
        }
    }

    private void addRepeatToken(int run) {
        reserve(1 + MAX_VARINT_LENGTH);
        tokens[tokensLength++] = BlobIndex.REPEAT;
        int left = run;
        while (left >= 0x80) {
            tokens[tokensLength++] = (byte) (left | 0x80);
            left >>>= 7;
        }
        tokens[tokensLength++] = (byte) left;
    }

    private void reserve(int more) {
        if (tokens.length - tokensLength < more) {
            long twice = 2L * tokens.length + more;
            tokens = Arrays.copyOf(tokens, (int) Math.min(twice, BlobFileLayout.MAX_ARRAY_LENGTH));
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
        return deltas.length;
    }
}
