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

import java.io.IOException;
import java.util.Arrays;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;

/**
 * The index of one blob file: position and length of each entry.
 *
 * <p>In the file the entry lengths are one delta-varint array ({@code DeltaVarintCompressor} of the
 * host makes and reads the same bytes, but only as one {@code long[]}, which is eight bytes a row).
 * There an entry that is as long as the one before it is a zero byte, and a layer that touches few
 * rows consists of long runs of placeholders. So in memory a run of zero bytes is one token, which
 * takes little memory and is skipped in one step:
 *
 * <pre>
 * token  := delta | repeat
 * delta  := varint, zigzag, not zero     one entry, so much longer than the one before
 * repeat := 0 run (varint)               run entries, as long as the one before
 * </pre>
 *
 * <p>A checkpoint every {@value #CHECKPOINT_INTERVAL} entries, where a token always begins, lets a
 * {@link Cursor} start anywhere without decoding what comes before. When an index is built, all of
 * it is decoded and checked once, so that nothing that a cursor returns can point outside the
 * file's data area.
 */
public final class BlobIndex {

    static final int CHECKPOINT_INTERVAL = 1 << 12;

    /** First byte of a repeat token. */
    static final byte REPEAT = 0;

    /** What objects take besides their arrays' elements. */
    private static final int OBJECT_BYTES = 256;

    private final byte[] tokens;
    private final Checkpoints checkpoints;
    private final int entryCount;
    private final int nullCount;
    private final int placeholderCount;
    private final long dataLength;
    private final int encodedLength;

    /**
     * @param parser at the end of an index
     */
    BlobIndex(BlobIndexParser parser) {
        this.tokens = parser.tokens();
        this.checkpoints = parser.checkpoints();
        this.entryCount = parser.entryCount();
        this.nullCount = parser.nullCount();
        this.placeholderCount = parser.placeholderCount();
        this.dataLength = parser.dataLength();
        this.encodedLength = parser.encodedLength();
    }

    /**
     * Reads and checks the index of a file whose number of entries is known.
     *
     * @param input the file; one request if its index has little more than one byte for each entry,
     *     otherwise two
     * @param rowCount number of entries that the file's metadata promises
     * @throws IOException if the file cannot be read or is not a sound blob file; it names the file
     *     and what is wrong
     */
    public static BlobIndex read(BlobFileInput input, long rowCount) throws IOException {
        return new BlobIndexReader().read(input, rowCount);
    }

    /**
     * Reads and checks the index of a file whose number of entries is not known.
     *
     * @param input the file; two requests
     * @throws IOException if the file cannot be read or is not a sound blob file; it names the file
     *     and what is wrong
     */
    public static BlobIndex read(BlobFileInput input) throws IOException {
        return new BlobIndexReader().read(input);
    }

    /** Number of entries, which is the number of rows of the file. */
    public int entryCount() {
        return entryCount;
    }

    /** Number of entries that are an explicit null. */
    public int nullCount() {
        return nullCount;
    }

    /** Number of entries that are a placeholder. */
    public int placeholderCount() {
        return placeholderCount;
    }

    /** Number of data entries, those with an empty payload included. */
    public int dataCount() {
        return entryCount - nullCount - placeholderCount;
    }

    /** Bytes of all entries together, which is where the index starts in the file. */
    public long dataLength() {
        return dataLength;
    }

    /** Bytes that the index takes in the file, without the footer. */
    public int encodedLength() {
        return encodedLength;
    }

    /** Bytes that the index takes in memory, or a few more. */
    public int memoryBytes() {
        return OBJECT_BYTES + tokens.length + Checkpoints.BYTES * checkpoints.count();
    }

    /** A cursor before the first entry. */
    public Cursor cursor() {
        return new Cursor();
    }

    /** Iterates over the entries in the order of the file. Not thread-safe. */
    public final class Cursor {

        private int next;
        private int position;
        private int repeats;
        private long length;
        private long offset;
        private long nextOffset;

        private Cursor() {}

