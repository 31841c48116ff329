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

import static org.apache.paimon.utils.Preconditions.checkState;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.Snapshot;
import org.apache.paimon.annotation.Public;
import org.apache.paimon.blobfallback.host.CommitMessages;
import org.apache.paimon.blobfallback.host.SnapshotWatch;
import org.apache.paimon.blobfallback.write.BlobTable;
import org.apache.paimon.blobfallback.write.CommitTrail;
import org.apache.paimon.blobfallback.write.GroupScan;
import org.apache.paimon.blobfallback.write.UncommittedFiles;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.TableCommitImpl;
import org.apache.paimon.utils.Range;

/**
 * Commits the messages of partial updates, of one or of many workers, as one snapshot.
 *
 * <p>The host's commit of an append does not check whether the groups still exist, so this class
 * checks first, and makes the host refuse the commit if anything has been rewritten since the check
 * (its option {@code commit.strict-mode.last-safe-snapshot}), or if the checked snapshot was rolled
 * back before the host continues from the newest one. In both cases it checks again.
 */
@Public
public final class BlobUpdateCommit {

    private final FileStoreTable table;
    private final PlannedSnapshot planned;
    private final CommitTrail trail;

    /**
     * @param planned the snapshot for which the updates were written
     * @param commitUser used by this commit alone
     */
    BlobUpdateCommit(FileStoreTable table, PlannedSnapshot planned, String commitUser) {
        this.table = table;
        this.planned = planned;
        this.trail = new CommitTrail(table, commitUser);
    }

    /**
     * Commits all messages or none.
     *
     * @param messages of updates of the builder that created this commit; without messages there is
     *     no commit
     * @throws BlobUpdateConflictException if a group that they touch has been rewritten or dropped
     *     since the builder's snapshot, or that has expired or been rolled back; nothing is
     *     committed
     * @throws IllegalArgumentException if two messages write the same rows of a column: give all
     *     rows of a group to one worker
     * @throws IllegalStateException if this object has committed before, or another commit has
     *     committed the same messages
     */
    public void commit(List<CommitMessage> messages) {
        checkState(
                !trail.hasLanded(),
                "This commit of table %s has been used before: open a new one.",
                table.fullName());
        checkDisjoint(messages);
        if (messages.isEmpty()) {
            return;
        }
        planned.check();
        PlanCheck check = planned.read(() -> new PlanCheck(table, planned, messages));
        Snapshot safe = planned.read(() -> checkLatest(check, messages));
        trail.begin(safe);
        int retries = 0;
        while (true) {
            try {
                commitAfter(safe, messages);
                trail.succeed();
                return;
            } catch (RuntimeException e) {
                boolean mayRetry = ++retries <= table.coreOptions().commitMaxRetries();
                safe = afterRewrite(safe, check, mayRetry, e);
            }
        }
    }

    /**
     * Deletes the files of messages that will not be committed.
     *
     * @param messages of updates of the builder that made this commit
     * @throws IllegalStateException if they are committed, or that is unknown; nothing is deleted
     *     then
     * @throws IOException if a file cannot be deleted; another call tries again
     */
    public void abort(List<CommitMessage> messages) throws IOException {
        checkState(
                !trail.hasLanded(),
                "The update of table %s is committed: its files stay.",
                table.fullName());
        checkNotLive(BlobTable.latestSnapshot(table), messages);
        UncommittedFiles files = new UncommittedFiles(table.fileIO(), trail);
        for (CommitMessage message : messages) {
            DataFilePathFactory paths =
                    table.store()
                            .pathFactory()
                            .createDataFilePathFactory(message.partition(), message.bucket());
            CommitMessages.newFiles(message).forEach(file -> files.add(paths.toPath(file)));
        }
        files.delete();
    }

    private Snapshot checkLatest(PlanCheck check, List<CommitMessage> messages) {
        Snapshot latest = BlobTable.latestSnapshot(table);
        check.check(latest);
        checkNotLive(latest, messages);
        return latest;
    }

    CommitTrail trail() {
        return trail;
    }

