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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.format.BlobEntry;
import org.apache.paimon.blobfallback.format.OpenBlobFiles;
import org.apache.paimon.blobfallback.read.BlobWinners;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.types.DataField;
import org.apache.paimon.utils.Range;

/**
 * Rewrites the layers of blob columns to one layer without placeholders, so that a reader that
 * knows neither reads the table.
 *
 * <p>It goes group by group, and each group is a commit of its own that replaces its files. Whoever
 * stops it in the middle leaves some groups flattened and the others as they were; the next run
 * goes on with those. Updates may land all the while: they stay on top.
 */
public final class BlobFlatten {

    private final FileStoreTable table;
    private final List<DataField> columns;
    @Nullable private final List<Map<String, String>> partitions;
    private final int mostLayers;

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
     * What a run would do now; changes nothing.
     *
     * @return what is to be flattened, ordered by row id
     * @throws IOException if the index of a blob file cannot be read
     */
    public List<BlobFlattenTask> plan() throws IOException {
        List<BlobFlattenTask> tasks = new ArrayList<>();
        Snapshot latest = table.snapshotManager().latestSnapshot();
        if (latest != null) {
            for (List<FlattenBunch> group : scan().partitions(latest, partitions)) {
                for (FlattenBunch bunch : due(group)) {
                    tasks.add(task(bunch));
                }
            }
        }
        return tasks;
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
        Snapshot latest = table.snapshotManager().latestSnapshot();
        if (latest != null) {
            for (List<FlattenBunch> group : scan().partitions(latest, partitions)) {
                done.addAll(flatten(group.get(0).group().range()));
            }
        }
        return done;
    }

    /** Flattens what is now in a range of row ids, again if somebody else was faster. */
    private List<BlobFlattenTask> flatten(Range rowIds) throws IOException {
        List<BlobFlattenTask> done = new ArrayList<>();
        int retries = 0;
        while (true) {
            Snapshot latest = BlobTable.latestSnapshot(table);
            List<List<FlattenBunch>> groups = scan().groups(latest, rowIds);
            boolean outrun = false;
            for (List<FlattenBunch> group : groups) {
                List<FlattenBunch> due = due(group);
                if (!due.isEmpty()) {
                    List<BlobFlattenTask> tasks = new ArrayList<>();
                    for (FlattenBunch bunch : due) {
                        tasks.add(task(bunch));
                    }
                    if (rewrite(due, retries < table.coreOptions().commitMaxRetries())) {
                        done.addAll(tasks);
                    } else {
                        outrun = true;
                    }
                }
            }
            if (!outrun) {
                return done;
            }
            retries++;
        }
    }

    /**
     * Rewrites bunches of one group and commits.
     *
     * @param mayRetry whether a conflict is to be returned, not thrown
     * @return false if the files were replaced by somebody else meanwhile
     */
    private boolean rewrite(List<FlattenBunch> bunches, boolean mayRetry) throws IOException {
        UncommittedFiles uncommitted = new UncommittedFiles(table.fileIO());
        FlattenCommit commit =
                new FlattenCommit(
                        table, CoreOptions.createCommitUser(Options.fromMap(table.options())));
        try {
            CommitMessage message = new FlattenWriter(table, uncommitted).write(bunches);
            commit.commit(message);
            return true;
        } catch (IOException | RuntimeException e) {
            if (commit.mayHaveLanded(e)) {
                throw e;
            }
            try {
                uncommitted.delete();
            } catch (IOException left) {
                e.addSuppressed(left);
                throw e;
            }
            if (mayRetry && !areLive(bunches)) {
                return false;
            }
            throw e;
        }
    }

    private boolean areLive(List<FlattenBunch> bunches) {
        Snapshot latest = BlobTable.latestSnapshot(table);
        for (FlattenBunch bunch : bunches) {
            for (DataFileMeta file : bunch.files()) {
                if (!new GroupScan(table)
                        .hasAnyOf(
                                latest,
                                Collections.singletonMap(
                                        file.fileName(), file.nonNullRowIdRange()))) {
                    return false;
                }
            }
        }
        return true;
    }

    private FlattenScan scan() {
        return new FlattenScan(table, columns);
    }

    private List<FlattenBunch> due(List<FlattenBunch> group) throws IOException {
        List<FlattenBunch> due = new ArrayList<>();
        for (FlattenBunch bunch : group) {
            if (bunch.layerCount() > mostLayers && !bunch.isFlat()) {
                due.add(bunch);
            }
        }
        return due;
    }

    private BlobFlattenTask task(FlattenBunch bunch) throws IOException {
        long kept = 0;
        try (BlobWinners winners =
                new BlobWinners(
                        bunch.column().id(),
                        bunch.files(),
                        bunch.group().range(),
                        table.fileIO(),
                        bunch.paths(),
                        new OpenBlobFiles())) {
            while (winners.nextWindow()) {
                for (int i = 0; i < winners.count(); i++) {
                    BlobEntry winner = winners.winners()[i];
                    kept += winner == null ? 0 : winner.length();
                }
            }
        }
        return new BlobFlattenTask(
                table.store().partitionComputer().generatePartValues(bunch.group().partition()),
                bunch.group().range(),
                bunch.column().name(),
                bunch.layerCount(),
                bunch.files().stream().map(DataFileMeta::fileName).collect(Collectors.toList()),
                kept,
                bunch.fileSize() - kept);
    }
}
