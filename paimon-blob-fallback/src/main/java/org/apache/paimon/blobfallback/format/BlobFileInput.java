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

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.fs.VectoredReadable;
import org.apache.paimon.utils.IOUtils;

/**
 * The bytes of one blob file, by position.
 *
 * <p>Nothing is opened before the first read. Reads from several threads at once are safe: a stream
 * that can be read by position ({@link VectoredReadable}) serves all of them, otherwise each read
 * under way has a stream of its own. Streams stay open for the next read until {@link
 * #releaseStreams()} or {@link #close()}.
 */
public final class BlobFileInput implements Closeable {

    /** Bytes that are allocated or asked for in one go for a length that a file only claims. */
    private static final int CHUNK_LENGTH = 1 << 20;

    private final FileIO fileIO;
    private final Path path;
    private final long fileSize;
    private final Deque<SeekableInputStream> idle = new ArrayDeque<>();

    /**
     * @param fileIO opens the file
     * @param path the file
     * @param fileSize its size in bytes, as its metadata has it
     */
    public BlobFileInput(FileIO fileIO, Path path, long fileSize) {
        this.fileIO = fileIO;
        this.path = path;
        this.fileSize = fileSize;
    }

    /** Opens what {@link #path()} names. */
    public FileIO fileIO() {
        return fileIO;
    }

    /** The file. */
    public Path path() {
        return path;
    }

    /** The file's size in bytes, as its metadata has it. */
    public long fileSize() {
        return fileSize;
    }

    /**
     * Reads a range of the file.
     *
     * @param position of the first byte in the file
     * @param length in bytes; memory is taken as the bytes arrive, so a length that lies beyond the
     *     end of the file costs no more than the file has
     * @throws IOException if the file ends before, or cannot be read; it names the file
     */
    public byte[] read(long position, int length) throws IOException {
        byte[] bytes = new byte[Math.min(length, CHUNK_LENGTH)];
        SeekableInputStream stream = borrow();
        try {
            int done = 0;
            while (true) {
                fill(stream, position + done, bytes, done, bytes.length - done);
                done = bytes.length;
                if (done == length) {
                    break;
                }
                bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * done));
            }
        } catch (IOException | RuntimeException e) {
            IOUtils.closeQuietly(stream);
            throw failed(position, length, e);
        }
        giveBack(stream);
        return bytes;
    }

    /**
     * Reads several pieces of the file that follow each other, as one request.
     *
     * @param position of the first byte of the first piece in the file
     * @param pieces to fill, in the order of the file
     * @throws IOException if the file ends before, or cannot be read; it names the file
     */
    public void read(long position, byte[]... pieces) throws IOException {
        long next = position;
        SeekableInputStream stream = borrow();
        try {
            for (byte[] piece : pieces) {
                fill(stream, next, piece, 0, piece.length);
                next += piece.length;
            }
        } catch (IOException | RuntimeException e) {
            IOUtils.closeQuietly(stream);
            throw failed(position, Arrays.stream(pieces).mapToLong(p -> p.length).sum(), e);
        }
        giveBack(stream);
    }

    /**
     * Closes the streams that are not in use; the next read opens one again.
     *
     * @throws IOException if one does not close; the others are closed all the same
     */
    public void releaseStreams() throws IOException {
        Deque<SeekableInputStream> closing;
        synchronized (idle) {
            closing = new ArrayDeque<>(idle);
            idle.clear();
        }
        IOException failure = null;
        for (SeekableInputStream stream : closing) {
            try {
                stream.close();
            } catch (IOException e) {
                if (failure == null) {
                    failure = BlobFileException.unreadable(path, "close", e);
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void close() throws IOException {
        releaseStreams();
    }

    private SeekableInputStream borrow() throws IOException {
        synchronized (idle) {
            SeekableInputStream stream = idle.peek();
            if (stream instanceof VectoredReadable) {
                return stream;
            }
            if (stream != null) {
                return idle.pop();
            }
            try {
                stream = fileIO.newInputStream(path);
            } catch (IOException | RuntimeException e) {
                throw BlobFileException.unreadable(path, "open", e);
            }
            if (stream instanceof VectoredReadable) {
                idle.push(stream);
            }
            return stream;
        }
    }

    private void giveBack(SeekableInputStream stream) {
        if (!(stream instanceof VectoredReadable)) {
            synchronized (idle) {
                idle.push(stream);
            }
        }
    }

    private static void fill(
            SeekableInputStream stream, long position, byte[] bytes, int offset, int length)
            throws IOException {
        if (stream instanceof VectoredReadable) {
            // The JDK copies such a read through a native buffer of the same size and keeps it.
            VectoredReadable vectored = (VectoredReadable) stream;
            for (int done = 0; done < length; done += CHUNK_LENGTH) {
                vectored.preadFully(
                        position + done,
                        bytes,
                        offset + done,
                        Math.min(CHUNK_LENGTH, length - done));
            }
            return;
        }
        if (stream.getPos() != position) {
            stream.seek(position);
        }
        int done = 0;
        while (done < length) {
            int read = stream.read(bytes, offset + done, length - done);
            if (read < 0) {
                throw new EOFException(
                        String.format(
                                "The file ends at position %d, expected %d more bytes.",
                                position + done, length - done));
            }
            done += read;
        }
    }

    private IOException failed(long position, long length, Exception cause) {
        return BlobFileException.unreadable(
                path,
                String.format(
                        "read %d bytes at position %d (of %d bytes) of",
                        length, position, fileSize),
                cause);
    }
}
