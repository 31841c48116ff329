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

package org.apache.paimon.blobfallback.format.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.utils.DeltaVarintCompressor;

/** A blob file built piece by piece, so that each piece can be wrong. */
public final class RawBlobFile {

    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private final List<Long> lengths = new ArrayList<>();

    private int entryMagic = BlobFileLayout.ENTRY_MAGIC;
    private int lengthError;
    private int crcError;
    private Integer indexLength;
    private byte version = BlobFileLayout.VERSION;
    private byte[] index;

    /** An entry with these bytes. */
    public RawBlobFile entry(byte... payload) {
        ByteBuffer entry =
                ByteBuffer.allocate(BlobFileLayout.ENTRY_OVERHEAD + payload.length)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(entryMagic)
                        .put(payload)
                        .putLong(BlobFileLayout.ENTRY_OVERHEAD + payload.length + lengthError);
        CRC32 crc = new CRC32();
        crc.update(entry.array(), 0, entry.position());
        entry.putInt((int) crc.getValue() + crcError);
        data.writeBytes(entry.array());
        return length(entry.capacity());
    }

    /** A length in the index without anything in the data area. */
    public RawBlobFile length(long length) {
        lengths.add(length);
        return this;
    }

    /** Bytes in the data area without a length in the index. */
    public RawBlobFile bytes(byte... bytes) {
        data.writeBytes(bytes);
        return this;
    }

    /** The entries that follow have this magic. */
    public RawBlobFile withEntryMagic(int magic) {
        this.entryMagic = magic;
        return this;
    }

    /** The entries that follow say in their trailers that they are so much longer. */
    public RawBlobFile withLengthError(int error) {
        this.lengthError = error;
        return this;
    }

    /** The entries that follow have a CRC32 that is off by so much. */
    public RawBlobFile withCrcError(int error) {
        this.crcError = error;
        return this;
    }

    /** The footer says this length, whatever the index has. */
    public RawBlobFile withIndexLength(int length) {
        this.indexLength = length;
        return this;
    }

    /** The index is these bytes, whatever the lengths are. */
    public RawBlobFile withIndex(byte... bytes) {
        this.index = bytes;
        return this;
    }

    /** The footer says this version. */
    public RawBlobFile withVersion(int number) {
        this.version = (byte) number;
        return this;
    }

    public byte[] toBytes() {
        byte[] encoded =
                index != null
                        ? index
                        : DeltaVarintCompressor.compress(
                                lengths.stream().mapToLong(Long::longValue).toArray());
        return ByteBuffer.allocate(data.size() + encoded.length + BlobFileLayout.FOOTER_LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(data.toByteArray())
                .put(encoded)
                .putInt(indexLength != null ? indexLength : encoded.length)
                .put(version)
                .array();
    }

    /** Writes the file into a folder, under a name of its own. */
    public Path writeTo(Path folder) {
        try {
            return Files.write(Files.createTempFile(folder, "raw", ".blob"), toBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
