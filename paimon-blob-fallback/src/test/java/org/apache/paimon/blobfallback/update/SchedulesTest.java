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

import static org.apache.paimon.blobfallback.testtable.LayeredTable.blob;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.flatten.FlattenCommit;
import org.apache.paimon.blobfallback.flatten.FlattenScan;
import org.apache.paimon.blobfallback.flatten.FlattenWriter;
import org.apache.paimon.blobfallback.flatten.JoinedBunches;
import org.apache.paimon.blobfallback.format.io.BlobReadMetrics;
import org.apache.paimon.blobfallback.testtable.UpdateTable;
import org.apache.paimon.blobfallback.write.BlobTable;
import org.apache.paimon.blobfallback.write.UncommittedFiles;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.utils.Range;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * W5 and W6: updates, flattens, a compaction and a drop of a partition, each cut into its steps,
 * and the steps shuffled. Who meets what must fail, and who need not must land; the table then
 * reads as the commits say in their order.
 *
 * <p>The schedules are the same each time; {@code -Dschedules.seed} and {@code -Dschedules.count}
 * run others.
 */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
@Tag("slow")
class SchedulesTest {

    private static final int SCHEDULES = Integer.getInteger("schedules.count", 100);
    private static final int ROWS = 12;

    @TempDir Path folder;

    @Test
    void eachScheduleEndsAsItsCommitsSay() throws Exception {
        UpdateTable original = create();
        long first = Long.getLong("schedules.seed", 0);
        for (int i = 0; i < SCHEDULES; i++) {
            run(original, first + i);
        }
    }

    private void run(UpdateTable original, long seed) throws Exception {
        Schedule schedule =
                new Schedule(original.copyTo(folder.resolve("s" + seed)), new Random(seed));
        try {
            schedule.run();
        } catch (Exception | AssertionError e) {
            throw new AssertionError(
                    "Repeat with -Dschedules.seed=" + seed + ": " + schedule.history, e);
        }
    }

