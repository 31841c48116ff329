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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
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
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.options.ExpireConfig;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.sink.CommitMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * W5, W6 and W8: between the plan of an update or flatten and its commit the table is rolled back,
 * appended to under numbers that were in use before, replaced by a branch, compacted, flattened or
 * expired. What lands is right, and what does not leaves no file.
 *
 * <p>The schedules are the same each time; {@code -Drewound.seed} and {@code -Drewound.count} run
 * others.
 */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
class RewoundSchedulesTest {

    private static final int SCHEDULES = Integer.getInteger("rewound.count", 40);

    @TempDir Path folder;

    @Test
    void anUpdateLandsOnItsOwnSnapshotOrIsAConflict() throws Exception {
        runAll("updates", Schedule::run);
    }

    @Test
    void aFlattenLandsOnTheFilesThatItReplacesOrFails() throws Exception {
        runAll("flattens", Schedule::runFlatten);
    }

    private void runAll(String what, Run run) throws Exception {
        long first = Long.getLong("rewound.seed", 0);
        int landed = 0;
        for (int i = 0; i < SCHEDULES; i++) {
            landed += run(first + i, run);
        }
        if (SCHEDULES > 1) {
            assertThat(landed).as("%s that land", what).isBetween(1, SCHEDULES - 1);
        }
    }

    private int run(long seed, Run run) throws Exception {
        Schedule schedule = new Schedule(folder.resolve("s" + seed), new Random(seed));
        try {
            return run.lands(schedule) ? 1 : 0;
        } catch (Exception | AssertionError e) {
            throw new AssertionError("Repeat with -Drewound.seed=" + seed + schedule.history, e);
        }
    }

    /** What a schedule is about: whether it lands. */
    private interface Run {

        boolean lands(Schedule schedule) throws Exception;
    }

    /**
     * What is in a snapshot. Two snapshots with one number have a state each.
     *
     * @param rewrite the compaction that wrote the normal files, 0 for none
     */
    private record State(Map<Long, String> rows, int rewrite) {

        State with(Map<Long, String> values) {
            Map<Long, String> all = new TreeMap<>(rows);
            all.putAll(values);
            return new State(all, rewrite);
        }
    }

    private static final class Schedule {

        private final UpdateTable table;
        private final Random random;
        private final List<String> history = new ArrayList<>();

        /** The snapshots of the table by their numbers. */
        private final TreeMap<Long, State> states = new TreeMap<>();

        private int nextName;

        /**
         * Whether snapshots have gone from the start of the table since the update was planned:
         * they have expired, or the host takes the first snapshot of a branch for that of the
         * table.
         */
        private boolean startIsGone;

        private Schedule(Path folder, Random random) throws Exception {
            this.table =
                    UpdateTable.create(LocalFileIO.create(), folder, UpdateTable.schema().build());
            this.random = random;
            states.put(0L, new State(Map.of(), 0));
            append();
            append();
            states.remove(0L);
        }

        /** Whether the last update landed. */
        private boolean run() throws Exception {
            for (int i = random.nextInt(3); i > 0; i--) {
                disturb();
            }
            State planned = now();
            long number = states.lastKey();
            List<Long> rowIds = new ArrayList<>(planned.rows().keySet());
            Map<Long, String> values = new TreeMap<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                long rowId = rowIds.get(random.nextInt(rowIds.size()));
                values.put(rowId, random.nextInt(4) == 0 ? null : "new" + rowId);
            }
            startIsGone = false;
            history.add("open an update of " + values + " on " + number);
            boolean lands =
                    random.nextBoolean()
                            ? commitPrepared(planned, number, values)
                            : commitAtOnce(planned, number, values);
            if (lands) {
                add(now().with(values));
            }
            assertThat(table.read("pic")).isEqualTo(now().rows());
            BlobFallback.newFlattenBuilder(table.table()).newFlatten().run();
            assertThat(table.readStock("pic")).isEqualTo(now().rows());
            return lands;
        }

