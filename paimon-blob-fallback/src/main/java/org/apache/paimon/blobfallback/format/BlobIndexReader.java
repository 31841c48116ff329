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
import static org.apache.paimon.blobfallback.format.BlobFileLayout.FOOTER_LENGTH;
import static org.apache.paimon.blobfallback.format.BlobFileLayout.MAX_VARINT_LENGTH;
import static org.apache.paimon.blobfallback.format.BlobFileLayout.VERSION;

import java.io.IOException;
import java.util.Arrays;
import org.apache.paimon.fs.Path;

/**
 * Reads the indexes of blob files, one after the other, with memory that is used again for each.
 * Not for several threads.
 */
public final class BlobIndexReader {

    /** Asked for beyond the least that an index can have, as a part of that. */
    private static final int TAIL_SLACK_DIVISOR = 32;

    private final ReusedBytes tails = new ReusedBytes();
    private final ReusedBytes tokens = new ReusedBytes();

    /**
     * Reads and checks the index of a file whose number of entries is known.
     *
     * @param input the file; one request when its index takes little more than a byte an entry,
     *     otherwise two
     * @param rowCount number of entries that the file's metadata promises
     * @throws IOException if the file cannot be read or is not a sound blob file; it names the file
     *     and what is wrong
     */
    public BlobIndex read(BlobFileInput input, long rowCount) throws IOException {
        // An index has at least a byte an entry, so this much is never read in vain.
        return read(input, rowCount, rowCount + rowCount / TAIL_SLACK_DIVISOR);
    }

    /** The same where the number of entries is not known, see {@link BlobIndex#read}. */
    BlobIndex read(BlobFileInput input) throws IOException {
        return read(input, -1, 0);
    }

    private BlobIndex read(BlobFileInput input, long rowCount, long indexGuess) throws IOException {
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
        byte[] tail = input.read(fileSize - tailLength, tailLength, tails);

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
        long dataLength = mostBytes - indexLength;
        int inTail = tailLength - FOOTER_LENGTH;
        if (indexLength <= inTail) {
            return parse(path, tail, inTail - (int) indexLength, inTail, dataLength, rowCount);
        }
        int missing = (int) indexLength - inTail;
        byte[] head = input.read(dataLength, missing);
        byte[] index = Arrays.copyOf(head, (int) indexLength);
        System.arraycopy(tail, 0, index, missing, inTail);
        return parse(path, index, 0, index.length, dataLength, rowCount);
    }

    private BlobIndex parse(
            Path path, byte[] bytes, int start, int end, long dataLength, long rowCount)
            throws IOException {
        return new BlobIndexParser(path, bytes, start, end, dataLength, rowCount, tokens).parse();
    }
}
