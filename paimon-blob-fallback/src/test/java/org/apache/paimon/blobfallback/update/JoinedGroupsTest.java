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

import static org.apache.paimon.blobfallback.testtable.BlobLayer.PLACEHOLDER;
import static org.apache.paimon.blobfallback.testtable.LayeredTable.blob;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.flatten.FlattenCommit;
import org.apache.paimon.blobfallback.flatten.FlattenScan;
import org.apache.paimon.blobfallback.flatten.FlattenWriter;
import org.apache.paimon.blobfallback.flatten.JoinedBunches;
import org.apache.paimon.blobfallback.format.io.BlobReadMetrics;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.blobfallback.testtable.TableRows;
import org.apache.paimon.blobfallback.write.BlobTable;
import org.apache.paimon.blobfallback.write.UncommittedFiles;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.format.blob.BlobFileFormat;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.utils.Range;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** R24: updates and flattens of groups that blob files join. */
@Tag("slow")
class JoinedGroupsTest {

    @TempDir private java.nio.file.Path folder;

    private final CountingFileIO fileIO = CountingFileIO.vectored();
    private LayeredTable table;

    @AfterEach
    void everyStreamIsClosed() {
        fileIO.assertNothingOpen();
    }

    @Test
    void anUpdateWritesALayerForEachRangeOfNormalFilesThatItTouches() throws Exception {
        create();
        table.append(0, 2).append(3, 5).append(6, 8);
        table.layer("pic").file(1, "p1", "p2", "p3", PLACEHOLDER, "p5", "p6").commit();

        update(Map.of(2L, "u2", 4L, "u4"));

        assertThat(table.blobFiles("pic"))
                .filteredOn(file -> file.maxSequenceNumber() == 5)
                .extracting(DataFileMeta::nonNullRowIdRange)
                .containsExactly(new Range(0, 2), new Range(3, 5));
        assertThat(table.read("pic").values())
                .containsExactly("pic0", "p1", "u2", "p3", "u4", "p5", "p6", "pic7", "pic8");
    }

    @Test
    void joinedGroupsAreFlattenedInOneCommitToFilesOfOneGroupEach() throws Exception {
        create();
        table.append(0, 2).append(3, 5).append(6, 8);
        table.layer("pic").file(2, "p2", "p3", "p4", PLACEHOLDER).commit();
        update(Map.of(4L, "u4"));
        List<Object> pics = table.read("pic").values();
        long before = snapshot().id();
        assertThatThrownBy(() -> TableRows.of(table.stock()).columns("id", "pic").rows())
                .hasMessageContaining("should be all row id ranges same");
        BlobFlatten flatten = flatten().newFlatten();

        assertThat(flatten.groups()).containsExactly(new Range(0, 5), new Range(6, 8));
        List<BlobFlattenTask> plan = flatten.plan();
        List<BlobFlattenTask> done = flatten.run();

        assertThat(done).usingRecursiveFieldByFieldElementComparator().isEqualTo(plan);
        assertThat(done)
                .extracting(BlobFlattenTask::rowIds)
                .containsExactly(new Range(0, 2), new Range(3, 5));
        assertThat(done).extracting(BlobFlattenTask::layerCount).containsExactly(2, 3);
        assertThat(snapshot().id()).isEqualTo(before + 1);
        assertThat(snapshot().commitKind()).isEqualTo(Snapshot.CommitKind.COMPACT);
        assertThat(table.read("pic").values()).isEqualTo(pics);
        assertStockReads();
        // W6: each group keeps the number of its own newest layer.
        assertThat(table.blobFiles("pic"))
                .extracting(DataFileMeta::maxSequenceNumber)
                .containsExactly(4L, 5L, 3L);
        assertThat(flatten().newFlatten().plan()).isEmpty();
    }

    @Test
    void bytesOfAFileOfSeveralGroupsAreCountedOnce() throws Exception {
        create();
        table.append(0, 2).append(3, 5);
        table.layer("pic").file(0, "a", "bb", "ccc", "dddd", PLACEHOLDER, null).commit();
        long size = table.blobFiles("pic").stream().mapToLong(DataFileMeta::fileSize).sum();

        List<BlobFlattenTask> plan = flatten().withColumns("pic").newFlatten().plan();

        assertThat(plan).hasSize(2);
        assertThat(plan.get(0).bytesKept()).isEqualTo(3 * 16 + 1 + 2 + 3);
        assertThat(plan.get(1).bytesKept()).isEqualTo(2 * 16 + 4 + 4);
        // What of the second group goes: pic3 and pic5 and an index.
        assertThat(plan.get(1).bytesDropped()).isBetween(2 * (16L + 4), 2 * (16L + 4) + 20);
        assertThat(plan.stream().mapToLong(task -> task.bytesKept() + task.bytesDropped()).sum())
                .isEqualTo(size);
        assertThat(flatten().withColumns("pic").newFlatten().run())
                .usingRecursiveFieldByFieldElementComparator()
                .isEqualTo(plan);
    }

