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

package org.apache.paimon.blobfallback.update;

import static org.apache.paimon.utils.Preconditions.checkArgument;
import static org.apache.paimon.utils.Preconditions.checkState;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import javax.annotation.Nullable;
import org.apache.paimon.annotation.Public;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.write.UncommittedFiles;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalMap;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.types.DataField;

/**
 * One partial update of blob columns: new values for some rows; everything else stays unchanged.
 *
 * <p>Set values in any order, then {@link #commit()}; or {@link #prepareCommit()} and let a {@link
 * BlobUpdateCommit} commit the messages of many updates at once. Nothing is written before one of
 * these calls. {@link #close()} deletes what was written and neither committed nor handed over.
 *
 * <p>It keeps the values until they are written: bytes in memory, but only the location of a file
 * or a descriptor. Not thread-safe.
 */
@Public
public final class BlobUpdate implements AutoCloseable {

    private final FileStoreTable table;
    private final PlannedSnapshot planned;
    private final Map<String, UpdateColumn> columns = new LinkedHashMap<>();
    private final BlobUpdateCommit commit;
    private final UncommittedFiles uncommitted;

    private boolean over;

    BlobUpdate(
            FileStoreTable table,
            PlannedSnapshot planned,
            List<DataField> columns,
            BlobUpdateCommit commit) {
        this.table = table;
        this.planned = planned;
        this.commit = commit;
        this.uncommitted = new UncommittedFiles(table.fileIO(), commit.trail());
        for (DataField column : columns) {
            this.columns.put(column.name(), new UpdateColumn(table.fullName(), column));
        }
    }

    /**
     * Sets the blob of a row. It replaces a value that was set for the row before.
     *
     * @param rowId the row's {@code _ROW_ID}
     * @param column a BLOB column of this update
     * @param value the blob, which is read when the update is written, or null
     * @throws IllegalArgumentException if the column is not one of this update, or not a BLOB
     */
    public BlobUpdate set(long rowId, String column, @Nullable Blob value) {
        column(column).set(rowId, value);
        return this;
    }

    /**
     * Sets the array of blobs of a row. It replaces a value that was set for the row before.
     *
     * @param rowId the row's {@code _ROW_ID}
     * @param column an ARRAY&lt;BLOB&gt; column of this update
     * @param value the array, or null
     * @throws IllegalArgumentException if the column is not one of this update, or not an array
     */
    public BlobUpdate set(long rowId, String column, @Nullable InternalArray value) {
        column(column).set(rowId, value);
        return this;
    }

    /**
     * Sets the map to blobs of a row. It replaces a value that was set for the row before.
     *
     * @param rowId the row's {@code _ROW_ID}
     * @param column a MAP&lt;K, BLOB&gt; column of this update
     * @param value the map, or null
     * @throws IllegalArgumentException if the column is not one of this update, or not a map
     */
    public BlobUpdate set(long rowId, String column, @Nullable InternalMap value) {
        column(column).set(rowId, value);
        return this;
    }

    /**
     * Sets the bytes of a row. It replaces a value that was set for the row before.
     *
     * @param rowId the row's {@code _ROW_ID}
     * @param column a BLOB column of this update
     * @param value the bytes, which the update keeps and does not copy
     * @throws IllegalArgumentException if the column is not one of this update, or not a BLOB, or
     *     the value is null, for which there is {@link #setNull}
     */
    public BlobUpdate set(long rowId, String column, byte[] value) {
        checkArgument(
                value != null,
                "Expected bytes for row id %s of column %s of table %s, found null: use setNull.",
                rowId,
                column,
                table.fullName());
        return set(rowId, column, Blob.fromData(value));
    }

    /**
     * Sets a row to null, which hides the values of older layers.
     *
     * @param rowId the row's {@code _ROW_ID}
     * @param column a column of this update
     * @throws IllegalArgumentException if the column is not one of this update
     */
    public BlobUpdate setNull(long rowId, String column) {
        column(column).set(rowId, null);
        return this;
    }

