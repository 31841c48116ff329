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

import java.io.IOException;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.apache.paimon.blobfallback.format.EntryFrame;
import org.apache.paimon.blobfallback.format.column.BlobColumnType;
import org.apache.paimon.blobfallback.format.column.LoadedPayload;
import org.apache.paimon.blobfallback.format.column.Payload;
import org.apache.paimon.blobfallback.format.column.StoredPayload;
import org.apache.paimon.blobfallback.format.entry.BlobEntry;
import org.apache.paimon.blobfallback.format.index.BlobIndex;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.format.io.CorruptBlobFileException;

/**
 * Checks every entry of a blob file in one pass from its first byte to its index: magic, length and
 * CRC32. It continues after an entry that is not sound.
 */
public final class BlobFileCheck {

    /** Length of one request in bytes. */
    private static final int CHUNK_LENGTH = 1 << 22;

    private final BlobFileInput file;
    private final BlobIndex index;
    private final BlobColumnType columnType;
    private final Consumer<IOException> faults;

    private final EntryFrame frame;
    private final byte[] header;
    private final byte[] trailer;
    private final CRC32 crc = new CRC32();

    private byte[] chunk = new byte[0];
    private int next;
    private long chunkEnd;

    /**
     * @param file to check; the caller closes it
     * @param index of the file, which has been checked already
     * @param columnType of the file's column
     * @param faults receives a fault for each entry that is not sound, with the file and the place
     */
    public BlobFileCheck(
            BlobFileInput file,
            BlobIndex index,
            BlobColumnType columnType,
            Consumer<IOException> faults) {
        this.file = file;
        this.index = index;
        this.frame = file.frame();
        this.header = new byte[frame.headerLength()];
        this.trailer = new byte[frame.trailerLength()];
        this.columnType = columnType;
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
            if (length >= frame.overhead()) {
                check(entry, cursor.offset(), length);
            }
        }
    }

    private void check(int entry, long offset, long length) throws IOException {
        take(header);
        frame.begin(crc);
        int start = next;
        boolean isWhole = length - header.length <= chunk.length - start;
        digest(length - frame.overhead());
        take(trailer);

        String fault = frame.headerFault(header, 0);
        if (fault == null) {
            fault = frame.trailerFault(trailer, 0, length);
        }
        if (fault == null) {
            fault = frame.checksumFault(crc, trailer, 0);
        }
        if (fault != null) {
            faults.accept(
                    CorruptBlobFileException.corrupt(
                            file.path(), "in entry %s at position %s, %s", entry, offset, fault));
        } else {
            BlobEntry found = new BlobEntry(file, offset, length);
            checkPayload(
                    isWhole ? new LoadedPayload(found, chunk, start) : new StoredPayload(found));
        }
    }

    private void checkPayload(Payload payload) throws IOException {
        try {
            columnType.check(payload, faults);
        } catch (CorruptBlobFileException e) {
            faults.accept(e);
        }
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

    /**
     * Number of the wanted bytes that are in the chunk, at least one. Reads the next chunk if
     * necessary.
     */
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
