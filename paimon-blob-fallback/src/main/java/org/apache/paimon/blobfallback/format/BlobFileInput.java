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
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.fs.VectoredReadable;
import org.apache.paimon.utils.IOUtils;
import org.apache.paimon.utils.UriReader;

/**
 * The bytes of one blob file, by position.
 *
 * <p>Nothing is opened before the first read. Reads from several threads at once are safe: each
 * read under way has a stream of its own. Streams stay open for the next read until {@link
 * #releaseStreams()} or {@link #close()}, on a store no more of them than {@link IdleStoreStreams}
 * has room for.
 */
public final class BlobFileInput implements Closeable {

    /**
     * Bytes of one read by position of a local file: the JDK copies them through a native buffer of
     * this size, which the thread keeps, and which had better stay in the processor's cache.
     */
    private static final int LOCAL_READ_LENGTH = 1 << 17;

    /**
     * Bytes that the host's streams over Hadoop file systems read, two kilobytes at a time, rather
     * than seek over them.
     */
    private static final int READ_OVER_LENGTH = 1 << 20;

    /** Behind every place, so that nothing lies close behind it. */
    static final long NOWHERE = Long.MAX_VALUE;

    private static final Pattern S3_PATHS = Pattern.compile("s3[an]?:");

    private final FileIO fileIO;
    private final Path path;
    private final long fileSize;
    private final boolean s3;

    /** Streams of a local file; the others are in {@link IdleStoreStreams}. */
    private final Deque<SeekableInputStream> idle = new ArrayDeque<>();

    private final BlobReadMetrics metrics;
    private final AtomicLong bytesRead = new AtomicLong();
    private final AtomicBoolean opened = new AtomicBoolean();
    private final AtomicBoolean passed = new AtomicBoolean();

    // Shared by all blobs of the file that are handed out without their bytes.
    private final String uri;
    private final UriReader uriReader;

    private volatile boolean local;
    private volatile long lastEnd = NOWHERE;

    /**
     * @param fileIO opens the file
     * @param path the file
     * @param fileSize its size in bytes, as its metadata has it
     */
    public BlobFileInput(FileIO fileIO, Path path, long fileSize) {
        this(fileIO, path, fileSize, new BlobReadMetrics());
    }