    /**
     * Sets the same blob for every row that a predicate selects in the update's snapshot.
     *
     * @param predicate on normal columns, built on the table's row type
     * @param column a BLOB column of this update
     * @param value the blob, or null
     * @return number of rows that the predicate selects
     * @throws IllegalArgumentException if the predicate is null or on a column in blob files, or
     *     the column is not one of this update, or not a BLOB
     * @throws BlobUpdateConflictException if the update's snapshot has expired or been rolled back
     * @throws IOException if the table cannot be read
     */
    public long setWhere(Predicate predicate, String column, @Nullable Blob value)
            throws IOException {
        UpdateColumn target = column(column);
        checkArgument(
                predicate != null,
                "Expected a predicate on table %s, found null: PredicateBuilder.alwaysTrue() selects"
                        + " every row.",
                table.fullName());
        NavigableSet<Long> rowIds =
                planned.read(() -> RowFinder.find(table, planned.snapshot(), predicate));
        // The rows were read by the number of the snapshot.
        planned.check();
        rowIds.forEach(rowId -> target.set(rowId, value));
        return rowIds.size();
    }

    /**
     * Writes the update and hands the new files over to the caller, who must commit or abort them
     * with a {@link BlobUpdateCommit} of the same builder. If it fails, no file is left.
     *
     * @return one message for each group that the update touches
     * @throws IllegalArgumentException if a row does not exist or is deleted; nothing has been
     *     written then
     * @throws BlobUpdateConflictException if the update's snapshot has expired or been rolled back
     * @throws IOException if a value cannot be read or a file cannot be written
     * @throws IllegalStateException if the update has been written before
     */
    public List<CommitMessage> prepareCommit() throws IOException {
        List<CommitMessage> messages = write();
        uncommitted.handOver();
        return messages;
    }

    /**
     * Writes and commits the update. If it fails, the table is unchanged and no file is left, with
     * two exceptions. If the host fails after the commit, for example when it expires snapshots,
     * the update is committed nevertheless. If the storage cannot be reached, the outcome may be
     * unknown; {@link #close()} then checks again, and deletes the files if they are not committed.
     *
     * @throws IllegalArgumentException if a row does not exist or is deleted; nothing has been
     *     written then
     * @throws BlobUpdateConflictException if a group that the update touches has been rewritten or
     *     dropped since the update's snapshot, or that has expired or been rolled back
     * @throws IOException if a value cannot be read or a file cannot be written
     * @throws IllegalStateException if the update has been written before
     */
    public void commit() throws IOException {
        List<CommitMessage> messages = write();
        try {
            commit.commit(messages);
        } catch (RuntimeException | Error e) {
            abort(e);
            throw e;
        }
        uncommitted.handOver();
    }

    /**
     * Deletes what was written and neither committed nor handed over.
     *
     * @throws IOException if a file cannot be deleted, or it is unknown whether the files are
     *     committed; another call tries again
     */
    @Override
    public void close() throws IOException {
        over = true;
        uncommitted.delete();
    }

    private List<CommitMessage> write() throws IOException {
        checkOpen();
        over = true;
        TreeSet<Long> rowIds = new TreeSet<>();
        columns.values().forEach(column -> rowIds.addAll(column.rowIds()));
        List<CommitMessage> messages = new ArrayList<>();
        try {
            UpdateWriter writer = new UpdateWriter(table, uncommitted);
            for (Group<ManifestEntry> group :
                    planned.read(() -> TouchedRows.locate(table, planned.snapshot(), rowIds))) {
                messages.add(writer.write(group, columns.values()));
            }
        } catch (IOException | RuntimeException | Error e) {
            abort(e);
            throw e;
        }
        return messages;
    }

    private UpdateColumn column(String name) {
        checkOpen();
        UpdateColumn column = columns.get(name);
        if (column == null) {
            throw new IllegalArgumentException(
                    String.format(
                            "Column %s is not one of this update of table %s, which has %s.",
                            name, table.fullName(), columns.keySet()));
        }
        return column;
    }

    private void checkOpen() {
        checkState(
                !over,
                "This update of table %s has been written or closed before: open a new one.",
                table.fullName());
    }

    private void abort(Throwable failure) {
        try {
            uncommitted.delete();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }
}
