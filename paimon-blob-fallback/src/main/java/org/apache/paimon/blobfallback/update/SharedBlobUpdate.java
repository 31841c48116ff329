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

import java.io.IOException;
import java.io.Serializable;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.Snapshot;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.fs.FileStatus;
import org.apache.paimon.fs.Path;
import org.apache.paimon.manifest.BucketEntry;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.source.ScanMode;
import org.apache.paimon.types.DataField;
import org.apache.paimon.utils.FileStorePathFactory;
import org.apache.paimon.utils.Range;

/**
 * One partial update that several workers write and that is committed once, however often workers
 * are lost and started again.
 *
 * <p>It has a name of its own, which its files and its snapshot bear. By the snapshot's, a commit
 * that is tried again knows that it has been there before; by the files', whatever a lost worker
 * left behind is found and deleted.
 */
public final class SharedBlobUpdate implements Serializable {

    private static final long serialVersionUID = 1L;

    private final String name;
    private final FileStoreTable table;
    private final Snapshot snapshot;
    private final List<DataField> columns;

    SharedBlobUpdate(FileStoreTable table, Snapshot snapshot, List<DataField> columns) {
        this.name = "blob-update-" + UUID.randomUUID();
        this.table =
                table.copyWithoutTimeTravel(
                        Collections.singletonMap(CoreOptions.DATA_FILE_PREFIX.key(), name + "-"));
        this.snapshot = snapshot;
        this.columns = columns;
    }

    /**
     * The groups that hold some rows, as ranges of row ids with both ends included, in their order.
     * All rows of a group must go to one update.
     *
     * @param rowIds in ascending order; they are gone through twice
     * @throws IllegalArgumentException if a row does not exist or is deleted
     */
    public List<Range> groupsOf(Iterable<Long> rowIds) {
        return TouchedRows.locate(table, snapshot, rowIds).stream()
                .map(RowGroup::range)
                .collect(Collectors.toList());
    }

    /**
     * Opens a worker's share, whose messages are to be committed by {@link #commit}; the caller
     * closes it.
     */
    public BlobUpdate newUpdate() {
        return new BlobUpdate(table, snapshot, columns, newCommit());
    }

    /**
     * Commits the messages of all workers, unless this update has been committed before, and
     * deletes what lost workers left behind in the groups' folders.
     *
     * @param messages of this update's shares; none is no commit
     * @throws BlobUpdateConflictException as {@link BlobUpdateCommit#commit}
     * @throws IOException if a leftover cannot be listed or deleted; the update is committed then
     */
    public void commit(List<CommitMessage> messages) throws IOException {
        if (landed() == null) {
            newCommit().commit(messages);
        }
        Set<Path> folders = new HashSet<>();
        for (CommitMessage message : messages) {
            folders.addAll(folders(message.partition(), message.bucket()));
        }
        deleteLeftovers(folders);
    }

    /**
     * Deletes all files of this update that are not committed, in the whole table. No worker may be
     * writing any more.
     *
     * @throws IOException if a file cannot be listed or deleted; another call tries again
     */
    public void deleteUncommitted() throws IOException {
        Set<Path> folders = new HashSet<>();
        for (BucketEntry bucket :
                table.newSnapshotReader().withSnapshot(snapshot).bucketEntries()) {
            folders.addAll(folders(bucket.partition(), bucket.bucket()));
        }
        deleteLeftovers(folders);
    }

    private void deleteLeftovers(Collection<Path> folders) throws IOException {
        Set<String> committed = new HashSet<>();
        Snapshot landed = landed();
        if (landed != null) {
            for (ManifestEntry file :
                    table.store()
                            .newScan()
                            .withSnapshot(landed)
                            .withKind(ScanMode.DELTA)
                            .plan()
                            .files()) {
                committed.add(file.file().fileName());
            }
        }
        UncommittedFiles leftovers = new UncommittedFiles(table.fileIO());
        for (Path folder : folders) {
            if (table.fileIO().exists(folder)) {
                for (FileStatus file : table.fileIO().listStatus(folder)) {
                    String fileName = file.getPath().getName();
                    if (fileName.startsWith(name) && !committed.contains(fileName)) {
                        leftovers.add(file.getPath());
                    }
                }
            }
        }
        leftovers.delete();
    }

    /** The snapshot of this update, null if there is none. */
    @Nullable
    private Snapshot landed() {
        Snapshot latest = BlobTable.latestSnapshot(table);
        for (long id = latest.id(); id > snapshot.id(); id--) {
            Snapshot candidate = id == latest.id() ? latest : table.snapshotManager().snapshot(id);
            if (candidate.commitUser().equals(name)) {
                return candidate;
            }
        }
        return null;
    }

    private BlobUpdateCommit newCommit() {
        return new BlobUpdateCommit(table, snapshot, name);
    }

    /** Wherever files of a bucket may lie. */
    private Set<Path> folders(BinaryRow partition, int bucket) {
        FileStorePathFactory paths = table.store().pathFactory();
        Set<Path> folders = new HashSet<>();
        folders.add(paths.bucketPath(partition, bucket));
        if (paths.getExternalPaths() != null) {
            for (Path external : paths.getExternalPaths()) {
                folders.add(new Path(external, paths.relativeBucketPath(partition, bucket)));
            }
        }
        return folders;
    }
}
