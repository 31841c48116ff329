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
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.Snapshot;
import org.apache.paimon.annotation.Public;
import org.apache.paimon.blobfallback.flatten.FlattenBunch;
import org.apache.paimon.blobfallback.flatten.FlattenCommit;
import org.apache.paimon.blobfallback.flatten.FlattenScan;
import org.apache.paimon.blobfallback.flatten.FlattenWriter;
import org.apache.paimon.blobfallback.flatten.JoinedBunches;
import org.apache.paimon.blobfallback.format.entry.BlobEntries;
import org.apache.paimon.blobfallback.format.io.BlobReadMetrics;
import org.apache.paimon.blobfallback.format.io.ReadThreads;
import org.apache.paimon.blobfallback.host.CommitMessages;
import org.apache.paimon.blobfallback.layers.PartitionNames;
import org.apache.paimon.blobfallback.read.blobs.BlobWinners;
import org.apache.paimon.blobfallback.write.BlobTable;
import org.apache.paimon.blobfallback.write.GroupScan;
import org.apache.paimon.blobfallback.write.UncommittedFiles;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.options.Options;
import org.apache.paimon.partition.PartitionPredicate;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.types.DataField;
import org.apache.paimon.utils.Range;

/**
 * Rewrites the layers of blob columns to one layer without placeholders, so that readers without
 * support for either can read the table.
 *
 * <p>It flattens group by group. Each group is a separate commit that replaces its files; groups
 * that a blob file joins are flattened in one commit. A run that is stopped leaves some groups flat
 * and the others unchanged; the next run continues with those. Updates may be committed in the
 * meantime: they stay on top.
 *
 * <p>A run that fails deletes its files; {@link #close()} tries again to delete those that it could
 * not delete.
 *
 * <p>It can be serialized to workers that share the {@link #groups()}.
 */
@Public
public final class BlobFlatten implements AutoCloseable, Serializable {

    private static final long serialVersionUID = 1L;

    private final FileStoreTable table;
    private final List<DataField> columns;
    @Nullable private final PartitionPredicate partitions;
    private final int mostLayers;

    /** Files of failed attempts that could not be deleted. */
    private transient List<UncommittedFiles> leftovers;

    /** Null until something is read. */
    @Nullable private transient BlobReadMetrics metrics;

    private transient long bytesWritten;

    BlobFlatten(
            FileStoreTable table,
            List<DataField> columns,
            @Nullable PartitionPredicate partitions,
            int mostLayers) {
        this.table = table;
        this.columns = columns;
        this.partitions = partitions;
        this.mostLayers = mostLayers;
    }

    /**
     * The groups that a run would look at now, as ranges of row ids with both ends included, in
     * ascending order. Groups that a blob file joins are one range, since they can only be
     * flattened in one commit. The groups are taken from the manifests alone, so some of them may
     * be flat already.
     */
    public List<Range> groups() {
        return onLatest(
                latest -> {
                    List<Range> ranges = new ArrayList<>();
                    for (JoinedBunches groups : scan().partitions(latest, partitions)) {
                        if (groups.hasMoreLayersThan(mostLayers)) {
                            ranges.add(groups.range());
                        }
                    }
                    // Ranges of two partitions overlap if groups of one are joined across rows of
                    // the
                    // other.
                    return Range.sortAndMergeOverlap(ranges, false);
                });
    }

    /**
     * What a run would do now; changes nothing.
     *
     * @return what is to be flattened, ordered by row id
     * @throws IOException if the index of a blob file cannot be read
     */
    public List<BlobFlattenTask> plan() throws IOException {
        return onLatest(latest -> tasks(due(scan().partitions(latest, partitions))));
    }

    /**
     * What {@link #run(List)} would do now; changes nothing.
     *
     * @param groups row ids, both ends included
     * @return what is to be flattened, ordered by row id
     * @throws IOException if the index of a blob file cannot be read
     */
    public List<BlobFlattenTask> plan(List<Range> groups) throws IOException {
        return onLatest(latest -> tasks(due(scan().groups(latest, groups, partitions))));
    }

    /**
     * Flattens group by group.
     *
     * @return what has been flattened
     * @throws IOException if a file cannot be read, is corrupt, or cannot be written; the groups
     *     before it stay flattened, no file of the failed one is left
     */
    public List<BlobFlattenTask> run() throws IOException {
        List<BlobFlattenTask> done = new ArrayList<>();
        for (Range group : groups()) {
            done.addAll(run(Collections.singletonList(group)));
        }
        return done;
    }

    /**
     * Flattens, in one commit, what is now in some groups, and retries if another commit was
     * faster.
     *
     * @param groups row ids, both ends included
     * @return what has been flattened, ordered by row id
     * @throws IOException if a file cannot be read, is corrupt, or cannot be written; none of the
     *     groups is flattened then and no file is left
     */
    public List<BlobFlattenTask> run(List<Range> groups) throws IOException {
        for (int retries = 0; ; retries++) {
            List<JoinedBunches> due =
                    onLatest(latest -> due(scan().groups(latest, groups, partitions)));
            if (due.isEmpty()) {
                return new ArrayList<>();
            }
            boolean mayRetry = retries < table.coreOptions().commitMaxRetries();
            Optional<List<BlobFlattenTask>> done = rewrite(due, mayRetry);
            if (done.isPresent()) {
                return done.get();
            }
        }
    }

    /**
     * Bytes that this object has read from blob files so far; copies made by serialization count
     * their own. It includes indexes and reads for attempts that failed or had to be repeated.
     */
    public long bytesRead() {
        return metrics().bytes();
    }