    // The host's commit may throw any exception when it is closed, except InterruptedException.
    @SuppressWarnings("try")
    private void commitAfter(Snapshot safe, List<CommitMessage> messages) {
        Map<String, String> options = new HashMap<>(table.schema().options());
        options.put(
                CoreOptions.COMMIT_STRICT_MODE_LAST_SAFE_SNAPSHOT.key(), String.valueOf(safe.id()));
        FileStoreTable strict = table.copy(table.schema().copy(options));
        SnapshotWatch.watch(strict, read -> checkStillThere(safe));
        try (TableCommitImpl commit = strict.newCommit(trail.commitUser())) {
            commit.commit(messages);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(
                    "Cannot close a commit of table " + table.fullName(), e);
        }
    }

    /**
     * Called before the host continues from a snapshot, since the host compares only numbers of
     * snapshots.
     */
    private void checkStillThere(Snapshot safe) {
        checkState(
                planned.isThere() && BlobTable.has(table, safe),
                "Table %s was rolled back during a commit.",
                table.fullName());
    }

    /**
     * The snapshot for another attempt, if the commit failed because of a rewrite.
     *
     * @param safe the snapshot that was tried
     * @param failure thrown if there was another reason
     */
    private Snapshot afterRewrite(
            Snapshot safe, PlanCheck check, boolean mayRetry, RuntimeException failure) {
        try {
            if (trail.hasLanded()) {
                throw failure;
            }
            return planned.read(
                    () -> {
                        planned.check();
                        Snapshot latest = BlobTable.latestSnapshot(table);
                        if (!mayRetry || !isRewritten(safe, latest)) {
                            throw failure;
                        }
                        check.check(latest);
                        return latest;
                    });
        } catch (BlobUpdateConflictException e) {
            if (e.getCause() != failure) {
                e.addSuppressed(failure);
            }
            throw e;
        } catch (RuntimeException e) {
            if (e != failure) {
                failure.addSuppressed(e);
            }
            throw failure;
        }
    }

    /** Whether a snapshot between the two does more than add files, or the first is gone. */
    private boolean isRewritten(Snapshot safe, Snapshot latest) {
        if (!BlobTable.has(table, safe)) {
            return true;
        }
        for (long id = safe.id() + 1; id <= latest.id(); id++) {
            Snapshot.CommitKind kind = table.snapshotManager().snapshot(id).commitKind();
            if (kind == Snapshot.CommitKind.COMPACT || kind == Snapshot.CommitKind.OVERWRITE) {
                return true;
            }
        }
        return false;
    }

    /** Whether files of messages are in the table now. */
    boolean isLive(List<CommitMessage> messages) {
        return isLive(BlobTable.latestSnapshot(table), messages);
    }

    private boolean isLive(Snapshot snapshot, List<CommitMessage> messages) {
        Map<String, Range> files = new HashMap<>();
        for (CommitMessage message : messages) {
            CommitMessages.newFiles(message)
                    .forEach(file -> files.put(file.fileName(), file.nonNullRowIdRange()));
        }
        return new GroupScan(table).hasAnyOf(snapshot, files);
    }

    private void checkNotLive(Snapshot snapshot, List<CommitMessage> messages) {
        if (isLive(snapshot, messages)) {
            throw new IllegalStateException(
                    String.format(
                            "Snapshot %s of table %s has files of this update: it is committed"
                                    + " already.",
                            snapshot.id(), table.fullName()));
        }
    }

    /** Files of one commit are one layer, and two files of a layer must not overlap. */
    private void checkDisjoint(List<CommitMessage> messages) {
        Map<String, TreeMap<Long, DataFileMeta>> byColumn = new HashMap<>();
        for (CommitMessage message : messages) {
            for (DataFileMeta file : CommitMessages.newFiles(message)) {
                Range range = file.nonNullRowIdRange();
                TreeMap<Long, DataFileMeta> files =
                        byColumn.computeIfAbsent(
                                file.writeCols().get(0), column -> new TreeMap<>());
                Map.Entry<Long, DataFileMeta> before = files.floorEntry(range.to);
                if (before != null && before.getValue().nonNullRowIdRange().to >= range.from) {
                    throw new IllegalArgumentException(
                            String.format(
                                    "Two updates of column %s of table %s in one commit write the"
                                            + " same group: files %s and %s overlap in the row ids"
                                            + " %s. Give all rows of a group to one update.",
                                    file.writeCols().get(0),
                                    table.fullName(),
                                    before.getValue().fileName(),
                                    file.fileName(),
                                    Range.intersection(
                                            before.getValue().nonNullRowIdRange(), range)));
                }
                files.put(range.from, file);
            }
        }
    }
}
