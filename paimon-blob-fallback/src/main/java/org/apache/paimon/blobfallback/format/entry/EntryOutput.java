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

import java.io.EOFException;
import java.io.IOException;
import java.util.zip.CRC32;
import org.apache.paimon.blobfallback.format.EntryFrame;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.BlobRef;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.fs.SeekableInputStream;

/**
 * Writes entries and their checksums to a blob file.
 *
 * <pre>
 * entry := magic (4, LE) payload length (8, LE) crc (4, LE)
 * </pre>
 */
public final class EntryOutput {

    private static final int COPY_BUFFER_SIZE = 64 * 1024;

    private static final EntryFrame FRAME = EntryFrame.WRITTEN;

    private final PositionOutputStream out;
    private final CRC32 crc = new CRC32();

    private byte[] buffer;
    // Counted here, since asking a local file for its position is a system call.
    private long position;
    private long start;

    /**
     * @param out of a new file
     */
    public EntryOutput(PositionOutputStream out) {
        this.out = out;
    }

    /** Starts an entry. */
    public void begin() throws IOException {
        start = position;
        FRAME.begin(crc);
        out.write(FRAME.header());
        position += FRAME.headerLength();
    }

    /** Position in the file of the next byte, in bytes. */
    public long position() {
        return position;
    }

    /** Writes a part of the payload. */
    public void write(byte[] bytes) throws IOException {
        write(bytes, bytes.length);
    }

    /**
     * Writes all bytes of a blob as a part of the payload.
     *
     * @return how many bytes that were
     * @throws IOException if the blob cannot be read, ends before the length that it promises, or
     *     has a stream that returns no bytes
     */
    public long copy(Blob blob) throws IOException {
        if (buffer == null) {
            buffer = new byte[COPY_BUFFER_SIZE];
        }
        long copied = 0;
        try (SeekableInputStream in = blob.newInputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (read == 0) {
                    // A stream must not do this, and retrying might never end.
                    throw new IOException(
                            String.format(
                                    "The stream of the blob %s returned 0 bytes at position %s,"
                                            + " expected up to %s.",
                                    blob instanceof BlobRef
                                            ? blob.toDescriptor()
                                            : blob.getClass().getName(),
                                    copied,
                                    buffer.length));
                }
                write(buffer, read);
                copied += read;
            }
        }
        if (blob instanceof BlobRef) {
            checkComplete((BlobRef) blob, copied);
        }
        return copied;
    }

    /**
     * Writes an entry that another file holds.
     *
     * @return its length in bytes, the same as there
     * @throws IOException if the other file cannot be read, or the entry is not sound there, which
     *     includes its checksum
     */
    public long copy(StoredEntry stored) throws IOException {
        begin();
        stored.writePayload(this::write);
        return end();
    }

    /** Ends the entry and returns its length in bytes. */
    public long end() throws IOException {
        long length = position - start + FRAME.trailerLength();
        out.write(FRAME.trailer(length, crc));
        position += FRAME.trailerLength();
        return length;
    }

    private void write(byte[] bytes, int length) throws IOException {
        crc.update(bytes, 0, length);
        out.write(bytes, 0, length);
        position += length;
    }

    /**
     * The host's stream of a range ends silently at the end of the file, even if the range is
     * longer.
     */
    private static void checkComplete(BlobRef blob, long copied) throws IOException {
        long promised = blob.toDescriptor().length();
        if (promised >= 0 && copied != promised) {
            throw new EOFException(
                    String.format(
                            "Blob %s ends early: expected %s bytes, found %s.",
                            blob.toDescriptor(), promised, copied));
        }
    }
}