    /** Two partitions with two groups of three rows each, one row of each partition updated. */
    private UpdateTable create() throws Exception {
        UpdateTable table =
                UpdateTable.create(
                        LocalFileIO.create(),
                        folder.resolve("original"),
                        UpdateTable.schema().partitionKeys("part").build());
        table.append(0, 2, 1);
        table.append(3, 5, 1);
        table.append(6, 8, 2);
        table.append(9, 11, 2);
        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(1, "pic", blob("a")).set(7, "pic", blob("a")).commit();
        }
        return table;
    }

    private interface Step {

        void run() throws Exception;
    }

    private static final class Schedule {

        private final UpdateTable table;
        private final Random random;
        private final Map<Long, String> model;
        private final List<String> history = new ArrayList<>();

        /** Counts what rewrote or removed the normal files of a partition. */
        private final int[] rewrites = new int[3];

        private boolean dropped;

        private Schedule(UpdateTable table, Random random) throws Exception {
            this.table = table;
            this.random = random;
            this.model = new TreeMap<>(table.read("pic"));
        }

        private void run() throws Exception {
            List<Deque<Step>> actors = new ArrayList<>();
            for (int i = 2 + random.nextInt(2); i > 0; i--) {
                actors.add(update("u" + i));
            }
            for (int i = random.nextInt(3); i > 0; i--) {
                actors.add(flatten("f" + i));
            }
            if (random.nextBoolean()) {
                actors.add(new ArrayDeque<>(List.of(this::compact)));
            }
            if (random.nextInt(3) == 0) {
                actors.add(new ArrayDeque<>(List.of(this::drop)));
            }
            while (!actors.isEmpty()) {
                Deque<Step> actor = actors.get(random.nextInt(actors.size()));
                actor.poll().run();
                actors.removeIf(Deque::isEmpty);
            }
            assertThat(table.read("pic")).isEqualTo(model);
            BlobFallback.newFlattenBuilder(table.table()).newFlatten().run();
            assertThat(table.readStock("pic")).isEqualTo(model);
        }

        private Deque<Step> update(String name) {
            Map<Long, String> values = new TreeMap<>();
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                long rowId = random.nextInt(ROWS);
                values.put(rowId, random.nextInt(4) == 0 ? null : name + "-" + rowId);
            }
            Set<Integer> parts =
                    values.keySet().stream().map(Schedule::part).collect(Collectors.toSet());
            BlobUpdateBuilder[] builder = new BlobUpdateBuilder[1];
            int[] seen = new int[3];
            boolean[] refused = new boolean[1];
            List<CommitMessage> messages = new ArrayList<>();
            Step open =
                    () -> {
                        history.add(name + " opens " + values);
                        builder[0] = table.builder();
                        System.arraycopy(rewrites, 0, seen, 0, seen.length);
                        refused[0] = dropped && parts.contains(1);
                    };
            Step write =
                    () -> {
                        try (BlobUpdate update = builder[0].newUpdate()) {
                            values.forEach(
                                    (rowId, value) ->
                                            update.set(
                                                    rowId,
                                                    "pic",
                                                    value == null ? null : blob(value)));
                            messages.addAll(update.prepareCommit());
                            history.add(name + " writes");
                            assertThat(refused[0]).isFalse();
                        } catch (IllegalArgumentException e) {
                            history.add(name + " is refused");
                            assertThat(refused[0]).as("%s", e).isTrue();
                        }
                    };
            Step commit =
                    () -> {
                        boolean meets =
                                parts.stream().anyMatch(part -> rewrites[part] != seen[part]);
                        BlobUpdateCommit committer = builder[0].newCommit();
                        try {
                            committer.commit(messages);
                            history.add(name + " commits");
                            assertThat(meets && !messages.isEmpty()).isFalse();
                            if (!messages.isEmpty()) {
                                model.putAll(values);
                            }
                        } catch (BlobUpdateConflictException e) {
                            history.add(name + " conflicts");
                            assertThat(meets).as("%s", e).isTrue();
                            Set<String> files = names(messages);
                            committer.abort(messages);
                            assertThat(table.filesOutsideLatestSnapshot())
                                    .doesNotContainAnyElementsOf(files);
                        }
                    };
            return new ArrayDeque<>(List.of(open, write, commit));
        }

        private Deque<Step> flatten(String name) {
            long rowId = random.nextInt(ROWS);
            FileStoreTable handle = table.table();
            FlattenCommit committer = new FlattenCommit(handle, name);
            UncommittedFiles files = new UncommittedFiles(handle.fileIO(), committer.trail());
            List<CommitMessage> messages = new ArrayList<>();
            Set<String> replaced = new HashSet<>();
            Step write =
                    () -> {
                        history.add(name + " writes the group of row " + rowId);
                        for (JoinedBunches group :
                                new FlattenScan(handle, BlobTable.columns(handle))
                                        .groups(
                                                BlobTable.latestSnapshot(handle),
                                                List.of(new Range(rowId, rowId)),
                                                null)) {
                            messages.add(
                                    new FlattenWriter(handle, files, new BlobReadMetrics())
                                            .write(group));
                            group.files().forEach(file -> replaced.add(file.fileName()));
                        }
                    };
            Step commit =
                    () -> {
                        if (messages.isEmpty()) {
                            return;
                        }
                        Set<String> live =
                                table.files().stream()
                                        .map(entry -> entry.file().fileName())
                                        .collect(Collectors.toSet());
                        boolean meets = !live.containsAll(replaced);
                        try {
                            committer.commit(messages);
                            history.add(name + " commits");
                            assertThat(meets).isFalse();
                        } catch (RuntimeException e) {
                            history.add(name + " conflicts");
                            assertThat(meets).as("%s", e).isTrue();
                        }
                        files.delete();
                    };
            return new ArrayDeque<>(List.of(write, commit));
        }

        private void compact() throws Exception {
            history.add("the host compacts");
            for (BinaryRow partition : table.compact()) {
                rewrites[partition.getInt(0)]++;
            }
        }

        private void drop() throws Exception {
            history.add("partition 1 is dropped");
            table.dropPartition(1);
            rewrites[1]++;
            dropped = true;
            model.keySet().removeIf(rowId -> part(rowId) == 1);
        }

        private static int part(long rowId) {
            return rowId < ROWS / 2 ? 1 : 2;
        }

        private static Set<String> names(List<CommitMessage> messages) {
            Set<String> names = new HashSet<>();
            for (CommitMessage message : messages) {
                for (DataFileMeta file :
                        ((CommitMessageImpl) message).newFilesIncrement().newFiles()) {
                    names.add(file.fileName());
                }
            }
            return names;
        }
    }
}
