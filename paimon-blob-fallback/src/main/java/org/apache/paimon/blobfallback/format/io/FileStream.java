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
import java.io.EOFException;
import java.io.IOException;
import java.util.regex.Pattern;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.fs.VectoredReadable;

/** An open stream of a file, read by position. Not thread-safe. */
abstract class FileStream implements Closeable {

    private final SeekableInputStream stream;

    private FileStream(SeekableInputStream stream) {
        this.stream = stream;
    }

    /**
     * Opens a file.
     *
     * @throws IOException as the storage throws it
     */
    static FileStream open(FileIO fileIO, Path path) throws IOException {
        SeekableInputStream stream = fileIO.newInputStream(path);
        return stream instanceof VectoredReadable && !fileIO.isObjectStore()
                ? new Local(stream)
                : new Remote(stream, Remote.S3_PATHS.matcher(path.toString()).lookingAt());
    }

    /** Whether requests are cheap, see {@link BlobFileInput#isLocal()}. */
    abstract boolean isLocal();

    /**
     * Reads some bytes.
     *
     * @param position of the first byte in the file
     * @return number of bytes; -1 at the end of the file
     */
    abstract int readSome(long position, byte[] bytes, int offset, int length) throws IOException;

    /**
     * Reads a range of the file.
     *
     * @param position of the first byte in the file
     * @param offset in the array
     * @param length in bytes
     * @throws IOException if the file ends before, or cannot be read
     */
    final void read(long position, byte[] bytes, int offset, int length) throws IOException {
        int done = 0;
        while (done < length) {
            int read = readSome(position + done, bytes, offset + done, length - done);
            if (read < 0) {
                throw new EOFException(
                        String.format(
                                "The stream ended at position %s, expected %s more bytes.",
                                position + done, length - done));
            }
            if (read == 0) {
                // A stream must not do this, and retrying might never end.
                throw new IOException(
                        String.format(
                                "The stream returned 0 bytes at position %s, expected up to %s.",
                                position + done, length - done));
            }
            done += read;
        }
    }

    @Override
    public final void close() throws IOException {
        stream.close();
    }

    /** A stream that can be read at any position without seeking. */
    private static final class Local extends FileStream {

        /**
         * Bytes of one read: the JDK copies them through a native buffer of this size, which the
         * thread keeps and which should stay in the processor's cache.
         */
        private static final int MAX_READ_LENGTH = 1 << 17;

        private final VectoredReadable stream;

        private Local(SeekableInputStream stream) {
            super(stream);
            this.stream = (VectoredReadable) stream;
        }

        @Override
        boolean isLocal() {
            return true;
        }

        @Override
        int readSome(long position, byte[] bytes, int offset, int length) throws IOException {
            return stream.pread(position, bytes, offset, Math.min(MAX_READ_LENGTH, length));
        }
    }

    /** A stream that is read from its current position. */
    private static final class Remote extends FileStream {

        private static final Pattern S3_PATHS = Pattern.compile("s3[an]?:");

        /**
         * Maximum gap that the host's streams over Hadoop file systems read, two kilobytes at a
         * time, instead of seeking over it.
         */
        private static final int READ_OVER_LENGTH = 1 << 20;

        private final SeekableInputStream stream;
        private final boolean s3;

        private Remote(SeekableInputStream stream, boolean s3) {
            super(stream);
            this.stream = stream;
            this.s3 = s3;
        }

        @Override
        boolean isLocal() {
            return false;
        }

        @Override
        int readSome(long position, byte[] bytes, int offset, int length) throws IOException {
            long ahead = position - stream.getPos();
            if (s3 && 0 < ahead && ahead <= READ_OVER_LENGTH) {
                // On S3, reading over a gap transfers its bytes in many small requests. If the
                // stream
                // goes beyond the gap and back, it seeks, which is free on S3 until it is
                // read.
                stream.seek(stream.getPos() + READ_OVER_LENGTH + 1);
            }
            if (ahead != 0) {
                stream.seek(position);
            }
            return stream.read(bytes, offset, length);
        }
    }
}
