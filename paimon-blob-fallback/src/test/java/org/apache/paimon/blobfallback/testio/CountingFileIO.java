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

package org.apache.paimon.blobfallback.testio;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.FileStatus;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.fs.VectoredReadable;
import org.apache.paimon.fs.local.LocalFileIO;

/**
 * The local file system with a log: it knows which input streams are open and what was read, and
 * lets a test make an operation fail.
 *
 * <p>A copy of it that went through Java serialization reports to the same place, so that a test
 * sees the reads of a task that got a serialized table.
 */
public final class CountingFileIO implements FileIO {

    private static final long serialVersionUID = 1L;

    /** Where copies find the log again. Weak, so that a log ends with the tests that use it. */
    private static final Map<String, WeakReference<StreamLog>> LOGS = new ConcurrentHashMap<>();

    private final String id = UUID.randomUUID().toString();
    private final LocalFileIO local = LocalFileIO.create();
    private final boolean vectored;
    private transient StreamLog log = new StreamLog();

    private CountingFileIO(boolean vectored) {
        this.vectored = vectored;
        LOGS.put(id, new WeakReference<>(log));
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        log = LOGS.get(id).get();
    }

    /** Streams that can be read by position, as those of the local file system are. */
    public static CountingFileIO vectored() {
        return new CountingFileIO(true);
    }

    /** Streams that can only be read on from where they are, as those of an object store are. */
    public static CountingFileIO sequential() {
        return new CountingFileIO(false);
    }

    /**
     * Calls a fault before each operation from now on, with operations counted from one.
     *
     * @param fault may throw, wait, or shorten a read
     */
    public void inject(Fault fault) {
        log.inject(fault);
    }

    /** Lets every operation succeed from now on, and forgets what was read, not what is open. */
    public void reset() {
        log.reset();
    }

    /** Every operation on an input stream since the last reset, in order. */
    public List<StreamOperation> operations() {
        return log.operations();
    }

    /** Names of the files that were opened since the last reset. */
    public Set<String> openedFiles() {
        return log.openedFiles();
    }

    /** Names of the opened files with this ending. */
    public Set<String> openedFiles(String ending) {
        Set<String> files = log.openedFiles();
        files.removeIf(file -> !file.endsWith(ending));
        return files;
    }

    /** Bytes that were read from files with this ending since the last reset. */
    public long bytesRead(String ending) {
        return log.bytesRead(ending);
    }

    /**
     * Number of requests for files with this ending since the last reset: of reads that do not
     * start where the previous one on the same stream ended.
     */
    public int requests(String ending) {
        return log.requests(ending);
    }

    /** The streams that are open, each with the file's path and where it was opened. */
    public List<Throwable> openStreams() {
        return log.openStreams();
    }

    /**
     * Makes sure that every stream was closed.
     *
     * @throws AssertionError otherwise, with the places where the open ones were opened
     */
    public void assertNothingOpen() {
        List<Throwable> open = openStreams();
        if (!open.isEmpty()) {
            AssertionError error = new AssertionError(open.size() + " streams are still open");
            open.forEach(error::addSuppressed);
            throw error;
        }
    }

    @Override
    public SeekableInputStream newInputStream(Path path) throws IOException {
        log.before(StreamOperation.Kind.OPEN, path, 0, 0, 0);
        SeekableInputStream stream = local.newInputStream(path);
        if (path.getParent().getName().equals("manifest")) {
            // The host reads manifests byte by byte.
            return new ReadAheadStream(new WatchedStream(log, path, stream));
        }
        return vectored
                ? new VectoredWatchedStream(log, path, stream, (VectoredReadable) stream)
                : new WatchedStream(log, path, stream);
    }

    @Override
    public boolean isObjectStore() {
        return local.isObjectStore();
    }

    @Override
    public void configure(CatalogContext context) {
        local.configure(context);
    }

    @Override
    public PositionOutputStream newOutputStream(Path path, boolean overwrite) throws IOException {
        return local.newOutputStream(path, overwrite);
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        return local.getFileStatus(path);
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        return local.listStatus(path);
    }

    @Override
    public boolean exists(Path path) throws IOException {
        return local.exists(path);
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        return local.delete(path, recursive);
    }

    @Override
    public boolean mkdirs(Path path) throws IOException {
        return local.mkdirs(path);
    }

    @Override
    public boolean rename(Path source, Path target) throws IOException {
        return local.rename(source, target);
    }

    /** The host's default needs a library that it does not include. */
    @Override
    public void copyFile(Path source, Path target, boolean overwrite) throws IOException {
        local.copyFile(source, target, overwrite);
    }
}
