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

import java.io.IOException;
import java.util.zip.CRC32;
import javax.annotation.Nullable;

/**
 * An entry of a blob file that goes into another file as it is, whatever the type of its column.
 *
 * <p>What is copied is checked, the checksum included: the copy gets a checksum of its own, which
 * must not make a damaged entry look sound.
 */
public final class StoredEntry {

    /** Bytes that are held at once of an entry that is not in memory. */
    private static final int CHUNK_LENGTH = 1 << 20;

    private final BlobEntry entry;
    @Nullable private final byte[] payload;

    /**
     * @param entry where it is
     * @param payload its bytes, read and checked; null if they are to be streamed from its file
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
        CRC32 crc = new CRC32();
        byte[] header = file.read(entry.offset(), BlobFileLayout.ENTRY_HEADER_LENGTH);
        int magic = BlobFileLayout.intAt(header, 0);
        if (magic != BlobFileLayout.ENTRY_MAGIC) {
            throw corrupt("expected the magic " + BlobFileLayout.ENTRY_MAGIC + ", found " + magic);
        }
        crc.update(header, 0, header.length);
        long end = entry.payloadOffset() + entry.payloadLength();
        for (long position = entry.payloadOffset(); position < end; ) {
            byte[] piece = file.read(position, (int) Math.min(CHUNK_LENGTH, end - position));
            crc.update(piece, 0, piece.length);
            out.accept(piece);
            position += piece.length;
        }
        checkTrailer(file.read(end, BlobFileLayout.ENTRY_TRAILER_LENGTH), crc);
    }

    private void checkTrailer(byte[] trailer, CRC32 crc) throws IOException {
        long length = BlobFileLayout.longAt(trailer, 0);
        if (length != entry.length()) {
            throw corrupt(
                    String.format(
                            "its index says %d bytes, the entry itself says %d",
                            entry.length(), length));
        }
        crc.update(trailer, 0, Long.BYTES);
        int checksum = BlobFileLayout.intAt(trailer, Long.BYTES);
        if ((int) crc.getValue() != checksum) {
            throw corrupt(
                    String.format(
                            "expected the CRC32 %08x that the entry says, found %08x",
                            checksum, crc.getValue()));
        }
    }

    private IOException corrupt(String problem) {
        return BlobFileException.corrupt(
                entry.file().path(), "in the entry at position %d, %s", entry.offset(), problem);
    }

    /** Takes the pieces of a payload. */
    interface PieceConsumer {

        void accept(byte[] piece) throws IOException;
    }
}