    /** The host lets no compaction pass where files of another column still join groups. */
    @Test
    void columnsThatJoinOtherGroupsAreFlattenedOneByOne() throws Exception {
        create();
        table.append(0, 2).append(3, 5).append(6, 8);
        table.layer("pic").file(2, "p2", "p3").commit();
        table.layer("doc").file(5, "d5", "d6").commit();
        List<List<Object>> rows = table.read("id", "pic", "doc").rows();

        assertThat(flatten().withColumns("pic").newFlatten().run())
                .extracting(BlobFlattenTask::rowIds)
                .containsExactly(new Range(0, 2), new Range(3, 5));

        assertThat(snapshot().commitKind()).isEqualTo(Snapshot.CommitKind.OVERWRITE);
        assertThat(table.read("id", "pic", "doc").rows()).isEqualTo(rows);
        assertThat(table.blobFiles("doc")).hasSize(4);
        assertThat(flatten().newFlatten().run())
                .extracting(BlobFlattenTask::toString)
                .hasSize(2)
                .allMatch(task -> task.startsWith("column doc"));
        assertThat(table.read("id", "pic", "doc").rows()).isEqualTo(rows);
        assertStockReads();
    }

    @Test
    void aBunchWithFewLayersIsFlattenedWithOneThatSharesItsFiles() throws Exception {
        create();
        table.append(0, 2);
        table.appendWithoutBlobs(3, 5);
        table.append(6, 8);
        table.layer("pic").file(2, "p2", "p3", "p4", "p5").commit();

        assertThat(flatten().withMoreLayersThan(2).newFlatten().plan()).isEmpty();
        assertThat(flatten().withMoreLayersThan(1).newFlatten().run())
                .extracting(BlobFlattenTask::layerCount)
                .containsExactly(2, 1);
        assertThat(table.read("pic").values())
                .containsExactly("pic0", "pic1", "p2", "p3", "p4", "p5", "pic6", "pic7", "pic8");
        assertThat(flatten().newFlatten().plan()).isEmpty();
    }

    /** Files of which no row is in a group would become a group when the others are gone. */
    @Test
    void blobsOfNoRowGoWithTheFlattenAndDoNotComeBackAsRows() throws Exception {
        create();
        table.append(0, 2);
        table.layer("pic").file(1, PLACEHOLDER, "p2", "p3", "p4").commit();
        table.layer("pic").file(4, "q4").commit();
        table.layer("doc").file(3, "d3").commit();

        assertThat(flatten().newFlatten().run()).hasSize(1);

        assertThat(table.read("pic").values()).containsExactly("pic0", "pic1", "p2");
        assertThat(table.read("doc").values()).containsExactly("doc0", "doc1", "doc2");
        assertStockReads();
    }

    @Test
    void aBlobFileOverTheRowsOfAnotherPartitionJoinsNothingOfIt() throws Exception {
        table =
                LayeredTable.create(
                        fileIO,
                        folder,
                        LayeredTable.options(
                                        Schema.newBuilder()
                                                .column("id", DataTypes.INT())
                                                .column("pic", DataTypes.BLOB())
                                                .column("day", DataTypes.INT()))
                                .partitionKeys("day")
                                .build());
        appendDay(1, 0, 2);
        appendDay(2, 3, 5);
        appendDay(1, 6, 8);
        table.layer("pic")
                .partition(BinaryRow.singleColumn(1))
                .file(1, "p1", "p2", "x", "x", "x", "p6")
                .commit();
        table.layer("pic").partition(BinaryRow.singleColumn(2)).file(4, "q4").commit();
        List<List<Object>> rows = sorted(table.read("_ROW_ID", "pic"));
        assertThat(rows.get(4)).isEqualTo(List.of(4L, "q4"));
        assertThat(rows.get(5)).isEqualTo(List.of(5L, "pic5"));

        BlobFlatten flatten = flatten().withPartitions(List.of(Map.of("day", "1"))).newFlatten();
        assertThat(flatten.groups()).containsExactly(new Range(0, 8));
        assertThat(flatten.run())
                .extracting(BlobFlattenTask::rowIds)
                .containsExactly(new Range(0, 2), new Range(6, 8));

        assertThat(sorted(table.read("_ROW_ID", "pic"))).isEqualTo(rows);
        assertThat(flatten().newFlatten().run())
                .extracting(BlobFlattenTask::rowIds)
                .containsExactly(new Range(3, 5));
        assertThat(sorted(table.read("_ROW_ID", "pic"))).isEqualTo(rows);
        assertThat(sorted(TableRows.of(table.stock()).columns("id", "pic"))).hasSize(9);
    }