    /** Bytes of the files that this object has written and committed so far. */
    public long bytesWritten() {
        return bytesWritten;
    }

    private BlobReadMetrics metrics() {
        if (metrics == null) {
            metrics = new BlobReadMetrics();
        }
        return metrics;
    }

    /**
     * Rewrites bunches and commits.
     *
     * @param mayRetry whether to return a conflict instead of throwing it
     * @return what has been flattened; empty if files were replaced by another commit meanwhile
     */
    private Optional<List<BlobFlattenTask>> rewrite(List<JoinedBunches> groups, boolean mayRetry)
            throws IOException {
        FlattenCommit commit =
                new FlattenCommit(
                        table, CoreOptions.createCommitUser(Options.fromMap(table.options())));
        UncommittedFiles uncommitted = new UncommittedFiles(table.fileIO(), commit.trail());
        try {
            FlattenWriter writer = new FlattenWriter(table, uncommitted, metrics());
            List<CommitMessage> messages = new ArrayList<>();
            for (JoinedBunches group : groups) {
                messages.add(writer.write(group));
            }
            List<BlobFlattenTask> done = new ArrayList<>();
            for (Map.Entry<FlattenBunch, Long> bunch : writer.bytesKept().entrySet()) {
                done.add(task(bunch.getKey(), bunch.getValue()));
            }
            commit.commit(messages);
            messages.forEach(message -> bytesWritten += CommitMessages.newBytes(message));
            return Optional.of(done);
        } catch (IOException | RuntimeException | Error e) {
            try {
                uncommitted.delete();
            } catch (IOException left) {
                leaveBehind(uncommitted);
                e.addSuppressed(left);
                throw e;
            }
            if (mayRetry && !(e instanceof Error) && isOutrun(commit, groups, e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private void leaveBehind(UncommittedFiles files) {
        if (leftovers == null) {
            leftovers = new ArrayList<>();
        }
        leftovers.add(files);
    }

    /**
     * Deletes files of failed attempts that could not be deleted at once.
     *
     * @throws IOException if one still cannot be deleted, or it is unknown whether it is committed;
     *     another call tries again
     */
    @Override
    public void close() throws IOException {
        if (leftovers != null) {
            for (UncommittedFiles files : leftovers) {
                files.delete();
            }
        }
    }

    /**
     * Evaluates something on the newest snapshot, and again if that has expired or been rolled back
     * meanwhile.
     *
     * @return an empty list if the table has no snapshot
     */
    private <T, E extends Exception> List<T> onLatest(Look<T, E> look) throws E {
        for (int retries = 0; ; retries++) {
            Snapshot latest = table.snapshotManager().latestSnapshot();
            if (latest == null) {
                return new ArrayList<>();
            }
            try {
                return look.at(latest);
            } catch (Exception e) {
                if (retries >= table.coreOptions().commitMaxRetries()
                        || BlobTable.has(table, latest)) {
                    throw e;
                }
            }
        }
    }

    /** An evaluation on a snapshot. */
    private interface Look<T, E extends Exception> {

        List<T> at(Snapshot snapshot) throws E;
    }

    /** Whether a commit failed because another commit had replaced the files. */
    private boolean isOutrun(FlattenCommit commit, List<JoinedBunches> groups, Throwable failure) {
        try {
            return !commit.trail().hasLanded() && !areLive(groups);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            return false;
        }
    }

    private boolean areLive(List<JoinedBunches> groups) {
        Map<String, Range> files = new HashMap<>();
        for (JoinedBunches joined : groups) {
            joined.files().forEach(file -> files.put(file.fileName(), file.nonNullRowIdRange()));
        }
        return new GroupScan(table).hasAllOf(BlobTable.latestSnapshot(table), files);
    }

    private FlattenScan scan() {
        return new FlattenScan(table, columns);
    }

    /** The bunches to flatten in some groups; flat groups are left out. */
    private List<JoinedBunches> due(Iterable<JoinedBunches> groups) throws IOException {
        List<JoinedBunches> due = new ArrayList<>();
        for (JoinedBunches joined : groups) {
            JoinedBunches ofGroups = joined.due(mostLayers, metrics());
            if (!ofGroups.bunches().isEmpty()) {
                due.add(ofGroups);
            }
        }
        return due;
    }

    /** Reads the indexes to compute what a flatten would keep. */
    private List<BlobFlattenTask> tasks(List<JoinedBunches> groups) throws IOException {
        List<BlobFlattenTask> tasks = new ArrayList<>();
        for (JoinedBunches joined : groups) {
            for (FlattenBunch bunch : joined.bunches()) {
                tasks.add(task(bunch, winningBytes(bunch)));
            }
        }
        return tasks;
    }

    private long winningBytes(FlattenBunch bunch) throws IOException {
        long kept = 0;
        try (ReadThreads threads = new ReadThreads(FlattenWriter.readOptions(table).parallelism());
                BlobWinners winners = bunch.winners(metrics(), threads)) {
            while (winners.nextWindow()) {
                BlobEntries entries = winners.winners();
                for (int i = 0; i < entries.rowCount(); i++) {
                    kept += entries.has(i) ? entries.length(i) : 0;
                }
            }
        }
        return kept;
    }

    private BlobFlattenTask task(FlattenBunch bunch, long bytesKept) throws IOException {
        return new BlobFlattenTask(
                new PartitionNames(table.schema()).values(bunch.group().anchor().partition()),
                bunch.group().range(),
                bunch.column().name(),
                bunch.layerCount(),
                bunch.files().stream().map(DataFileMeta::fileName).collect(Collectors.toList()),
                bytesKept,
                bunch.bytes(metrics()) - bytesKept);
    }
}
