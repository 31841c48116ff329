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

import static org.apache.paimon.blobfallback.format.BlobFileLayout.MAX_VARINT_LENGTH;
import static org.apache.paimon.blobfallback.format.column.CollectionLayout.HEADER_LENGTH;
import static org.apache.paimon.blobfallback.format.column.CollectionLayout.LENGTH_LENGTH;
import static org.apache.paimon.blobfallback.format.column.CollectionLayout.NULL_LENGTH;

import java.io.IOException;
import java.util.Arrays;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.memory.BytesUtils;
import org.apache.paimon.utils.DeltaVarintCompressor;

/**
 * Reads and checks the frame of a payload as {@link CollectionLayout} describes it: header and
 * length lists. No number in it is used before it is checked against the payload's length.
 */
final class CollectionReader {

    /** What is read beyond the minimum size of the length lists, as a fraction of that size. */
    private static final int TAIL_SLACK_DIVISOR = 32;

    /** Maximum number of bytes that are read because of a count that has not been checked yet. */
    private static final int MAX_TAIL_LENGTH = 1 << 16;

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
                    "%s takes at least %s bytes, found %s",
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

    /** Position in the payload where the data ends and the length lists begin. */
    long dataEnd() {
        return dataEnd;
    }

    /** The lengths of a list, one for each element. */
    long[] lengths(int list) {
        return lists[list];
    }

    /**
     * Checks that a list's lengths fit into a range of the data.
     *
     * @param list whose lengths
     * @param what the lengths are of, for messages
     * @param start first byte of the range in the payload
     * @return end of the elements in the payload, exclusive
     * @throws IOException if a length is negative, other than that of a null, or they are too long
     *     together
     */
    long end(int list, String what, long start) throws IOException {
        long end = start;
        long[] lengths = lists[list];
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] < NULL_LENGTH) {
                throw payload.corrupt(
                        "%s %s of %s has the length %s, expected %s (null) or at least 0",
                        what, i, kind, lengths[i], NULL_LENGTH);
            }
            if (lengths[i] > dataEnd - end) {
                throw payload.corrupt(
                        "%s %s of %s claims %s bytes at position %s of the payload, but its data"
                                + " ends at position %s",
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
                    "the data of %s ends at position %s of the payload, expected position %s",
                    kind, end, dataEnd);
        }
    }

    private int readHeader(int magic) throws IOException {
        byte[] header = payload.read(0, HEADER_LENGTH);
        int foundMagic = BytesUtils.getInt(header, 0);
        if (foundMagic != magic) {
            throw payload.corrupt("%s starts with the magic %s, found %s", kind, magic, foundMagic);
        }
        byte version = header[Integer.BYTES];
        if (version > CollectionLayout.VERSION) {
            throw payload.newer(kind, CollectionLayout.VERSION, version);
        }
        if (version != CollectionLayout.VERSION) {
            throw payload.corrupt(
                    "expected version %s of %s, found %s", CollectionLayout.VERSION, kind, version);
        }
        int elements = BytesUtils.getInt(header, Integer.BYTES + 1);
        if (elements < 0) {
            throw payload.corrupt("%s has %s elements", kind, elements);
        }
        return elements;
    }

    /** Reads the length lists, usually with one request, since a length takes at least a byte. */
    private long readLists(int trailerLength) throws IOException {
        long room = payload.length() - HEADER_LENGTH;
        long minLength = (long) count * lists.length + trailerLength;
        int tailLength =
                (int)
                        Math.min(
                                Math.min(room, MAX_TAIL_LENGTH),
                                minLength + minLength / TAIL_SLACK_DIVISOR);
        byte[] tail = payload.read(payload.length() - tailLength, tailLength);

        int[] encodedLengths = new int[lists.length];
        long encodedTotal = 0;
        for (int i = 0; i < lists.length; i++) {
            int position = tailLength - trailerLength + i * LENGTH_LENGTH;
            encodedLengths[i] = BytesUtils.getInt(tail, position);
            checkEncodedLength(encodedLengths[i], room - trailerLength - encodedTotal);
            encodedTotal += encodedLengths[i];
        }
        if (encodedTotal > BlobFileLayout.MAX_ARRAY_LENGTH) {
            throw payload.corrupt(
                    "the length lists of %s take %s bytes, expected no more than %s",
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
                    "a length list of the %s elements of %s takes %s bytes, expected %s to %s",
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
                    "%s has %s elements, found %s lengths", kind, count, lengths.length);
        }
        return lengths;
    }
}