        /** Whether a flatten landed that was written before the table changed. */
        private boolean runFlatten() throws Exception {
            update();
            startIsGone = false;
            FileStoreTable handle = table.table();
            FlattenCommit committer = new FlattenCommit(handle, "flatten");
            UncommittedFiles files = new UncommittedFiles(handle.fileIO(), committer.trail());
            FlattenWriter writer = new FlattenWriter(handle, files, new BlobReadMetrics());
            List<CommitMessage> messages = new ArrayList<>();
            Set<String> replaced = new HashSet<>();
            history.add("write a flatten of " + states.lastKey());
            Set<String> before = table.disk().keySet();
            for (JoinedBunches group :
                    new FlattenScan(handle, BlobTable.columns(handle))
                            .partitions(BlobTable.latestSnapshot(handle), null)) {
                if (group.hasMoreLayersThan(1)) {
                    messages.add(writer.write(group));
                    group.files().forEach(file -> replaced.add(file.fileName()));
                }
            }
            Set<String> written = new HashSet<>(table.disk().keySet());
            written.removeAll(before);
            assertThat(written).isNotEmpty();
            disturbSome();
            boolean lands = flattenLands(committer, messages, replaced);
            if (lands) {
                files.delete();
                add(new State(now().rows(), now().rewrite()));
                assertThat(table.disk().keySet()).containsAll(written);
            } else {
                deleteUncommitted(files::delete, written);
            }
            assertThat(table.read("pic")).isEqualTo(now().rows());
            BlobFallback.newFlattenBuilder(table.table()).newFlatten().run();
            assertThat(table.readStock("pic")).isEqualTo(now().rows());
            return lands;
        }

        private boolean flattenLands(
                FlattenCommit committer, List<CommitMessage> messages, Set<String> replaced) {
            Set<String> live =
                    table.files().stream()
                            .map(entry -> entry.file().fileName())
                            .collect(Collectors.toSet());
            boolean meets = !live.containsAll(replaced);
            try {
                committer.commit(messages);
                history.add("commit");
                assertThat(meets).as("committed though files are gone").isFalse();
                return true;
            } catch (RuntimeException e) {
                history.add("fails");
                assertThat(meets).as("%s", e).isTrue();
                return false;
            }
        }

        private boolean commitAtOnce(State planned, long number, Map<Long, String> values)
                throws Exception {
            try (BlobUpdate update = table.builder().newUpdate()) {
                set(update, values);
                disturbSome();
                Set<String> before = table.disk().keySet();
                boolean lands = lands(planned, number, update::commit);
                if (!lands) {
                    assertThat(table.disk()).containsOnlyKeys(before);
                }
                return lands;
            }
        }

        private boolean commitPrepared(State planned, long number, Map<Long, String> values)
                throws Exception {
            SharedBlobUpdate shared =
                    random.nextBoolean() ? table.builder().newSharedUpdate() : null;
            BlobUpdateBuilder builder = table.builder();
            Set<String> written = new HashSet<>(table.disk().keySet());
            List<CommitMessage> messages;
            try (BlobUpdate update = shared == null ? builder.newUpdate() : shared.newUpdate()) {
                set(update, values);
                messages = update.prepareCommit();
            }
            Set<String> before = written;
            written = new HashSet<>(table.disk().keySet());
            written.removeAll(before);
            assertThat(written).isNotEmpty();
            disturbSome();
            BlobUpdateCommit committer = builder.newCommit();
            boolean lands =
                    lands(
                            planned,
                            number,
                            shared == null
                                    ? () -> committer.commit(messages)
                                    : () -> shared.commit(messages));
            if (!lands && shared == null) {
                committer.abort(messages);
                assertThat(table.disk().keySet()).doesNotContainAnyElementsOf(written);
            } else if (!lands) {
                deleteUncommitted(shared::deleteUncommitted, written);
            }
            return lands;
        }

        /** Files stay where snapshots that are gone may have had them. */
        private void deleteUncommitted(Step delete, Set<String> written) throws Exception {
            try {
                delete.run();
                assertThat(table.disk().keySet()).doesNotContainAnyElementsOf(written);
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("Cannot tell whether the commit of user");
                assertThat(startIsGone).as("%s", e).isTrue();
                assertThat(table.disk().keySet()).containsAll(written);
            }
        }

        private boolean lands(State planned, long number, Step commit) throws Exception {
            boolean meets = states.get(number) != planned || now().rewrite() != planned.rewrite();
            try {
                commit.run();
                history.add("commit");
                assertThat(meets).as("committed in spite of a conflict").isFalse();
                return true;
            } catch (BlobUpdateConflictException e) {
                history.add("conflict");
                assertThat(meets).as("%s", e).isTrue();
                return false;
            }
        }