    /** W6: an update that lands in a joined group while it is flattened stays on top. */
    @Test
    void anUpdateOfAJoinedGroupThatLandsMeanwhileStaysOnTop() throws Exception {
        create();
        table.append(0, 2).append(3, 5);
        table.layer("pic").file(2, "p2", "p3").commit();
        FlattenCommit commit = new FlattenCommit(table.stock(), "flatten");
        UncommittedFiles files = new UncommittedFiles(fileIO, commit.trail());
        CommitMessage message = write(files);

        update(Map.of(3L, "u3"));
        table.layer("pic").file(1, "v1", PLACEHOLDER, PLACEHOLDER, "v4").commit();
        commit.commit(List.of(message));

        assertThat(table.read("pic").values())
                .containsExactly("pic0", "v1", "p2", "u3", "v4", "pic5");
        flatten().newFlatten().run();
        assertThat(table.read("pic").values())
                .containsExactly("pic0", "v1", "p2", "u3", "v4", "pic5");
        assertStockReads();
    }

    /** W6: of two flattens of joined groups one wins, and the other leaves no file. */
    @Test
    void ofTwoFlattensOfJoinedGroupsOneWins() throws Exception {
        create();
        table.append(0, 2).append(3, 5);
        table.layer("pic").file(2, "p2", "p3").commit();
        FlattenCommit loser = new FlattenCommit(table.stock(), "loser");
        UncommittedFiles files = new UncommittedFiles(fileIO, loser.trail());
        CommitMessage message = write(files);
        // The share of another task: it takes all that is joined, or nothing.
        assertThat(flatten().newFlatten().run(List.of(new Range(4, 4)))).hasSize(2);
        Set<String> live = names();

        assertThatThrownBy(() -> loser.commit(List.of(message)))
                .isInstanceOf(RuntimeException.class)
                .hasMessageContaining("conflict");
        files.delete();

        assertThat(names()).isEqualTo(live);
        assertStockReads();
        assertThat(flatten().newFlatten().run(List.of(new Range(1, 1)))).isEmpty();
    }

