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
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.format.BlobEntries;
import org.apache.paimon.blobfallback.format.BlobReadMetrics;
import org.apache.paimon.blobfallback.format.BlobReadOptions;
import org.apache.paimon.blobfallback.format.OpenBlobFiles;
import org.apache.paimon.blobfallback.format.ReadThreads;
import org.apache.paimon.blobfallback.read.BlobWinners;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.types.DataField;
import org.apache.paimon.utils.Range;

/**
 * Rewrites the layers of blob columns to one layer without placeholders, so that a reader that
 * knows neither reads the table.
 *
 * <p>It goes group by group, and each group is a commit of its own that replaces its files. Whoever
 * stops it in the middle leaves some groups flattened and the others as they were; the next run
 * goes on with those. Updates may land all the while: they stay on top.
 *
 * <p>A run that fails deletes its files; what it cannot delete is left to {@link #close()}.
 *
 * <p>It can be serialized to workers, who share the {@link #groups()} among them.
 */
public final class BlobFlatten implements AutoCloseable, Serializable {

    private static final long serialVersionUID = 1L;

    private final FileStoreTable table;
    private final List<DataField> columns;
    @Nullable private final List<Map<String, String>> partitions;
    private final int mostLayers;

    /** Files of failed attempts that could not be deleted. */
    private transient List<UncommittedFiles> leftovers;

    /** Null until something is read. */
    @Nullable private transient BlobReadMetrics metrics;

    private transient long bytesWritten;

    BlobFlatten(
            FileStoreTable table,
            List<DataField> columns,
            @Nullable List<Map<String, String>> partitions,
            int mostLayers) {
        this.table = table;
        this.columns = columns;
        this.partitions = partitions;
        this.mostLayers = mostLayers;
    }

    /**
     * The groups that a run would look at now, as ranges of row ids with both ends included, in
     * their order. It is told from the manifests alone: those that turn out to be flat already are
     * among them.
     */
    public List<Range> groups() {
        List<Range> ranges = new ArrayList<>();
        Snapshot latest = table.snapshotManager().latestSnapshot();
        if (latest != null) {
            for (List<FlattenBunch> group : scan().partitions(latest, partitions)) {
                if (group.stream().anyMatch(bunch -> bunch.layerCount() > mostLayers)) {
                    ranges.add(group.get(0).group().range());
                }
            }
        }
        return ranges;
    }

    /**
     * What a run would do now; changes nothing.
     *
     * @return what is to be flattened, ordered by row id
     * @throws IOException if the index of a blob file cannot be read
     */
    public List<BlobFlattenTask> plan() throws IOException {
        Snapshot latest = table.snapshotManager().latestSnapshot();
        return latest == null
                ? new ArrayList<>()
                : tasks(due(scan().partitions(latest, partitions)));
    }

