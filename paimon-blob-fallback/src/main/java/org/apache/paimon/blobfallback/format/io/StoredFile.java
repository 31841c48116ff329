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

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.utils.ExceptionUtils;

/** A file: its size in the metadata, and its storage. */
public final class StoredFile {

    private final FileIO fileIO;
    private final Path path;
    private final long size;

    /**
     * @param size in bytes, according to the metadata
     */
    StoredFile(FileIO fileIO, Path path, long size) {
        this.fileIO = fileIO;
        this.path = path;
        this.size = size;
    }

    Path path() {
        return path;
    }

    /** The size in bytes, according to the metadata. */
    long size() {
        return size;
    }

    /**
     * Opens the file.
     *
     * @throws BlobFileException if the storage does not return it
     */
    FileStream open() throws BlobFileException {
        try {
            return FileStream.open(fileIO, path);
        } catch (IOException | RuntimeException e) {
            throw failure("open", e);
        }
    }

    /**
     * Whether the storage has the file.
     *
     * @throws IOException if the storage fails
     */
    public boolean exists() throws IOException {
        return fileIO.exists(path);
    }

    /**
     * Compares the size in the metadata with the size in the storage.
     *
     * @throws CorruptBlobFileException if they differ
     * @throws BlobFileException if the storage fails
     */
    public void checkSize() throws BlobFileException {
        long found;
        try {
            found = fileIO.getFileSize(path);
        } catch (IOException | RuntimeException e) {
            throw BlobFileException.unreadable(path, "ask for the size of", e);
        }
        if (found != size) {
            throw CorruptBlobFileException.size(path, size, found, null);
        }
    }

    /**
     * The meaning of a failure: the storage has failed, unless the file does not have the requested
     * bytes. Storages report that in different ways, but all of them know the size.
     *
     * @param attempt what failed, as in "Failed to read blob file"
     */
    BlobFileException failure(String attempt, Exception cause) {
        BlobFileException failure = BlobFileException.unreadable(path, attempt, cause);
        if (Thread.currentThread().isInterrupted() || isInterruption(cause)) {
            return failure;
        }
        try {
            long found = fileIO.getFileSize(path);
            if (found < size) {
                return CorruptBlobFileException.size(path, size, found, failure);
            }
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }

    /** An interruption or a timeout, after which another request would only wait again. */
    private static boolean isInterruption(Throwable failure) {
        return ExceptionUtils.findThrowable(failure, InterruptedIOException.class).isPresent()
                || ExceptionUtils.findThrowable(failure, ClosedByInterruptException.class)
                        .isPresent();
    }
}
