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

import static org.apache.paimon.blobfallback.format.BlobFileLayout.ENTRY_HEADER_LENGTH;
import static org.apache.paimon.blobfallback.format.BlobFileLayout.ENTRY_MAGIC;
import static org.apache.paimon.blobfallback.format.BlobFileLayout.ENTRY_TRAILER_LENGTH;
import static org.apache.paimon.utils.StreamUtils.intToLittleEndian;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import javax.annotation.Nullable;
import org.apache.paimon.memory.BytesUtils;

/**
 * The frame of version 1, as Paimon 1.4, 2.0 and its master write it.
 *
 * <pre>
 * header  := magic (4, LE)
 * trailer := length of the whole entry (8, LE) CRC32 of magic, payload and length (4, LE)
 * </pre>
 */
final class EntryFrameV1 extends EntryFrame {

    static final EntryFrameV1 INSTANCE = new EntryFrameV1();

    private static final byte[] HEADER = intToLittleEndian(ENTRY_MAGIC);

    private EntryFrameV1() {}

    @Override
    public byte version() {
        return BlobFileLayout.VERSION;
    }

    @Override
    public int headerLength() {
        return ENTRY_HEADER_LENGTH;
    }

    @Override
    public int trailerLength() {
        return ENTRY_TRAILER_LENGTH;
    }

    @Override
    public byte[] header() {
        return HEADER;
    }

    @Override
    public byte[] trailer(long length, CRC32 checksum) {
        byte[] trailer = new byte[ENTRY_TRAILER_LENGTH];
        ByteBuffer numbers = ByteBuffer.wrap(trailer).order(ByteOrder.LITTLE_ENDIAN);
        numbers.putLong(length);
        checksum.update(trailer, 0, Long.BYTES);
        numbers.putInt((int) checksum.getValue());
        return trailer;
    }

    @Override
    public void begin(CRC32 checksum) {
        checksum.reset();
        checksum.update(HEADER, 0, ENTRY_HEADER_LENGTH);
    }

    @Nullable
    @Override
    public String headerFault(byte[] bytes, int start) {
        int magic = BytesUtils.getInt(bytes, start);
        return magic == ENTRY_MAGIC
                ? null
                : String.format("expected the magic %s, found %s", ENTRY_MAGIC, magic);
    }

    @Nullable
    @Override
    public String trailerFault(byte[] bytes, int start, long length) {
        long found = BytesUtils.getLong(bytes, start);
        return found == length
                ? null
                : String.format("its index says %s bytes, the entry itself says %s", length, found);
    }

    @Nullable
    @Override
    public String checksumFault(CRC32 checksum, byte[] bytes, int start) {
        checksum.update(bytes, start, Long.BYTES);
        int found = BytesUtils.getInt(bytes, start + Long.BYTES);
        return (int) checksum.getValue() == found
                ? null
                : String.format(
                        "expected the CRC32 %08x that the entry says, found %08x",
                        found, checksum.getValue());
    }
}
