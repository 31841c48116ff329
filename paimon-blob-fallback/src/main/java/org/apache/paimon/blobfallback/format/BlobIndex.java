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
import static org.apache.paimon.blobfallback.format.BlobFileLayout.FOOTER_LENGTH;
import static org.apache.paimon.blobfallback.format.BlobFileLayout.MAX_VARINT_LENGTH;
import static org.apache.paimon.blobfallback.format.BlobFileLayout.NULL_LENGTH;
import static org.apache.paimon.blobfallback.format.BlobFileLayout.PLACEHOLDER_LENGTH;
import static org.apache.paimon.blobfallback.format.BlobFileLayout.VERSION;

import java.io.IOException;
import java.util.Arrays;
import org.apache.paimon.fs.Path;

/**
 * The index of one blob file: where each entry lies and how long it is.
 *
 * <p>The entry lengths stay in memory as the file has them, delta-varint encoded ({@code
 * DeltaVarintCompressor} of the host makes and reads the same bytes, but only as one {@code
 * long[]}, which is eight bytes a row where these are often one). A checkpoint every {@value
 * #CHECKPOINT_INTERVAL} entries lets a {@link Cursor} start anywhere without decoding what comes
 * before. Building an index decodes it once and checks it whole, so that nothing that a cursor
 * returns can point outside the file's data area.
 */
public final class BlobIndex {

    static final int CHECKPOINT_INTERVAL = 1 << 10;

    /** Asked for beyond the least that an index can have, as a part of that. */
    private static final int TAIL_SLACK_DIVISOR = 32;

    private final byte[] deltas;
    private final int entryCount;
    private final int nullCount;
    private final int placeholderCount;
    private final long dataLength;

    // State before entry k * CHECKPOINT_INTERVAL.
    private final int[] checkpointPositions;
    private final long[] checkpointLengths;
    private final long[] checkpointOffsets;

    private BlobIndex(Parser parser) {
        this.deltas = parser.deltas;
        this.entryCount = parser.entries;
        this.nullCount = parser.nulls;
        this.placeholderCount = parser.placeholders;
        this.dataLength = parser.offset;
        this.checkpointPositions = Arrays.copyOf(parser.positions, parser.checkpoints);
        this.checkpointLengths = Arrays.copyOf(parser.lengths, parser.checkpoints);
        this.checkpointOffsets = Arrays.copyOf(parser.offsets, parser.checkpoints);
    }

    /**
     * Reads and checks the index of a file whose number of entries is known.
     *
     * @param input the file; one request when its index takes little more than a byte an entry,
     *     otherwise two
     * @param rowCount number of entries that the file's metadata promises
     * @throws IOException if the file cannot be read or is not a sound blob file; it names the file
     *     and what is wrong
     */
    public static BlobIndex read(BlobFileInput input, long rowCount) throws IOException {
        // An index has at least a byte an entry, so this much is never read in vain.
        return read(input, rowCount, rowCount + rowCount / TAIL_SLACK_DIVISOR);
    }

    /**
     * Reads and checks the index of a file whose number of entries is not known.
     *
     * @param input the file; two requests
     * @throws IOException if the file cannot be read or is not a sound blob file; it names the file
     *     and what is wrong
     */
    public static BlobIndex read(BlobFileInput input) throws IOException {
        return read(input, -1, 0);
    }

    private static BlobIndex read(BlobFileInput input, long rowCount, long indexGuess)
            throws IOException {
        Path path = input.path();
        long fileSize = input.fileSize();
        if (fileSize < FOOTER_LENGTH) {
            throw corrupt(
                    path,
                    "expected at least the %d bytes of a footer, found a file of %d bytes",
                    FOOTER_LENGTH,
                    fileSize);
        }
        if (rowCount > Integer.MAX_VALUE) {
            throw corrupt(
                    path,
                    "its metadata promises %d rows, expected no more than %d",
                    rowCount,
                    Integer.MAX_VALUE);
        }
        int tailLength =
                (int) Math.min(Math.min(fileSize, Integer.MAX_VALUE), FOOTER_LENGTH + indexGuess);
        byte[] tail = input.read(fileSize - tailLength, tailLength);

        byte version = tail[tailLength - 1];
        if (version != VERSION) {
            throw corrupt(
                    path,
                    "expected version %d at position %d, found %d",
                    VERSION,
                    fileSize - 1,
                    version);
        }
        long indexLength = BlobFileLayout.intAt(tail, tailLength - FOOTER_LENGTH);
        long mostBytes = fileSize - FOOTER_LENGTH;
        if (indexLength < 0 || indexLength > mostBytes) {
            throw corrupt(
                    path,
                    "expected an index of at most the %d bytes before the footer, found the index"
                            + " length %d",
                    mostBytes,
                    indexLength);
        }
        if (rowCount >= 0
                && (indexLength < rowCount || indexLength > rowCount * MAX_VARINT_LENGTH)) {
            throw corrupt(
                    path,
                    "expected an index of %d entries, %d to %d bytes, found the index length %d",
                    rowCount,
                    rowCount,
                    rowCount * MAX_VARINT_LENGTH,
                    indexLength);
        }
        return new Parser(
                        path,
                        indexBytes(input, tail, (int) indexLength),
                        fileSize - FOOTER_LENGTH - indexLength,
                        rowCount)
                .parse();
    }

