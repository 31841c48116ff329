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

import java.io.FileNotFoundException;
import java.io.Serializable;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.annotation.Public;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.write.BlobTable;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.types.DataField;
import org.apache.paimon.utils.Range;

/**
 * Opens partial updates of a table's blob columns, and commits them.
 *
 * <p>A builder is bound to one snapshot: row ids are those of that snapshot, and a commit fails if
 * the groups that it touches have been rewritten since. It can be serialized to workers; each makes
 * its own update, and one process commits the messages of all.
 */
@Public
public final class BlobUpdateBuilder implements Serializable {

    private static final long serialVersionUID = 1L;

    private final FileStoreTable table;
    private PlannedSnapshot planned;
    private List<DataField> columns;

    /**
     * A builder for all blob columns of a table, on its newest snapshot.
     *
     * @param table a data-evolution table
     * @throws IllegalArgumentException if blobs of the table cannot be updated in part, or it has
     *     no snapshot; the message says what to do
     */
    public BlobUpdateBuilder(Table table) {
        this.table = BlobTable.check(table);
        this.columns = BlobTable.columns(this.table);
        this.planned = new PlannedSnapshot(this.table, BlobTable.latestSnapshot(this.table));
    }

    /**
     * Chooses the columns that updates of this builder may set.
     *
     * @param names of at least one column that is kept in blob files
     * @throws IllegalArgumentException if one is not such a column; the message says what to do
     */
    public BlobUpdateBuilder withColumns(String... names) {
        columns = BlobTable.columns(table, "An update", BlobTable.UPDATE_OTHERWISE, names);
        return this;
    }

    /**
     * Chooses the snapshot that the row ids were taken from, if that is not the newest one.
     *
     * @param snapshotId a snapshot that the table still has
     * @throws IllegalArgumentException if the table does not have it
     */
    public BlobUpdateBuilder withSnapshot(long snapshotId) {
        try {
            planned =
                    new PlannedSnapshot(table, table.snapshotManager().tryGetSnapshot(snapshotId));
        } catch (FileNotFoundException e) {
            throw new IllegalArgumentException(
                    String.format("Table %s has no snapshot %s.", table.fullName(), snapshotId), e);
        }
        return this;
    }

    /** Id of the snapshot that this builder is bound to. */
    public long snapshotId() {
        return planned.snapshot().id();
    }

    /**
     * The table at the snapshot that this builder is bound to, with the fallback on and with the
     * schema of the table that the builder was created for, regardless of the point in time at
     * which that table was opened. Row ids for updates of this builder are those of this table.
     */
    public FileStoreTable snapshotTable() {
        return RowFinder.tableAt(table, planned.snapshot());
    }

    /**
     * The groups that hold some rows, as ranges of row ids with both ends included, in ascending
     * order.
     *
     * <p>One commit accepts at most one update for each group and column, so all rows of one range
     * must go to the same worker.
     *
     * @param rowIds in any order
     * @throws IllegalArgumentException if a row does not exist or is deleted, or a row id is null
     * @throws BlobUpdateConflictException if the snapshot has expired or been rolled back
     */
    public List<Range> groupsOf(Iterable<Long> rowIds) {
        TreeSet<Long> sorted = new TreeSet<>();
        for (Long rowId : rowIds) {
            checkArgument(
                    rowId != null,
                    "Expected row ids of table %s, found null among them.",
                    table.fullName());
            sorted.add(rowId);
        }
        return planned.read(
                () ->
                        TouchedRows.locate(table, planned.snapshot(), sorted).stream()
                                .map(Group::range)
                                .collect(Collectors.toList()));
    }

    /** Opens an update; the caller closes it. */
    public BlobUpdate newUpdate() {
        return new BlobUpdate(table, planned, columns, newCommit());
    }

    /** Opens an update that several workers write and that is committed once. */
    public SharedBlobUpdate newSharedUpdate() {
        return new SharedBlobUpdate(table, planned.snapshot(), columns);
    }

    /** Opens a commit for messages of this builder's updates. */
    public BlobUpdateCommit newCommit() {
        // Each commit has its own user, which identifies its snapshot.
        String user = CoreOptions.createCommitUser(Options.fromMap(table.options()));
        return new BlobUpdateCommit(table, planned, user);
    }
}
