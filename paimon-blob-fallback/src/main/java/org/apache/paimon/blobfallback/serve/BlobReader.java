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

package org.apache.paimon.blobfallback.serve;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.paimon.Snapshot;
import org.apache.paimon.annotation.Public;
import org.apache.paimon.blobfallback.format.column.BlobColumnType;
import org.apache.paimon.blobfallback.format.column.BlobForm;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.format.io.BlobReadOptions;
import org.apache.paimon.blobfallback.format.io.ReadThreads;
import org.apache.paimon.blobfallback.layers.FileColumns;
import org.apache.paimon.blobfallback.read.blobs.FileFaults;
import org.apache.paimon.blobfallback.read.blobs.RowLookup;
import org.apache.paimon.blobfallback.write.BlobTable;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.snapshot.TimeTravelUtil;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataTypeRoot;
import org.apache.paimon.utils.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the blobs of given row ids, for a service or a data loader that does so repeatedly. It
 * plans a snapshot once, and keeps files open and the most used indexes in memory, up to {@code
 * blob-fallback.reader.index-cache.max-memory} bytes of them for all callers together.
 *
 * <p>A row's blob is its winner, as in every read of the plugin, regardless of {@code
 * blob-fallback.enabled}. The reader shows one snapshot until it is refreshed. After that snapshot
 * has expired, its files may have been deleted and calls fail.
 *
 * <p>Thread-safe. The requests of a call to an object store are concurrent: up to {@code
 * blob-fallback.read.parallelism} for the reader plus one for each caller.
 */