    @Test
    void groupsWithoutANormalFileAreNotFlattened() throws Exception {
        create();
        table.append(0, 2);
        table.layer("pic").file(7, "p7").commit();

        assertThatThrownBy(() -> flatten().newFlatten().plan(List.of(new Range(7, 7))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has blob files of the row ids [7, 7] and no normal file")
                .hasMessageContaining(table.blobFiles("pic").get(1).fileName());
    }

    /** Random files over any rows of a table, updates and flattens between, against a model. */
    @Test
    void eachRowKeepsItsValuesForAnyBlobFiles() throws Exception {
        long seed = Long.getLong("joined.seed", 20261201);
        for (int i = 0; i < 25; i++) {
            new RandomTable(seed + i).run();
        }
    }

    private final class RandomTable {

        private final long seed;
        private final Random random;
        private final Map<String, TreeMap<Long, Object>> model = new TreeMap<>();
        private final List<String> history = new ArrayList<>();
        private long rows;

        private RandomTable(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            model.put("pic", new TreeMap<>());
            model.put("doc", new TreeMap<>());
        }

        private void run() throws Exception {
            table =
                    LayeredTable.create(
                            fileIO,
                            folder.resolve("t" + seed),
                            LayeredTable.schema()
                                    .option(
                                            "blob.target-file-size",
                                            random.nextBoolean() ? "60 b" : "1 mb")
                                    .build());
            for (int i = 2 + random.nextInt(4); i >= 0; i--) {
                append();
            }
            for (int step = 0; step < 8; step++) {
                switch (random.nextInt(6)) {
                    case 0 -> append();
                    case 1 -> updateSome();
                    case 2 -> flattenSome();
                    default -> layer();
                }
                check();
            }
            history.add("flatten all");
            flatten().newFlatten().run();
            check();
            assertThat(flatten().newFlatten().plan()).as("%s", this).isEmpty();
            assertStockReads();
        }

        private void append() throws Exception {
            int to = (int) rows + random.nextInt(4);
            history.add("append " + rows + " to " + to);
            table.append((int) rows, to);
            for (; rows <= to; rows++) {
                model.get("pic").put(rows, "pic" + rows);
                model.get("doc").put(rows, "doc" + rows);
            }
        }

        private void layer() throws Exception {
            String column = random.nextBoolean() ? "pic" : "doc";
            long from = random.nextInt((int) rows);
            List<Object> values = new ArrayList<>();
            for (long row = from; row < rows && random.nextInt(8) > 0; row++) {
                Object value =
                        switch (random.nextInt(4)) {
                            case 0 -> PLACEHOLDER;
                            case 1 -> null;
                            default -> "l" + history.size() + "." + row;
                        };
                values.add(value);
                if (value != PLACEHOLDER) {
                    model.get(column).put(row, value);
                }
            }
            if (!values.isEmpty()) {
                history.add("layer of " + column + " at " + from + ": " + values.size());
                table.layer(column).file(from, values.toArray()).commit();
            }
        }

        private void updateSome() throws Exception {
            long row = random.nextInt((int) rows);
            String value = "u" + history.size();
            history.add("update " + row);
            update(Map.of(row, value));
            model.get("pic").put(row, value);
        }

        private void flattenSome() throws IOException {
            BlobFlattenBuilder builder = flatten();
            if (random.nextBoolean()) {
                builder.withColumns(random.nextBoolean() ? "pic" : "doc");
            }
            builder.withMoreLayersThan(random.nextInt(3));
            history.add("flatten");
            history.add(" " + builder.newFlatten().run());
        }

        private void check() throws Exception {
            List<List<Object>> expected = new ArrayList<>();
            for (long row = 0; row < rows; row++) {
                expected.add(
                        Arrays.asList(
                                row,
                                (int) row,
                                model.get("pic").get(row),
                                model.get("doc").get(row)));
            }
            assertThat(sorted(table.read("_ROW_ID", "id", "pic", "doc")))
                    .as("%s", this)
                    .isEqualTo(expected);
            assertThat(sorted(table.read("_ROW_ID", "doc")))
                    .as("%s", this)
                    .isEqualTo(
                            expected.stream()
                                    .map(row -> Arrays.asList(row.get(0), row.get(3)))
                                    .toList());
            assertThat(BlobFallback.verify(table.table()).faults()).as("%s", this).isEmpty();
        }

        @Override
        public String toString() {
            return "seed " + seed + " after " + history;
        }
    }

    private void create() throws Exception {
        table = LayeredTable.create(fileIO, folder);
    }

    private void appendDay(int day, int from, int to) throws Exception {
        List<GenericRow> rows = new ArrayList<>();
        for (int id = from; id <= to; id++) {
            rows.add(GenericRow.of(id, blob("pic" + id), day));
        }
        table.append(table.stock().rowType(), rows);
    }

    private void update(Map<Long, String> pics) throws IOException {
        try (BlobUpdate update = BlobFallback.newUpdateBuilder(table.stock()).newUpdate()) {
            pics.forEach((rowId, value) -> update.set(rowId, "pic", blob(value)));
            update.commit();
        }
    }

    private BlobFlattenBuilder flatten() {
        return BlobFallback.newFlattenBuilder(table.stock());
    }

    private CommitMessage write(UncommittedFiles files) throws IOException {
        JoinedBunches joined =
                new FlattenScan(table.stock(), BlobTable.columns(table.stock()))
                        .groups(snapshot(), List.of(new Range(0, 0)), null)
                        .get(0)
                        .due(0, new BlobReadMetrics());
        return new FlattenWriter(table.stock(), files, new BlobReadMetrics()).write(joined);
    }

    private Snapshot snapshot() {
        return table.stock().snapshotManager().latestSnapshot();
    }

    private Set<String> names() {
        Set<String> names = new HashSet<>();
        table.files().forEach(file -> names.add(file.fileName()));
        return names;
    }

    /** The host without the plugin reads the same, as no file is of several groups any more. */
    private void assertStockReads() throws IOException {
        List<ManifestEntry> entries = table.stock().store().newScan().plan().files();
        for (Group<ManifestEntry> group : Group.ofEntries(entries)) {
            assertThat(group.files())
                    .extracting(ManifestEntry::file)
                    .filteredOn(file -> BlobFileFormat.isBlobFile(file.fileName()))
                    .allMatch(
                            file ->
                                    group.range().from <= file.nonNullRowIdRange().from
                                            && file.nonNullRowIdRange().to <= group.range().to);
        }
        assertThat(sorted(TableRows.of(table.stock()).columns("id", "pic", "doc")))
                .isEqualTo(sorted(table.read("id", "pic", "doc")));
    }

    private static List<List<Object>> sorted(TableRows read) throws IOException {
        List<List<Object>> rows = new ArrayList<>(read.rows());
        rows.sort(
                (a, b) ->
                        Long.compare(
                                ((Number) a.get(0)).longValue(), ((Number) b.get(0)).longValue()));
        return rows;
    }
}
