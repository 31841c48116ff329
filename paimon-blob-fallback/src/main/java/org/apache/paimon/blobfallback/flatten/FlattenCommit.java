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

package org.apache.paimon.blobfallback.flatten;

import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.host.CommitMessages;
import org.apache.paimon.blobfallback.write.BlobTable;
import org.apache.paimon.blobfallback.write.CommitTrail;
import org.apache.paimon.blobfallback.write.GroupScan;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.TableCommitImpl;

/** Commits flattened groups. The host itself checks that all replaced files still exist. */
public final class FlattenCommit {

    private final FileStoreTable table;
    private final CommitTrail trail;

    /**
     * @param commitUser used by this commit alone
     */
    public FlattenCommit(FileStoreTable table, String commitUser) {
        this.table = table;
        this.trail = new CommitTrail(table, commitUser);
    }

    /**
     * Commits.
     *
     * <p>The host refuses a compaction of a partition in which blob files of other columns or
     * groups still join groups. In that case the commit is an overwrite of the files, for which the
     * host checks conflicts in the same way.
     *
     * @throws RuntimeException if a replaced file does not exist any more, or the commit failed for
     *     another reason
     */
    public void commit(List<CommitMessage> messages) {
        Snapshot latest = BlobTable.latestSnapshot(table);
        trail.begin(latest);
        try {
            commitOnce(messages);
        } catch (RuntimeException e) {
            if (!isRefusedCompaction(messages, e)) {
                throw e;
            }
            commitOnce(messages.stream().map(CommitMessages::asOverwrite).collect(toList()));
        }
        trail.succeed();
    }

    // The host's commit may throw any exception when it is closed, except InterruptedException.
    @SuppressWarnings("try")
    private void commitOnce(List<CommitMessage> messages) {
        try (TableCommitImpl commit = table.newCommit(trail.commitUser())) {
            commit.commit(messages);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(
                    "Cannot close a commit of table " + table.fullName(), e);
        }
    }

    /** Whether a commit failed that the host only accepts as an overwrite. */
    private boolean isRefusedCompaction(List<CommitMessage> messages, RuntimeException failure) {
        Set<String> replaced = new HashSet<>();
        Set<BinaryRow> partitions = new HashSet<>();
        for (CommitMessage message : messages) {
            partitions.add(message.partition());
            for (DataFileMeta file : CommitMessages.compactedFiles(message)) {
                replaced.add(file.fileName());
            }
        }
        if (replaced.isEmpty()) {
            return false;
        }
        try {
            return !trail.hasLanded() && blobFilesJoinGroups(partitions, replaced);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            return false;
        }
    }

    /** Whether blob files other than the replaced ones join groups in some partitions. */
    private boolean blobFilesJoinGroups(Set<BinaryRow> partitions, Set<String> replaced) {
        Snapshot latest = BlobTable.latestSnapshot(table);
        List<ManifestEntry> left =
                GroupScan.entries(
                                table.store()
                                        .newScan()
                                        .withSnapshot(latest)
                                        .withPartitionFilter(new ArrayList<>(partitions)))
                        .stream()
                        .filter(entry -> !replaced.contains(entry.file().fileName()))
                        .collect(toList());
        return GroupScan.join(table, latest, left).stream()
                .anyMatch(joined -> joined.groups().size() > 1);
    }

    public CommitTrail trail() {
        return trail;
    }
}