@Public
public final class BlobReader implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(BlobReader.class);

    /** The snapshot of a table that has none. */
    public static final long NO_SNAPSHOT = -1;

    private final FileStoreTable table;
    private final List<DataField> columns;
    private final List<BlobColumnType> columnTypes;
    private final FileColumns fileColumns;
    private final BlobReadOptions options;
    private final ReadThreads threads;
    private final IndexCache indexes;
    private final RowLookup lookup;

    /** One plan at a time. */
    private final Object refreshing = new Object();

    private ServedSnapshot current;
    private int calls;
    private boolean closed;

    /** Whether {@link #close()} no longer waits for the calls to end. */
    private boolean abandoned;

    /**
     * @param table at the point in time that its options name
     * @param columns of it that are in blob files
     * @param options how to read entries
     * @throws IOException if files of a layer overlap; it names both
     */
    BlobReader(FileStoreTable table, List<DataField> columns, BlobReadOptions options)
            throws IOException {
        this.table = table;
        this.columns = columns;
        this.columnTypes =
                columns.stream()
                        .map(column -> BlobColumnType.of(table.fullName(), column))
                        .collect(Collectors.toList());
        this.fileColumns = new FileColumns(table.fullName(), table.schemaManager(), table.schema());
        this.options = options.forSingleRows();
        this.threads = new ReadThreads(options.parallelism());
        this.indexes = new IndexCache(options.indexCacheBytes());
        this.lookup =
                new RowLookup(this.options, threads, indexes, new FileFaults(table.coreOptions()));
        this.current = plan(TimeTravelUtil.tryTravelOrLatest(table), null);
    }

    private ServedSnapshot plan(@Nullable Snapshot snapshot, @Nullable ServedSnapshot before)
            throws IOException {
        return new ServedSnapshot(
                table,
                snapshot,
                columns,
                fileColumns,
                before,
                lookup.metrics(),
                options.parallelism());
    }

    /** The snapshot that is read, or {@link #NO_SNAPSHOT}. */
    public synchronized long snapshotId() {
        return current.snapshot() == null ? NO_SNAPSHOT : current.snapshot().id();
    }

    /**
     * The rows with all bytes of their blobs. Blobs of one file that are close together are read
     * with one request.
     *
     * @param rowIds in any order; duplicates are allowed
     * @return a row for each row id, in their order
     * @throws IllegalArgumentException if there are no row ids
     * @throws IllegalStateException if the reader is closed
     * @throws IOException if a file cannot be read or is corrupt, and may not be ignored; it names
     *     the file
     * @throws UnsupportedOperationException if a column is in normal files there
     */
    public List<BlobRow> read(long... rowIds) throws IOException {
        return read(rowIds, BlobForm.BYTES);
    }

    /**
     * The rows with the locations of their blobs: a blob has a descriptor, and streams its bytes
     * from its file on request, even after the reader is closed. This call reads no blob.
     *
     * @throws IllegalArgumentException as {@link #read}
     * @throws IllegalStateException as {@link #read}
     * @throws IOException as {@link #read}
     * @throws UnsupportedOperationException as {@link #read}
     */
    public List<BlobRow> describe(long... rowIds) throws IOException {
        return read(rowIds, BlobForm.DESCRIPTORS);
    }

    /**
     * The rows with a part of each of their blobs; no other bytes are read. For a blob that ends
     * earlier, the part is shorter and may be empty. The bytes are not checked.
     *
     * @param offset of the part in the blob, in bytes
     * @param length of the part in bytes
     * @throws IllegalArgumentException also if the offset or the length is negative
     * @throws UnsupportedOperationException also if a column that is read is not of type BLOB
     * @throws IllegalStateException as {@link #read}
     * @throws IOException as {@link #read}
     */
    public List<BlobRow> readPart(long offset, int length, long... rowIds) throws IOException {
        if (offset < 0 || length < 0) {
            throw new IllegalArgumentException(
                    String.format(
                            "A part of a blob of table %s: expected an offset and a length of 0 or"
                                    + " more, found %s and %s.",
                            table.fullName(), offset, length));
        }
        for (DataField column : columns) {
            if (!column.type().is(DataTypeRoot.BLOB)) {
                throw new UnsupportedOperationException(
                        String.format(
                                "Column %s of table %s is a %s: expected a BLOB to read parts of."
                                        + " Leave it out in withColumns, or take its blobs from"
                                        + " describe.",
                                column.name(), table.fullName(), column.type()));
            }
        }
        return read(rowIds, BlobForm.part(offset, length));
    }

    /**
     * Plans again, by the options of the table: usually its newest snapshot. Files that still exist
     * stay open, and their indexes are kept. Running calls continue with the plan that they started
     * with.
     *
     * @return whether another snapshot is read now
     * @throws IllegalStateException if the reader is closed
     * @throws IOException if files of a layer overlap; it names both. The reader then keeps its
     *     snapshot.
     */
    public boolean refresh() throws IOException {
        synchronized (refreshing) {
            ServedSnapshot before = enter();
            try {
                Snapshot snapshot = TimeTravelUtil.tryTravelOrLatest(table);
                if (isSame(before.snapshot(), snapshot)) {
                    return false;
                }
                ServedSnapshot after = plan(snapshot, before);
                synchronized (this) {
                    current = after;
                }
                return true;
            } finally {
                leave(before);
            }
        }
    }

    private static boolean isSame(@Nullable Snapshot one, @Nullable Snapshot other) {
        return one == null || other == null ? one == other : BlobTable.isSame(one, other);
    }

    /**
     * Waits for running calls and closes all files. Further calls fail.
     *
     * @throws IOException if a file cannot be closed, or the calling thread is interrupted while it
     *     waits; the last running call then closes the files
     */
    @Override
    public void close() throws IOException {
        synchronized (this) {
            closed = true;
            try {
                while (calls > 0) {
                    wait();
                }
            } catch (InterruptedException e) {
                abandoned = true;
                Thread.currentThread().interrupt();
                InterruptedIOException interrupted =
                        new InterruptedIOException(
                                String.format(
                                        "Interrupted while calls of the reader of table %s were running.",
                                        table.fullName()));
                interrupted.initCause(e);
                throw interrupted;
            }
        }
        closeAll();
    }

    private void closeAll() throws IOException {
        threads.close();
        release(current.filesBeside(null));
    }

    private List<BlobRow> read(long[] rowIds, BlobForm form) throws IOException {
        if (rowIds == null || rowIds.length == 0) {
            throw new IllegalArgumentException(
                    String.format(
                            "A read of single rows of table %s needs a row id, found none.",
                            table.fullName()));
        }
        ServedSnapshot snapshot = enter();
        try {
            RowRequest request =
                    new RowRequest(table.fullName(), columns, columnTypes, snapshot, rowIds);
            List<ReadThreads.Task> tasks = request.tasks(lookup, form);
            int alone = 0;
            // A local disk has no latency to hide; the first request shows whether it is one.
            while (alone < tasks.size() && !lookup.isRemote()) {
                tasks.get(alone++).run();
            }
            threads.runAll(tasks.subList(alone, tasks.size()));
            return request.rows(rowIds);
        } finally {
            leave(snapshot);
        }
    }

    private synchronized ServedSnapshot enter() {
        if (closed) {
            throw new IllegalStateException(
                    String.format("The reader of table %s is closed.", table.fullName()));
        }
        calls++;
        current.enter();
        return current;
    }

    private void leave(ServedSnapshot snapshot) {
        List<BlobFileInput> gone = Collections.emptyList();
        synchronized (this) {
            snapshot.leave();
            if (snapshot != current && !snapshot.isInUse()) {
                gone = snapshot.filesBeside(current);
            }
        }
        boolean last;
        try {
            gone.forEach(indexes::forget);
            release(gone);
        } catch (IOException e) {
            // Not a failure of the call, which has its rows.
            LOG.warn("Failed to close files of an older snapshot of {}.", table.fullName(), e);
        } finally {
            synchronized (this) {
                calls--;
                last = abandoned && calls == 0;
                notifyAll();
            }
        }
        if (last) {
            try {
                closeAll();
            } catch (IOException e) {
                LOG.warn("Failed to close the files of {}.", table.fullName(), e);
            }
        }
    }

    private static void release(List<BlobFileInput> files) throws IOException {
        try {
            IOUtils.closeAll(
                    files.stream()
                            .<AutoCloseable>map(file -> file::releaseStreams)
                            .collect(Collectors.toList()));
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("Cannot close blob files", e);
        }
    }

    /** Bytes of the indexes that are kept. */
    long indexBytes() {
        return indexes.bytes();
    }
}
