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

package org.apache.paimon.blobfallback.format.io;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import org.apache.paimon.blobfallback.format.EntryFrame;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.utils.IOUtils;

/**
 * The bytes of one blob file, by position.
 *
 * <p>Nothing is opened before the first read. It is thread-safe: each concurrent read has its own
 * stream. Streams stay open for the next read until {@link #releaseStreams()} or {@link #close()},
 * unless {@link StreamPool} closes them.
 */
public final class BlobFileInput implements Closeable {

    /** After every position, so that nothing is close after it. */
    public static final long NOWHERE = Long.MAX_VALUE;

    private final StoredFile file;
    private final BlobReferences references;
    private final ReadCounts counts;
    private final int parallelism;

    // Set with the index, before any entry is read.
    private volatile EntryFrame frame = EntryFrame.WRITTEN;
    private volatile Storage storage = Storage.UNKNOWN;
    private volatile long lastEnd = NOWHERE;

    /** Known after a stream was opened. */
    private enum Storage {
        UNKNOWN,
        LOCAL,
        REMOTE
    }

    /**
     * For a read with one request at a time and without metrics.
     *
     * @param fileIO opens the file
     * @param path the file
     * @param fileSize its size in bytes, as its metadata has it
     */
    public BlobFileInput(FileIO fileIO, Path path, long fileSize) {
        this(fileIO, path, fileSize, new BlobReadMetrics(), 1);
    }

    /**
     * @param fileIO opens the file
     * @param path the file
     * @param fileSize its size in bytes, as its metadata has it
     * @param metrics counts what is read
     * @param parallelism maximum number of concurrent requests of the read, see {@link
     *     BlobReadOptions#parallelism()}
     */
    public BlobFileInput(
            FileIO fileIO, Path path, long fileSize, BlobReadMetrics metrics, int parallelism) {
        this.file = new StoredFile(fileIO, path, fileSize);
        this.references = new BlobReferences(fileIO, path);
        this.counts = new ReadCounts(metrics);
        this.parallelism = parallelism;
    }

    /** The file in its storage. */
    public StoredFile file() {
        return file;
    }

    /** The file. */
    public Path path() {
        return file.path();
    }

    /** The file's size in bytes, as its metadata has it. */
    public long fileSize() {
        return file.size();
    }

    /** Blobs of the file that are returned without their bytes. */
    public BlobReferences references() {
        return references;
    }

    /** The frame of the file's entries, by the version in its footer. */
    public EntryFrame frame() {
        return frame;
    }

    /** Called when the footer has been read. */
    public void setFrame(EntryFrame frame) {
        this.frame = frame;
    }

    /** Bytes that were read of the file so far. */
    public long bytesRead() {
        return counts.bytes();
    }

    /** Maximum number of concurrent requests of the read. */
    int parallelism() {
        return parallelism;
    }

    /**
     * Whether requests are cheap, as on a local disk: its streams can be read by position ({@link
     * org.apache.paimon.fs.VectoredReadable}) and the file system is no object store. False until a
     * stream was opened.
     */
    public boolean isLocal() {
        return storage == Storage.LOCAL;
    }

    /** Whether requests are slow, see {@link #isLocal()}. False until a stream was opened. */
    public boolean isRemote() {
        return storage == Storage.REMOTE;
    }

    /**
     * Reads a range of the file.
     *
     * @param position of the first byte in the file
     * @param length in bytes; memory is allocated as bytes arrive, so a length beyond the end of
     *     the file needs no more memory than the size of the file
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
     * @param reused provides the array, unless the range is too long for it
     * @return the bytes, possibly followed by others
     * @throws IOException if the file ends before, or cannot be read; it names the file
     */
    public byte[] read(long position, int length, ReusedBytes reused) throws IOException {
        return request(
                position,
                length,
                stream -> {
                    int end = Math.min(length, ReusedBytes.MAX_KEPT);
                    byte[] bytes = reused.atLeast(end);
                    int done = 0;
                    while (true) {
                        stream.read(position + done, bytes, done, end - done);
                        done = end;
                        if (done == length) {
                            return bytes;
                        }
                        end = (int) Math.min(length, 2L * done);
                        bytes = Arrays.copyOf(bytes, end);
                    }
                });
    }

    /**
     * Reads a range of the file into an array.
     *
     * @param position of the first byte in the file
     * @param bytes to fill from their start
     * @param length in bytes
     * @throws IOException if the file ends before, or cannot be read; it names the file
     */
    public void read(long position, byte[] bytes, int length) throws IOException {
        request(
                position,
                length,
                stream -> {
                    stream.read(position, bytes, 0, length);
                    return bytes;
                });
    }

    /**
     * Reads several pieces of the file that follow each other, as one request.
     *
     * @param position of the first byte of the first piece in the file
     * @param lengths of the pieces in bytes, in the order of the file
     * @return an array for each piece, allocated only when it is filled, so that it is still in the
     *     processor's cache
     * @throws IOException if the file ends before, or cannot be read; it names the file
     */
    public byte[][] readPieces(long position, int[] lengths) throws IOException {
        return request(
                position,
                Arrays.stream(lengths).asLongStream().sum(),
                stream -> {
                    byte[][] pieces = new byte[lengths.length][];
                    long next = position;
                    for (int i = 0; i < pieces.length; i++) {
                        pieces[i] = new byte[lengths[i]];
                        stream.read(next, pieces[i], 0, lengths[i]);
                        next += lengths[i];
                    }
                    return pieces;
                });
    }

    /**
     * Where the last read ended, or {@link #NOWHERE}: an open stream can continue from there
     * without a new request.
     */
    public long lastEnd() {
        return lastEnd;
    }

    /** Called when a stream was closed that could have continued the last read. */
    void forgetLastEnd() {
        lastEnd = NOWHERE;
    }

    /**
     * Closes the idle streams; the next read opens one again.
     *
     * @throws IOException if one cannot be closed; the others are closed nevertheless
     */
    public void releaseStreams() throws IOException {
        forgetLastEnd();
        try {
            IOUtils.closeAll(StreamPool.ofProcess().takeAll(this));
        } catch (Exception e) {
            throw BlobFileException.unreadable(path(), "close", e);
        }
    }

    @Override
    public void close() throws IOException {
        counts.passed(fileSize());
        releaseStreams();
    }

    private <T> T request(long position, long length, Request<T> request) throws IOException {
        FileStream stream = StreamPool.ofProcess().take(this);
        if (stream == null) {
            stream = file.open();
            counts.opened();
            storage = stream.isLocal() ? Storage.LOCAL : Storage.REMOTE;
        }
        T bytes;
        try {
            bytes = request.read(stream);
        } catch (IOException | RuntimeException | Error e) {
            IOUtils.closeQuietly(stream);
            if (e instanceof Error) {
                throw e;
            }
            throw file.failure(
                    String.format(
                            "read %s bytes at position %s (of %s bytes) of",
                            length, position, fileSize()),
                    (Exception) e);
        }
        counts.requested(length);
        lastEnd = position + length;
        StreamPool.ofProcess().add(this, stream);
        return bytes;
    }

    /** Reads a part of the file. */
    private interface Request<T> {

        T read(FileStream stream) throws IOException;
    }
}