    /**
     * What {@link #run(List)} would do now; changes nothing.
     *
     * @param groups row ids, both ends included
     * @return what is to be flattened, ordered by row id
     * @throws IOException if the index of a blob file cannot be read
     */
    public List<BlobFlattenTask> plan(List<Range> groups) throws IOException {
        return tasks(due(scan().groups(BlobTable.latestSnapshot(table), groups)));
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
     * Flattens, in one commit, what is now in some groups, and again if somebody else was faster.
     *
     * @param groups row ids, both ends included
     * @return what has been flattened, ordered by row id
     * @throws IOException if a file cannot be read, is corrupt, or cannot be written; none of the
     *     groups is flattened then and no file is left
     */
    public List<BlobFlattenTask> run(List<Range> groups) throws IOException {
        for (int retries = 0; ; retries++) {
            Snapshot latest = BlobTable.latestSnapshot(table);
            List<List<FlattenBunch>> due = due(scan().groups(latest, groups));
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
     * Bytes that this has read of blob files so far, here and not where it was serialized to.
     * Indexes are among them, and what was read for an attempt that failed or had to be repeated.
     */
    public long bytesRead() {
        return metrics().bytes();
    }

    /** Bytes of the files that this has written and committed so far, here as above. */
    public long bytesWritten() {
        return bytesWritten;
    }

    private BlobReadMetrics metrics() {
        if (metrics == null) {
            metrics = new BlobReadMetrics();
        }
        return metrics;
    }

    private static long newBytes(CommitMessageImpl message) {
        return Stream.concat(
                        message.newFilesIncrement().newFiles().stream(),
                        message.compactIncrement().compactAfter().stream())
                .mapToLong(DataFileMeta::fileSize)
                .sum();
    }

    /**
     * Rewrites bunches and commits.
     *
     * @param groups bunches, those of a group next to each other
     * @param mayRetry whether a conflict is to be returned, not thrown
     * @return what has been flattened; empty if files were replaced by somebody else meanwhile
     */
    private Optional<List<BlobFlattenTask>> rewrite(
            List<List<FlattenBunch>> groups, boolean mayRetry) throws IOException {
        FlattenCommit commit =
                new FlattenCommit(
                        table, CoreOptions.createCommitUser(Options.fromMap(table.options())));
        UncommittedFiles uncommitted = new UncommittedFiles(table.fileIO(), commit.trail());
        try {
            FlattenWriter writer = new FlattenWriter(table, uncommitted, metrics());
            List<CommitMessage> messages = new ArrayList<>();
            for (List<FlattenBunch> group : groups) {
                messages.add(writer.write(group));
            }
            commit.commit(messages);
            messages.forEach(message -> bytesWritten += newBytes((CommitMessageImpl) message));
            return Optional.of(writer.done());
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
     * @throws IOException if one cannot be deleted even now, or it cannot be told whether it is
     *     committed; another call tries again
     */
    @Override
    public void close() throws IOException {
        if (leftovers != null) {
            for (UncommittedFiles files : leftovers) {
                files.delete();
            }
        }
    }

    /** Whether a commit failed because somebody else replaced the files before. */
    private boolean isOutrun(
            FlattenCommit commit, List<List<FlattenBunch>> groups, Throwable failure) {
        try {
            return !commit.trail().hasLanded() && !areLive(groups);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            return false;
        }
    }

    private boolean areLive(List<List<FlattenBunch>> groups) {
        Map<String, Range> files = new HashMap<>();
        for (List<FlattenBunch> group : groups) {
            for (FlattenBunch bunch : group) {
                for (DataFileMeta file : bunch.files()) {
                    files.put(file.fileName(), file.nonNullRowIdRange());
                }
            }
        }
        return new GroupScan(table).hasAllOf(BlobTable.latestSnapshot(table), files);
    }

    private FlattenScan scan() {
        return new FlattenScan(table, columns);
    }

    /** What of the groups is to be flattened; a group that is flat is left out. */
    private List<List<FlattenBunch>> due(Iterable<List<FlattenBunch>> groups) throws IOException {
        List<List<FlattenBunch>> due = new ArrayList<>();
        for (List<FlattenBunch> group : groups) {
            List<FlattenBunch> bunches = new ArrayList<>();
            for (FlattenBunch bunch : group) {
                if (bunch.layerCount() > mostLayers && !bunch.isFlat(metrics())) {
                    bunches.add(bunch);
                }
            }
            if (!bunches.isEmpty()) {
                due.add(bunches);
            }
        }
        return due;
    }

    /** Reads the indexes to tell what a flatten would keep. */
    private List<BlobFlattenTask> tasks(List<List<FlattenBunch>> groups) throws IOException {
        List<BlobFlattenTask> tasks = new ArrayList<>();
        for (List<FlattenBunch> group : groups) {
            for (FlattenBunch bunch : group) {
                tasks.add(task(bunch));
            }
        }
        return tasks;
    }

    private BlobFlattenTask task(FlattenBunch bunch) throws IOException {
        long kept = 0;
        BlobReadOptions options = new BlobReadOptions(Options.fromMap(table.schema().options()));
        try (ReadThreads threads = new ReadThreads(options.parallelism());
                BlobWinners winners = bunch.winners(new OpenBlobFiles(), metrics(), threads)) {
            while (winners.nextWindow()) {
                BlobEntries entries = winners.winners();
                for (int i = 0; i < entries.rowCount(); i++) {
                    kept += entries.has(i) ? entries.length(i) : 0;
                }
            }
        }
        return bunch.task(kept);
    }
}
