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
import java.util.function.Consumer;
import java.util.zip.CRC32;

/**
 * Checks every entry of a blob file in one pass from its first byte to its index: magic, length and
 * CRC32. It goes on behind an entry that is not sound.
 */
public final class BlobFileCheck {

    /** Bytes of one request. */
    private static final int CHUNK_LENGTH = 1 << 22;

    private final BlobFileInput file;
    private final BlobIndex index;
    private final Consumer<IOException> faults;

    private final byte[] header = new byte[BlobFileLayout.ENTRY_HEADER_LENGTH];
    private final byte[] trailer = new byte[BlobFileLayout.ENTRY_TRAILER_LENGTH];
    private final CRC32 crc = new CRC32();

    private byte[] chunk = new byte[0];
    private int next;
    private long chunkEnd;

    /**
     * @param file to check; the caller closes it
     * @param index of the file, which is checked already
     * @param faults is told of each entry that is not sound, with the file and the place
     */
    public BlobFileCheck(BlobFileInput file, BlobIndex index, Consumer<IOException> faults) {
        this.file = file;
        this.index = index;
        this.faults = faults;
    }

    /**
     * Checks all entries.
     *
     * @throws IOException if the file cannot be read to the end of its entries; it names the file
     */
    public void run() throws IOException {
        BlobIndex.Cursor cursor = index.cursor();
        while (cursor.nextEntry() < index.entryCount()) {
            int entry = cursor.nextEntry();
            long length = cursor.next();
            if (length >= BlobFileLayout.ENTRY_OVERHEAD) {
                check(entry, cursor.offset(), length);
            }
        }
    }

    private void check(int entry, long offset, long length) throws IOException {
        crc.reset();
        take(header);
        crc.update(header, 0, header.length);
        digest(length - BlobFileLayout.ENTRY_OVERHEAD);
        take(trailer);
        crc.update(trailer, 0, Long.BYTES);

        int magic = BlobFileLayout.intAt(header, 0);
        long ownLength = BlobFileLayout.longAt(trailer, 0);
        int checksum = BlobFileLayout.intAt(trailer, Long.BYTES);
        if (magic != BlobFileLayout.ENTRY_MAGIC) {
            fault(
                    entry,
                    offset,
                    String.format(
                            "expected the magic %d, found %d", BlobFileLayout.ENTRY_MAGIC, magic));
        } else if (ownLength != length) {
            fault(
                    entry,
                    offset,
                    String.format(
                            "its index says %d bytes, the entry itself says %d",
                            length, ownLength));
        } else if ((int) crc.getValue() != checksum) {
            fault(
                    entry,
                    offset,
                    String.format(
                            "expected the CRC32 %08x that the entry says, found %08x",
                            checksum, crc.getValue()));
        }
    }

    private void fault(int entry, long offset, String problem) {
        faults.accept(
                BlobFileException.corrupt(
                        file.path(), "in entry %d at position %d, %s", entry, offset, problem));
    }

    private void take(byte[] into) throws IOException {
        for (int done = 0; done < into.length; ) {
            int available = available(into.length - done);
            System.arraycopy(chunk, next, into, done, available);
            next += available;
            done += available;
        }
    }

    private void digest(long length) throws IOException {
        for (long left = length; left > 0; ) {
            int available = available(left);
            crc.update(chunk, next, available);
            next += available;
            left -= available;
        }
    }

    /** How many of the wanted bytes are in the chunk, at least one; reads the next if need be. */
    private int available(long wanted) throws IOException {
        if (next == chunk.length) {
            int length = (int) Math.min(CHUNK_LENGTH, index.dataLength() - chunkEnd);
            if (chunk.length != length) {
                chunk = new byte[length];
            }
            file.read(chunkEnd, chunk, length);
            chunkEnd += length;
            next = 0;
        }
        return (int) Math.min(wanted, chunk.length - next);
    }
}
