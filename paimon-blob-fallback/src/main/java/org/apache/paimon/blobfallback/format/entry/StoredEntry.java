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

import java.io.IOException;
import java.util.zip.CRC32;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.EntryFrame;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.format.io.CorruptBlobFileException;

/**
 * An entry of a blob file that is copied to another file unchanged, for any type of column.
 *
 * <p>It is checked when it is copied, the checksum included: the copy gets its own checksum, which
 * must not make a damaged entry look sound.
 */
public final class StoredEntry {

    /** Size of the pieces of an entry that is not in memory. */
    private static final int CHUNK_LENGTH = 1 << 20;

    private final BlobEntry entry;
    @Nullable private final byte[] payload;

    /**
     * @param entry place of the entry
     * @param payload its bytes, read and checked; null to stream them from its file
     */
    public StoredEntry(BlobEntry entry, @Nullable byte[] payload) {
        this.entry = entry;
        this.payload = payload;
    }

    /**
     * Hands out the payload piece by piece.
     *
     * @throws IOException if the file cannot be read or the entry is not sound; it names the file
     *     and the place
     */
    void writePayload(PieceConsumer out) throws IOException {
        if (payload != null) {
            out.accept(payload);
            return;
        }
        BlobFileInput file = entry.file();
        EntryFrame frame = file.frame();
        byte[] header = file.read(entry.offset(), frame.headerLength());
        check(frame.headerFault(header, 0));
        CRC32 crc = new CRC32();
        frame.begin(crc);
        long end = entry.payloadOffset() + entry.payloadLength();
        for (long position = entry.payloadOffset(); position < end; ) {
            byte[] piece = file.read(position, (int) Math.min(CHUNK_LENGTH, end - position));
            crc.update(piece, 0, piece.length);
            out.accept(piece);
            position += piece.length;
        }
        byte[] trailer = file.read(end, frame.trailerLength());
        check(frame.trailerFault(trailer, 0, entry.length()));
        check(frame.checksumFault(crc, trailer, 0));
    }

    private void check(@Nullable String fault) throws IOException {
        if (fault != null) {
            throw CorruptBlobFileException.corrupt(
                    entry.file().path(), "in the entry at position %s, %s", entry.offset(), fault);
        }
    }

    /** Takes the pieces of a payload. */
    interface PieceConsumer {

        void accept(byte[] piece) throws IOException;
    }
}