    private static byte[] indexBytes(BlobFileInput input, byte[] tail, int indexLength)
            throws IOException {
        int inTail = tail.length - FOOTER_LENGTH;
        if (indexLength <= inTail) {
            return Arrays.copyOfRange(tail, inTail - indexLength, inTail);
        }
        int missing = indexLength - inTail;
        byte[] head = input.read(input.fileSize() - FOOTER_LENGTH - indexLength, missing);
        byte[] bytes = Arrays.copyOf(head, indexLength);
        System.arraycopy(tail, 0, bytes, missing, inTail);
        return bytes;
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

    /** Number of entries that have bytes, be it none. */
    public int dataCount() {
        return entryCount - nullCount - placeholderCount;
    }

    /** Bytes of all entries together, which is where the index starts in the file. */
    public long dataLength() {
        return dataLength;
    }

    /** Bytes that the index takes in the file, without the footer. */
    public int encodedLength() {
        return deltas.length;
    }

    /** A cursor before the first entry. */
    public Cursor cursor() {
        return new Cursor();
    }

    /** Walks over the entries in the order of the file. Not for several threads. */
    public final class Cursor {

        private int next;
        private int position;
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
            int checkpoint = entry / CHECKPOINT_INTERVAL;
            if (entry < next || checkpoint > next / CHECKPOINT_INTERVAL) {
                if (checkpoint < checkpointPositions.length) {
                    next = checkpoint * CHECKPOINT_INTERVAL;
                    position = checkpointPositions[checkpoint];
                    length = checkpointLengths[checkpoint];
                    nextOffset = checkpointOffsets[checkpoint];
                } else {
                    // Only the end of an index whose length is a multiple of the interval.
                    next = entryCount;
                    position = deltas.length;
                    nextOffset = dataLength;
                }
            }
            while (next < entry) {
                next();
            }
        }

        /**
         * Steps over the next entry and returns its length in bytes, {@link
         * BlobFileLayout#NULL_LENGTH} or {@link BlobFileLayout#PLACEHOLDER_LENGTH}.
         */
        public long next() {
            int b = deltas[position++];
            long raw = b & 0x7F;
            for (int shift = 7; b < 0; shift += 7) {
                b = deltas[position++];
                raw |= (long) (b & 0x7F) << shift;
            }
            length += (raw >>> 1) ^ -(raw & 1);
            next++;
            offset = nextOffset;
            if (length > 0) {
                nextOffset += length;
            }
            return length;
        }

        /**
         * Steps over the entries that follow the last one and are as long as it, as far as that is
         * seen at a glance.
         *
         * @param most number of entries to step over at the most
         * @return number of entries that were stepped over, from 0 to {@code most}
         */
        public int skipRepeats(int most) {
            int end = Math.min(deltas.length, position + most);
            int start = position;
            while (position < end && deltas[position] == 0) {
                position++;
            }
            int skipped = position - start;
            if (skipped > 0) {
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

    /** Decodes an index once from end to end and checks all of it. */
    private static final class Parser {

        private final Path path;
        private final byte[] deltas;
        private final long dataLength;
        private final long rowCount;

        private int entries;
        private int nulls;
        private int placeholders;
        private int position;
        private long length;
        private long offset;

        private int checkpoints;
        private int[] positions = new int[1];
        private long[] lengths = new long[1];
        private long[] offsets = new long[1];

        private Parser(Path path, byte[] deltas, long dataLength, long rowCount) {
            this.path = path;
            this.deltas = deltas;
            this.dataLength = dataLength;
            this.rowCount = rowCount;
        }

        private BlobIndex parse() throws IOException {
            while (position < deltas.length) {
                if (entries % CHECKPOINT_INTERVAL == 0) {
                    addCheckpoint();
                }
                length += nextDelta();
                if (length >= ENTRY_OVERHEAD) {
                    if (length > dataLength - offset) {
                        throw corrupt(
                                path,
                                "entry %d claims %d bytes at position %d, but its data area ends"
                                        + " at position %d",
                                entries,
                                length,
                                offset,
                                dataLength);
                    }
                    offset += length;
                } else if (length == PLACEHOLDER_LENGTH) {
                    placeholders++;
                } else if (length == NULL_LENGTH) {
                    nulls++;
                } else {
                    throw corrupt(
                            path,
                            "entry %d has the length %d, expected %d (placeholder), %d (null) or"
                                    + " at least %d",
                            entries,
                            length,
                            PLACEHOLDER_LENGTH,
                            NULL_LENGTH,
                            ENTRY_OVERHEAD);
                }
                entries++;
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
            return new BlobIndex(this);
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

        private void addCheckpoint() {
            if (checkpoints == positions.length) {
                positions = Arrays.copyOf(positions, 2 * checkpoints);
                lengths = Arrays.copyOf(lengths, 2 * checkpoints);
                offsets = Arrays.copyOf(offsets, 2 * checkpoints);
            }
            positions[checkpoints] = position;
            lengths[checkpoints] = length;
            offsets[checkpoints] = offset;
            checkpoints++;
        }
    }
}