    /**
     * @param fileIO opens the file
     * @param path the file
     * @param fileSize its size in bytes, as its metadata has it
     * @param metrics is told of what is read
     */
    public BlobFileInput(FileIO fileIO, Path path, long fileSize, BlobReadMetrics metrics) {
        this.fileIO = fileIO;
        this.path = path;
        this.fileSize = fileSize;
        this.s3 = S3_PATHS.matcher(path.toString()).lookingAt();
        this.metrics = metrics;
        this.uri = path.toString();
        this.uriReader = UriReader.fromFile(fileIO);
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
     * A blob that lies in the file; nothing is opened before its bytes are asked for.
     *
     * @param offset of its first byte in the file
     * @param length in bytes
     */
    Blob reference(long offset, long length) {
        return Blob.fromDescriptor(uriReader, new BlobDescriptor(uri, offset, length));
    }

    /** Bytes that were read of the file so far. */
    public long bytesRead() {
        return bytesRead.get();
    }

    /**
     * Whether requests cost next to nothing, as on a local disk: its streams can be read by
     * position ({@link VectoredReadable}) and the file system is no object store. False until a
     * stream was opened.
     */
    boolean isLocal() {
        return local;
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
        return read(position, length, new ReusedBytes());
    }

    /**
     * Reads a range of the file.
     *
     * @param position of the first byte in the file
     * @param length in bytes
     * @param reused gives the array, unless the range is too long for it
     * @return the bytes and possibly others behind them
     * @throws IOException if the file ends before, or cannot be read; it names the file
     */
    byte[] read(long position, int length, ReusedBytes reused) throws IOException {
        int end = Math.min(length, ReusedBytes.MOST_KEPT);
        byte[] bytes = reused.atLeast(end);
        SeekableInputStream stream = borrow();
        try {
            int done = 0;
            while (true) {
                fill(stream, position + done, bytes, done, end - done);
                done = end;
                if (done == length) {
                    break;
                }
                end = (int) Math.min(length, 2L * done);
                bytes = Arrays.copyOf(bytes, end);
            }
        } catch (IOException | RuntimeException | Error e) {
            throw failed(stream, position, length, e);
        }
        giveBack(stream, position, position + length);
        return bytes;
    }

    /**
     * Reads a range of the file into an array.
     *
     * @param position of the first byte in the file
     * @param bytes to fill from their start
     * @param length in bytes
     * @throws IOException if the file ends before, or cannot be read; it names the file
     */
    void read(long position, byte[] bytes, int length) throws IOException {
        SeekableInputStream stream = borrow();
        try {
            fill(stream, position, bytes, 0, length);
        } catch (IOException | RuntimeException | Error e) {
            throw failed(stream, position, length, e);
        }
        giveBack(stream, position, position + length);
    }

    /**
     * Reads several pieces of the file that follow each other, as one request.
     *
     * @param position of the first byte of the first piece in the file
     * @param lengths of the pieces in bytes, in the order of the file
     * @return an array for each piece, taken only when its turn comes: so it is still in the
     *     processor's cache
     * @throws IOException if the file ends before, or cannot be read; it names the file
     */
    byte[][] readPieces(long position, int[] lengths) throws IOException {
        byte[][] pieces = new byte[lengths.length][];
        long next = position;
        SeekableInputStream stream = borrow();
        try {
            for (int i = 0; i < pieces.length; i++) {
                pieces[i] = new byte[lengths[i]];
                fill(stream, next, pieces[i], 0, lengths[i]);
                next += lengths[i];
            }
        } catch (IOException | RuntimeException | Error e) {
            throw failed(stream, position, Arrays.stream(lengths).asLongStream().sum(), e);
        }
        giveBack(stream, position, next);
        return pieces;
    }

    /**
     * Where the last read ended, or {@link #NOWHERE}: a stream that is open goes on from there
     * without a new request.
     */
    long lastEnd() {
        return lastEnd;
    }

    /** A stream was closed that could have gone on from the last read. */
    void forgetLastEnd() {
        lastEnd = NOWHERE;
    }

    /** Number of streams of a local file that are open and not in use. */
    int idleStreams() {
        synchronized (idle) {
            return idle.size();
        }
    }

    /**
     * Closes the streams that are not in use; the next read opens one again.
     *
     * @throws IOException if one does not close; the others are closed all the same
     */
    public void releaseStreams() throws IOException {
        List<SeekableInputStream> closing = IdleStoreStreams.takeAll(this);
        lastEnd = NOWHERE;
        synchronized (idle) {
            closing.addAll(idle);
            idle.clear();
        }
        IOException failure = null;
        for (SeekableInputStream stream : closing) {
            try {
                stream.close();
            } catch (IOException | RuntimeException e) {
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
        if (passed.compareAndSet(false, true)) {
            metrics.avoided(Math.max(0, fileSize - bytesRead.get()));
        }
        releaseStreams();
    }

    private SeekableInputStream borrow() throws IOException {
        SeekableInputStream stream = idleStream();
        if (stream == null) {
            try {
                stream = fileIO.newInputStream(path);
                if (opened.compareAndSet(false, true)) {
                    metrics.opened();
                }
                local = stream instanceof VectoredReadable && !fileIO.isObjectStore();
            } catch (IOException | RuntimeException e) {
                throw BlobFileException.unreadable(path, "open", e);
            }
        }
        return stream;
    }

    @Nullable
    private SeekableInputStream idleStream() {
        if (!local) {
            return IdleStoreStreams.take(this);
        }
        synchronized (idle) {
            return idle.poll();
        }
    }

    private void giveBack(SeekableInputStream stream, long position, long end) {
        bytesRead.addAndGet(end - position);
        metrics.requested(end - position);
        lastEnd = end;
        if (!local) {
            IdleStoreStreams.add(this, stream);
            return;
        }
        synchronized (idle) {
            idle.push(stream);
        }
    }

    private void fill(
            SeekableInputStream stream, long position, byte[] bytes, int offset, int length)
            throws IOException {
        if (!local) {
            seek(stream, position);
        }
        int done = 0;
        while (done < length) {
            int read =
                    local
                            ? ((VectoredReadable) stream)
                                    .pread(
                                            position + done,
                                            bytes,
                                            offset + done,
                                            Math.min(LOCAL_READ_LENGTH, length - done))
                            : stream.read(bytes, offset + done, length - done);
            if (read < 0) {
                throw new EOFException(
                        String.format(
                                "The file ends at position %d, expected %d more bytes.",
                                position + done, length - done));
            }
            if (read == 0) {
                // No stream may do this; asking again would not end.
                throw new IOException(
                        String.format(
                                "The stream returned 0 bytes at position %d, expected up to %d.",
                                position + done, length - done));
            }
            done += read;
        }
    }

    private void seek(SeekableInputStream stream, long position) throws IOException {
        long ahead = position - stream.getPos();
        if (s3 && 0 < ahead && ahead <= READ_OVER_LENGTH) {
            // To read over a gap costs S3 bytes, and a request each few of them. A stream that goes
            // beyond the gap and back seeks, and on S3 that costs nothing before it is read.
            stream.seek(stream.getPos() + READ_OVER_LENGTH + 1);
        }
        if (ahead != 0) {
            stream.seek(position);
        }
    }

    /** Closes the stream of a read that has failed; an error is thrown as it is. */
    private IOException failed(
            SeekableInputStream stream, long position, long length, Throwable cause) {
        IOUtils.closeQuietly(stream);
        if (cause instanceof Error) {
            throw (Error) cause;
        }
        return BlobFileException.unreadable(
                path,
                String.format(
                        "read %d bytes at position %d (of %d bytes) of",
                        length, position, fileSize),
                (Exception) cause);
    }
}
