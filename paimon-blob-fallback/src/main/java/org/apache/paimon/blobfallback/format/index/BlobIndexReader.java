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

import static org.apache.paimon.blobfallback.format.BlobFileLayout.FOOTER_LENGTH;
import static org.apache.paimon.blobfallback.format.BlobFileLayout.MAX_VARINT_LENGTH;
import static org.apache.paimon.blobfallback.format.BlobFileLayout.VERSION;
import static org.apache.paimon.blobfallback.format.io.CorruptBlobFileException.corrupt;

import java.io.IOException;
import java.util.Arrays;
import org.apache.paimon.blobfallback.format.EntryFrame;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.format.io.NewerBlobFileException;
import org.apache.paimon.blobfallback.format.io.ReusedBytes;
import org.apache.paimon.fs.Path;
import org.apache.paimon.memory.BytesUtils;

/**
 * Reads the indexes of blob files one after the other, and reuses its buffer for each. Not
 * thread-safe.
 */
public final class BlobIndexReader {

    /** What is read beyond the minimum size of an index, as a fraction of that size. */
    private static final int TAIL_SLACK_DIVISOR = 32;

    private final ReusedBytes tails = new ReusedBytes();
    private final ReusedBytes tokens = new ReusedBytes();

    /**
     * Reads and checks the index of a file whose number of entries is known.
     *
     * @param input the file; one request if its index has little more than one byte for each entry,
     *     otherwise two
     * @param rowCount number of entries that the file's metadata promises
     * @throws IOException if the file cannot be read or is not a sound blob file; it names the file
     *     and what is wrong
     */
    public BlobIndex read(BlobFileInput input, long rowCount) throws IOException {
        // An index has at least one byte for each entry, so this many bytes are always needed.
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
                    "expected at least the %s bytes of a footer, found a file of %s bytes",
                    FOOTER_LENGTH,
                    fileSize);
        }
        if (rowCount > Integer.MAX_VALUE) {
            throw corrupt(
                    path,
                    "its metadata promises %s rows, expected no more than %s",
                    rowCount,
                    Integer.MAX_VALUE);
        }
        int tailLength =
                (int) Math.min(Math.min(fileSize, Integer.MAX_VALUE), FOOTER_LENGTH + indexGuess);
        byte[] tail = input.read(fileSize - tailLength, tailLength, tails);

        byte version = tail[tailLength - 1];
        EntryFrame frame = EntryFrame.ofVersion(version);
        if (frame == null && version > VERSION) {
            throw new NewerBlobFileException(
                    path, "the file", "position " + (fileSize - 1), VERSION, version);
        }
        if (frame == null) {
            throw corrupt(
                    path,
                    "expected version %s at position %s, found %s",
                    VERSION,
                    fileSize - 1,
                    version);
        }
        input.setFrame(frame);
        long indexLength = BytesUtils.getInt(tail, tailLength - FOOTER_LENGTH);
        long maxBytes = fileSize - FOOTER_LENGTH;
        if (indexLength < 0 || indexLength > maxBytes) {
            throw corrupt(
                    path,
                    "expected an index of at most the %s bytes before the footer, found the index"
                            + " length %s",
                    maxBytes,
                    indexLength);
        }
        if (rowCount >= 0
                && (indexLength < rowCount || indexLength > rowCount * MAX_VARINT_LENGTH)) {
            throw corrupt(
                    path,
                    "expected an index of %s entries, %s to %s bytes, found the index length %s",
                    rowCount,
                    rowCount,
                    rowCount * MAX_VARINT_LENGTH,
                    indexLength);
        }
        long dataLength = maxBytes - indexLength;
        int inTail = tailLength - FOOTER_LENGTH;
        if (indexLength <= inTail) {
            return parse(input, tail, inTail - (int) indexLength, inTail, dataLength, rowCount);
        }
        int missing = (int) indexLength - inTail;
        byte[] head = input.read(dataLength, missing);
        byte[] index = Arrays.copyOf(head, (int) indexLength);
        System.arraycopy(tail, 0, index, missing, inTail);
        return parse(input, index, 0, index.length, dataLength, rowCount);
    }

    private BlobIndex parse(
            BlobFileInput input, byte[] bytes, int start, int end, long dataLength, long rowCount)
            throws IOException {
        return new BlobIndexParser(
                        input.path(),
                        input.frame(),
                        bytes,
                        start,
                        end,
                        dataLength,
                        rowCount,
                        tokens)
                .parse();
    }
}
