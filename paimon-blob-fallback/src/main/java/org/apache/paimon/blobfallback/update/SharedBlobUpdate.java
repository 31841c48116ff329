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
import org.apache.paimon.annotation.Public;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.write.BlobTable;
import org.apache.paimon.blobfallback.write.CommitTrail;
import org.apache.paimon.blobfallback.write.UncommittedFiles;
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
 * One partial update that several workers write and that is committed once, even if workers are
 * lost and restarted.
 *
 * <p>It has a unique name, which is part of its file names and is the commit user of its snapshot.
 * By the snapshot a repeated commit detects that it has been committed; by the file names, files
 * left by a lost worker are found and deleted.
 */
@Public
public final class SharedBlobUpdate implements Serializable {

    private static final long serialVersionUID = 1L;

    private final String name;
    private final FileStoreTable table;
    private final PlannedSnapshot planned;
    private final List<DataField> columns;

    SharedBlobUpdate(FileStoreTable table, Snapshot snapshot, List<DataField> columns) {
        this.name = "blob-update-" + UUID.randomUUID();
        this.table =
                table.copyWithoutTimeTravel(
                        Collections.singletonMap(CoreOptions.DATA_FILE_PREFIX.key(), name + "-"));
        this.planned = new PlannedSnapshot(this.table, snapshot);
        this.columns = columns;
    }

    /**
     * The groups that hold some rows, as ranges of row ids with both ends included, in ascending
     * order. All rows of a group must go to one update.
     *
     * @param rowIds in ascending order; they are iterated twice
     * @throws IllegalArgumentException if a row does not exist or is deleted
     * @throws BlobUpdateConflictException if the update's snapshot has expired or been rolled back
     */
    public List<Range> groupsOf(Iterable<Long> rowIds) {
        return planned.read(
                () ->
                        TouchedRows.locate(table, planned.snapshot(), rowIds).stream()
                                .map(Group::range)
                                .collect(Collectors.toList()));
    }

    /**
     * Opens a worker's share, whose messages must be committed with {@link #commit}; the caller
     * closes it.
     */
    public BlobUpdate newUpdate() {
        return new BlobUpdate(table, planned, columns, newCommit());
    }

    /**
     * Commits the messages of all workers, unless this update has been committed before, and
     * deletes what lost workers left behind in the groups' folders.
     *
     * @param messages of this update's shares; without messages there is no commit
     * @throws BlobUpdateConflictException as {@link BlobUpdateCommit#commit}
     * @throws IOException if a leftover cannot be listed or deleted; the update is committed then
     */
    public void commit(List<CommitMessage> messages) throws IOException {
        try {
            if (landed() == null) {
                newCommit().commit(messages);
            }
        } catch (IllegalStateException e) {
            // If its snapshot may have expired, its files answer this.
            if (newCommit().isLive(messages)) {
                return;
            }
            throw planned.isThere() ? e : planned.conflict(e);
        }
        Set<Path> folders = new HashSet<>();
        for (CommitMessage message : messages) {
            folders.addAll(folders(message.partition(), message.bucket()));
        }
        deleteLeftovers(folders);
    }

    /**
     * Deletes all files of this update that are not committed, in the whole table. All workers must
     * have ended.
     *
     * @throws IOException if a file cannot be listed or deleted; another call tries again
     */
    public void deleteUncommitted() throws IOException {
        Snapshot existing =
                planned.isThere() ? planned.snapshot() : BlobTable.latestSnapshot(table);
        Set<Path> folders = new HashSet<>();
        for (BucketEntry bucket :
                table.newSnapshotReader().withSnapshot(existing).bucketEntries()) {
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

    /**
     * The snapshot of this update, null if there is none.
     *
     * @throws IllegalStateException if that is unknown
     */
    @Nullable
    private Snapshot landed() {
        return CommitTrail.find(table, planned.snapshot(), name);
    }

    private BlobUpdateCommit newCommit() {
        return new BlobUpdateCommit(table, planned, name);
    }

    /** All folders that may have files of a bucket. */
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