        /**
         * Places the cursor before an entry.
         *
         * @param entry from 0 to {@link #entryCount()}
         */
        public void seek(int entry) {
            if (entry == next) {
                return;
            }
            int checkpoint = entry / CHECKPOINT_INTERVAL;
            if (entry < next || checkpoint > next / CHECKPOINT_INTERVAL) {
                repeats = 0;
                if (checkpoint < checkpoints.count()) {
                    next = checkpoint * CHECKPOINT_INTERVAL;
                    position = checkpoints.position(checkpoint);
                    length = checkpoints.length(checkpoint);
                    nextOffset = checkpoints.offset(checkpoint);
                } else {
                    // Happens only at the end of an index whose entry count is a multiple of the
                    // interval.
                    next = entryCount;
                    position = tokens.length;
                    nextOffset = dataLength;
                }
            }
            while (next < entry) {
                if (skipRepeats(entry - next) == 0) {
                    next();
                }
            }
        }

        /**
         * Steps over the next entry and returns its length in bytes, {@link
         * BlobFileLayout#NULL_LENGTH} or {@link BlobFileLayout#PLACEHOLDER_LENGTH}.
         */
        public long next() {
            if (repeats == 0 && tokens[position] == REPEAT) {
                readRepeats();
            }
            if (repeats > 0) {
                repeats--;
            } else {
                long raw = varint();
                length += (raw >>> 1) ^ -(raw & 1);
            }
            next++;
            offset = nextOffset;
            if (length > 0) {
                nextOffset += length;
            }
            return length;
        }

        private void readRepeats() {
            position++;
            repeats = (int) varint();
        }

        // The host's VarLengthIntUtils does not say where a number in an array ends.
        private long varint() {
            int b = tokens[position++];
            long raw = b & 0x7F;
            for (int shift = 7; b < 0; shift += 7) {
                b = tokens[position++];
                raw |= (long) (b & 0x7F) << shift;
            }
            return raw;
        }

        /**
         * Skips entries after the last one that are as long as it, up to the end of the current
         * token.
         *
         * @param max maximum number of entries to skip
         * @return number of entries that were skipped, from 0 to {@code max}
         */
        public int skipRepeats(int max) {
            if (repeats == 0 && position < tokens.length && tokens[position] == REPEAT) {
                readRepeats();
            }
            int skipped = Math.min(repeats, max);
            if (skipped > 0) {
                repeats -= skipped;
                next += skipped;
                if (length > 0) {
                    nextOffset += length * skipped;
                    offset = nextOffset - length;
                }
            }
            return skipped;
        }

        /** Position in the file of the entry that {@link #next()} returned, in bytes. */
        public long offset() {
            return offset;
        }

        /** Number of the entry that {@link #next()} returns next. */
        public int nextEntry() {
            return next;
        }
    }

    /**
     * The state from which a cursor starts at each entry whose number is a multiple of the
     * interval.
     */
    static final class Checkpoints {

        private static final int BYTES = Integer.BYTES + 2 * Long.BYTES;

        private int count;
        private int[] positions = new int[1];
        private long[] lengths = new long[1];
        private long[] offsets = new long[1];

        /**
         * Adds the next checkpoint.
         *
         * @param position of the entry's token
         * @param length of the entry before
         * @param offset of the entry in the file
         */
        void add(int position, long length, long offset) {
            if (count == positions.length) {
                resize(2 * count);
            }
            positions[count] = position;
            lengths[count] = length;
            offsets[count] = offset;
            count++;
        }

        /** Releases memory that is not needed. */
        void trim() {
            resize(count);
        }

        private void resize(int size) {
            positions = Arrays.copyOf(positions, size);
            lengths = Arrays.copyOf(lengths, size);
            offsets = Arrays.copyOf(offsets, size);
        }

        int count() {
            return count;
        }

        int position(int checkpoint) {
            return positions[checkpoint];
        }

        long length(int checkpoint) {
            return lengths[checkpoint];
        }

        long offset(int checkpoint) {
            return offsets[checkpoint];
        }
    }
}
