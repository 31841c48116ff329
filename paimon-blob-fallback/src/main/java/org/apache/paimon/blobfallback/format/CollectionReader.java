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

import static org.apache.paimon.blobfallback.format.BlobFileLayout.MAX_VARINT_LENGTH;
import static org.apache.paimon.blobfallback.format.CollectionLayout.HEADER_LENGTH;
import static org.apache.paimon.blobfallback.format.CollectionLayout.LENGTH_LENGTH;
import static org.apache.paimon.blobfallback.format.CollectionLayout.NULL_LENGTH;

import java.io.IOException;
import java.util.Arrays;
import org.apache.paimon.utils.DeltaVarintCompressor;

/**
 * Reads and checks the frame of a payload as {@link CollectionLayout} describes it: header and
 * length lists. No number in it is believed before it is checked against the payload's length.
 */
final class CollectionReader {

    /** Read beyond the least that the length lists can have, as a part of that. */
    private static final int TAIL_SLACK_DIVISOR = 32;

    /** Most bytes that are read for a count that nothing has confirmed yet. */
    private static final int MOST_TAIL_LENGTH = 1 << 16;

    private final Payload payload;
    private final String kind;
    private final int count;
    private final long[][] lists;
    private final long dataEnd;

    /**
     * @param payload of the entry
     * @param kind what the payload is, for messages
     * @param magic that it starts with
     * @param listCount number of length lists at its end
     * @throws IOException if the payload cannot be read or its frame is not sound; it names the
     *     file
     */
    CollectionReader(Payload payload, String kind, int magic, int listCount) throws IOException {
        this.payload = payload;
        this.kind = kind;
        int trailerLength = listCount * LENGTH_LENGTH;
        if (payload.length() < HEADER_LENGTH + trailerLength) {
            throw payload.corrupt(
                    "%s takes at least %d bytes, found %d",
                    kind, HEADER_LENGTH + trailerLength, payload.length());
        }
        this.count = readHeader(magic);
        this.lists = new long[listCount][];
        this.dataEnd = readLists(trailerLength);
    }

    /** Number of elements. */
    int count() {
        return count;
    }

    /** Where the data ends in the payload, and the length lists begin. */
    long dataEnd() {
        return dataEnd;
    }

    /** The lengths of a list, one an element. */
    long[] lengths(int list) {
        return lists[list];
    }

    /**
     * Checks that a list's lengths fit into a stretch of the data.
     *
     * @param list whose lengths
     * @param what the lengths are of, for messages
     * @param start first byte of the stretch in the payload
     * @return first byte behind the lengths
     * @throws IOException if a length is negative, other than that of a null, or they are too long
     *     together
     */
    long end(int list, String what, long start) throws IOException {
        long end = start;
        long[] lengths = lists[list];
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] < NULL_LENGTH) {
                throw payload.corrupt(
                        "%s %d of %s has the length %d, expected %d (null) or at least 0",
                        what, i, kind, lengths[i], NULL_LENGTH);
            }
            if (lengths[i] > dataEnd - end) {
                throw payload.corrupt(
                        "%s %d of %s claims %d bytes at position %d of the payload, but its data"
                                + " ends at position %d",
                        what, i, kind, lengths[i], end, dataEnd);
            }
            end += Math.max(0, lengths[i]);
        }
        return end;
    }

    /**
     * Checks that the data holds nothing beyond its elements.
     *
     * @param end of the elements in the payload
     */
    void checkEnd(long end) throws IOException {
        if (end != dataEnd) {
            throw payload.corrupt(
                    "the data of %s ends at position %d of the payload, expected position %d",
                    kind, end, dataEnd);
        }
    }

    private int readHeader(int magic) throws IOException {
        byte[] header = payload.read(0, HEADER_LENGTH);
        int foundMagic = BlobFileLayout.intAt(header, 0);
        if (foundMagic != magic) {
            throw payload.corrupt("%s starts with the magic %d, found %d", kind, magic, foundMagic);
        }
        byte version = header[Integer.BYTES];
        if (version != CollectionLayout.VERSION) {
            throw payload.corrupt(
                    "expected version %d of %s, found %d", CollectionLayout.VERSION, kind, version);
        }
        int elements = BlobFileLayout.intAt(header, Integer.BYTES + 1);
        if (elements < 0) {
            throw payload.corrupt("%s has %d elements", kind, elements);
        }
        return elements;
    }

    /**
     * Reads the length lists; most often with one request, as they have at least a byte a length.
     */
    private long readLists(int trailerLength) throws IOException {
        long room = payload.length() - HEADER_LENGTH;
        long least = (long) count * lists.length + trailerLength;
        int tailLength =
                (int)
                        Math.min(
                                Math.min(room, MOST_TAIL_LENGTH),
                                least + least / TAIL_SLACK_DIVISOR);
        byte[] tail = payload.read(payload.length() - tailLength, tailLength);

        int[] encodedLengths = new int[lists.length];
        long encodedTotal = 0;
        for (int i = 0; i < lists.length; i++) {
            int position = tailLength - trailerLength + i * LENGTH_LENGTH;
            encodedLengths[i] = BlobFileLayout.intAt(tail, position);
            checkEncodedLength(encodedLengths[i], room - trailerLength - encodedTotal);
            encodedTotal += encodedLengths[i];
        }
        if (encodedTotal > BlobFileLayout.MAX_ARRAY_LENGTH) {
            throw payload.corrupt(
                    "the length lists of %s take %d bytes, expected no more than %d",
                    kind, encodedTotal, BlobFileLayout.MAX_ARRAY_LENGTH);
        }
        long start = payload.length() - trailerLength - encodedTotal;
        byte[] encoded =
                encodedTotal <= tailLength - trailerLength
                        ? Arrays.copyOfRange(
                                tail,
                                tailLength - trailerLength - (int) encodedTotal,
                                tailLength - trailerLength)
                        : payload.read(start, (int) encodedTotal);
        int from = 0;
        for (int i = 0; i < lists.length; i++) {
            lists[i] = decode(Arrays.copyOfRange(encoded, from, from + encodedLengths[i]));
            from += encodedLengths[i];
        }
        return start;
    }

    private void checkEncodedLength(int encodedLength, long room) throws IOException {
        if (encodedLength < count
                || encodedLength > (long) count * MAX_VARINT_LENGTH
                || encodedLength > room) {
            throw payload.corrupt(
                    "a length list of the %d elements of %s takes %d bytes, expected %d to %d",
                    count,
                    kind,
                    encodedLength,
                    count,
                    Math.max(count, Math.min((long) count * MAX_VARINT_LENGTH, room)));
        }
    }

    private long[] decode(byte[] encoded) throws IOException {
        long[] lengths;
        try {
            lengths = DeltaVarintCompressor.decompress(encoded);
        } catch (RuntimeException e) {
            throw payload.corrupt(
                    "a length list of %s cannot be decoded: %s", kind, e.getMessage());
        }
        if (lengths.length != count) {
            throw payload.corrupt(
                    "%s has %d elements, found %d lengths", kind, count, lengths.length);
        }
        return lengths;
    }
}