        private void disturbSome() throws Exception {
            for (int i = random.nextInt(4); i > 0; i--) {
                disturb();
            }
        }

        private void disturb() throws Exception {
            switch (random.nextInt(7)) {
                case 0, 1 -> append();
                case 2 -> rollBack();
                case 3 -> switchBranches();
                case 4 -> update();
                case 5 -> {
                    if (random.nextBoolean()) {
                        compact();
                    } else {
                        flatten();
                    }
                }
                default -> {
                    if (random.nextInt(3) == 0) {
                        expire();
                    }
                }
            }
        }

        private void append() throws Exception {
            history.add("append");
            add(append(table.table(), now()));
        }

        /** Rows that no other append has, under the next row ids. */
        private State append(FileStoreTable to, State state) throws Exception {
            Map<Long, String> rows = new TreeMap<>();
            long rowId = to.latestSnapshot().map(snapshot -> snapshot.nextRowId()).orElse(0L);
            BatchWriteBuilder builder = to.newBatchWriteBuilder();
            try (BatchTableWrite write = builder.newWrite();
                    BatchTableCommit commit = builder.newCommit()) {
                for (int i = 0; i < 3; i++) {
                    String value = "pic" + nextName++;
                    write.write(GenericRow.of(i, blob(value), blob("doc"), 0));
                    rows.put(rowId++, value);
                }
                commit.commit(write.prepareCommit());
            }
            return state.with(rows);
        }

        private void rollBack() {
            List<Long> numbers = new ArrayList<>(states.keySet());
            long to = numbers.get(random.nextInt(numbers.size()));
            history.add("roll back to " + to);
            table.table().rollbackTo(to);
            states.tailMap(to, false).clear();
        }

        /** A branch of a snapshot takes the table's place, perhaps with rows of its own. */
        private void switchBranches() throws Exception {
            List<Long> numbers = new ArrayList<>(states.keySet());
            long from = numbers.get(random.nextInt(numbers.size()));
            String name = "b" + nextName++;
            table.table().createTag(name, from);
            table.table().createBranch(name, name);
            State own = null;
            if (random.nextBoolean()) {
                own = append(table.table().switchToBranch(name), states.get(from));
            }
            history.add("switch to a branch of " + from + (own == null ? "" : " with an append"));
            table.table().fastForward(name);
            startIsGone |= from > states.firstKey();
            states.tailMap(from, false).clear();
            if (own != null) {
                add(own);
            }
        }

        private void update() throws Exception {
            long rowId = Collections.max(now().rows().keySet());
            String value = "other" + nextName++;
            history.add("another update of " + rowId);
            try (BlobUpdate update = table.builder().newUpdate()) {
                update.set(rowId, "pic", blob(value)).commit();
            }
            add(now().with(Map.of(rowId, value)));
        }

        private void compact() throws Exception {
            history.add("compact");
            if (!table.compact().isEmpty()) {
                add(new State(now().rows(), ++nextName));
            }
        }

        private void flatten() throws Exception {
            history.add("flatten");
            if (!BlobFallback.newFlattenBuilder(table.table()).newFlatten().run().isEmpty()) {
                add(new State(now().rows(), now().rewrite()));
            }
        }

        private void expire() {
            history.add("expire");
            table.table()
                    .newExpireSnapshots()
                    .config(
                            ExpireConfig.builder()
                                    .snapshotRetainMax(1)
                                    .snapshotRetainMin(1)
                                    .snapshotTimeRetain(Duration.ZERO)
                                    .build())
                    .expire();
            startIsGone |= states.size() > 1;
            states.headMap(states.lastKey(), false).clear();
        }

        private State now() {
            return states.lastEntry().getValue();
        }

        private void add(State state) {
            states.put(states.lastKey() + 1, state);
            assertThat(table.table().latestSnapshot())
                    .hasValueSatisfying(
                            snapshot -> assertThat(snapshot.id()).isEqualTo(states.lastKey()));
        }

        private static void set(BlobUpdate update, Map<Long, String> values) {
            values.forEach(
                    (rowId, value) -> update.set(rowId, "pic", value == null ? null : blob(value)));
        }
    }

    private interface Step {

        void run() throws Exception;
    }
}
