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

package org.apache.paimon.blobfallback.table;

import static org.apache.paimon.blobfallback.testtable.BlobLayer.PLACEHOLDER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.blobfallback.testtable.OnLayeredTable;
import org.apache.paimon.blobfallback.testtable.TableRows;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.Path;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.table.FallbackReadFileStoreTable;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.StreamTableScan;
import org.apache.paimon.table.source.TableScan;
import org.apache.paimon.table.system.SnapshotsTable;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.utils.InstantiationUtil;
import org.apache.paimon.utils.Range;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The properties of the wrapped table, and of all copies of it. */
@SuppressWarnings("try") // The host's own closeables throw Exception.
class BlobFallbackTableTest extends OnLayeredTable {

    private static final String ENABLED = "blob-fallback.enabled";

    @BeforeEach
    void writeLayers() throws Exception {
        table.append(0, 2);
        table.layer("pic").file(0, "new", PLACEHOLDER, null).commit();
    }

    @Test
    void wrappingTwiceIsWrappingOnce() {
        FileStoreTable once = BlobFallback.wrap(table.stock());

        assertThat(once).isInstanceOf(BlobFallbackTable.class);
        assertThat(BlobFallback.wrap(once)).isSameAs(once);
        assertThat(BlobFallback.wrap((Table) once)).isSameAs(once);
        assertThat(((BlobFallbackTable) once).wrapped()).isNotInstanceOf(BlobFallbackTable.class);
    }

    @Test
    void aTableWithNothingToDoIsHandedBackAsItIs() throws Exception {
        Schema.Builder noEvolution =
                column(Schema.newBuilder())
                        .column("text", DataTypes.STRING())
                        .option("bucket", "-1");
        Schema.Builder key = column(Schema.newBuilder()).primaryKey("id").option("bucket", "1");
        for (Schema.Builder schema : List.of(noEvolution, key)) {
            java.nio.file.Path place = Files.createTempDirectory(folder, "nothing-to-do");
            FileStoreTable stock = LayeredTable.create(fileIO, place, schema.build()).stock();
            assertThat(BlobFallback.wrap(stock)).isSameAs(stock);
        }
        Table snapshots = new SnapshotsTable(table.stock());
        assertThat(BlobFallback.wrap(snapshots)).isSameAs(snapshots);
    }

    @Test
    void everyKindOfCopyIsWrappedAgainAndReads() throws IOException {
        List<UnaryOperator<FileStoreTable>> copies =
                List.of(
                        t -> t.copy(Map.of("read.batch-size", "7")),
                        t -> t.copy(t.schema()),
                        t -> t.copyWithoutTimeTravel(Map.of("read.batch-size", "7")),
                        FileStoreTable::copyWithLatestSchema,
                        t -> t.copy(Map.of()).copyWithLatestSchema().copy(t.schema()));
        for (UnaryOperator<FileStoreTable> copy : copies) {
            FileStoreTable copied = copy.apply(table.table());
            assertThat(copied).isInstanceOf(BlobFallbackTable.class);
            assertThat(pics(copied)).containsExactly("new", "pic1", null);
        }
    }

    @Test
    void aCopyWithTheLatestSchemaHasTheColumnsAddedMeanwhile() throws Exception {
        FileStoreTable before = table.table();
        table.alter(SchemaChange.addColumn("late", DataTypes.BLOB()));

        FileStoreTable after = before.copyWithLatestSchema();
        assertThat(before.rowType().getFieldNames()).doesNotContain("late");
        assertThat(after.rowType().getFieldNames()).contains("late");
        assertThat(after).isInstanceOf(BlobFallbackTable.class);
        assertThat(pics(after)).containsExactly("new", "pic1", null);
    }

    @Test
    void theOptionIsObeyedByEachCopyAnew() throws IOException {
        FileStoreTable off = BlobFallback.wrap(table.stock());
        assertThat(((BlobFallbackTable) off).isEnabled()).isFalse();
        FileStoreTable on = off.copy(Map.of(ENABLED, "true"));
        assertThat(pics(on)).containsExactly("new", "pic1", null);
        FileStoreTable offAgain = on.copyWithoutTimeTravel(Map.of(ENABLED, "false"));

        assertThatThrownBy(() -> TableRows.of(offAgain).columns("id", "pic").rows())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("placeholder");
    }

    @Test
    void theTablesOwnOptionIsObeyed() throws Exception {
        table.alter(SchemaChange.setOption(ENABLED, "true"));
        FileStoreTable wrapped = BlobFallback.wrap(table.stock());

        assertThat(pics(wrapped)).containsExactly("new", "pic1", null);
        assertThat(((BlobFallbackTable) wrapped.copy(Map.of(ENABLED, "false"))).isEnabled())
                .isFalse();
    }

    @Test
    void aTableThatCameOverTheWireReads() throws Exception {
        FileStoreTable travelled =
                InstantiationUtil.clone(table.table(), getClass().getClassLoader());

        assertThat(travelled).isInstanceOf(BlobFallbackTable.class);
        assertThat(((BlobFallbackTable) travelled).isEnabled()).isTrue();
        assertThat(pics(travelled)).containsExactly("new", "pic1", null);
    }

    /** The read is made on one machine, the split on another. */
    @Test
    void splitsTravelToTheTableThatReadsThem() throws Exception {
        FileStoreTable planner = table.table();
        List<Object> found = new ArrayList<>();
        for (TableScan scan :
                List.of(
                        planner.newReadBuilder().newScan(),
                        planner.newReadBuilder()
                                .withRowRanges(List.of(new Range(1, 2)))
                                .newScan())) {
            for (Split split : scan.plan().splits()) {
                FileStoreTable reader =
                        InstantiationUtil.clone(table.table(), getClass().getClassLoader());
                Split travelled = InstantiationUtil.clone(split, getClass().getClassLoader());
                try (RecordReader<InternalRow> rows =
                        reader.newReadBuilder().newRead().createReader(travelled)) {
                    rows.forEachRemaining(
                            row ->
                                    found.add(
                                            row.isNullAt(2)
                                                    ? "null"
                                                    : new String(row.getBlob(2).toData())));
                }
            }
        }
        assertThat(found).containsExactly("new", "pic1", "null", "pic1", "null");
    }

    @Test
    void snapshotsAndTagsAreReadAsTheyWere() throws Exception {
        table.stock().createTag("before", 1);
        table.layer("pic").file(1, "newer").commit();
        FileStoreTable wrapped = table.table();

        assertThat(pics(wrapped)).containsExactly("new", "newer", null);
        assertThat(pics(wrapped.copy(Map.of("scan.snapshot-id", "2"))))
                .containsExactly("new", "pic1", null);
        assertThat(pics(wrapped.copy(Map.of("scan.tag-name", "before"))))
                .containsExactly("pic0", "pic1", "pic2");
        assertThat(pics(wrapped.copy(Map.of("scan.version", "before"))))
                .containsExactly("pic0", "pic1", "pic2");
    }

    @Test
    void aBranchIsWrappedAgainAndReadsItsOwnLayers() throws Exception {
        table.stock().createTag("start", 2);
        table.stock().createBranch("side", "start");
        FileStoreTable side = table.table().switchToBranch("side");
        assertThat(side).isInstanceOf(BlobFallbackTable.class);

        table.layer("pic").file(1, "main only").commit();
        assertThat(pics(table.table())).containsExactly("new", "main only", null);
        // The option came with a copy, which a switch of branches leaves behind as the host does.
        assertThat(pics(side.copy(Map.of(ENABLED, "true")))).containsExactly("new", "pic1", null);
        assertThat(table.table().switchToBranch("side").switchToBranch("main"))
                .isInstanceOf(BlobFallbackTable.class);
    }

    @Test
    void equalTablesHaveEqualHashCodesAndTheSameDefaults() throws Exception {
        FileStoreTable one = wrapped(Map.of());
        FileStoreTable same = wrapped(Map.of());

        assertThat(one).isEqualTo(same).hasSameHashCodeAs(same);
        assertThat(travel(one)).isEqualTo(one).hasSameHashCodeAs(one);
        assertThat(wrapped(Map.of(ENABLED, "true")))
                .isNotEqualTo(one)
                .isEqualTo(wrapped(Map.of(ENABLED, "true", "warehouse", "elsewhere")));
        assertThat(one.copy(Map.of(ENABLED, "true"))).isNotEqualTo(one);
        assertThat(one).isNotEqualTo(table.stock());

        table.stock().createTag("start", 2);
        table.stock().createBranch("other", "start");
        table.alter(SchemaChange.setOption("scan.fallback-branch", "other"));
        FileStoreTable pair = wrapped(Map.of());
        assertThat(pair).isInstanceOf(BranchPairTable.class);
        assertThat(pair).isEqualTo(wrapped(Map.of())).hasSameHashCodeAs(wrapped(Map.of()));
        assertThat(pair).isNotEqualTo(wrapped(Map.of(ENABLED, "true"))).isNotEqualTo(one);
        new SchemaManager(fileIO, table.path(), "other")
                .commitChanges(SchemaChange.setOption("read.batch-size", "7"));
        assertThat(pair).as("the branch has changed").isNotEqualTo(wrapped(Map.of()));
    }

    private FileStoreTable wrapped(Map<String, String> catalogOptions) {
        return BlobFallbackTable.wrap(table.stock(), TableDefaults.of(catalogOptions));
    }

    @Test
    void aPairOfBranchesReadsBothThroughThePlugin() throws Exception {
        table.alter(SchemaChange.setOption(ENABLED, "true"));
        table.stock().createTag("start", 2);
        table.stock().createBranch("other", "start");
        table.alter(SchemaChange.setOption("scan.fallback-branch", "other"));

        FileStoreTable pair = BlobFallback.wrap(table.stock());
        assertThat(pair).isInstanceOf(FallbackReadFileStoreTable.class);
        assertThat(BlobFallback.wrap(pair)).isSameAs(pair);
        List<UnaryOperator<FileStoreTable>> copies =
                List.of(
                        UnaryOperator.identity(),
                        t -> t.copy(Map.of("read.batch-size", "7")),
                        t -> t.copy(t.schema()),
                        t -> t.copyWithoutTimeTravel(Map.of("read.batch-size", "7")),
                        FileStoreTable::copyWithLatestSchema,
                        t -> t.switchToBranch("main"),
                        BlobFallbackTableTest::travel);
        for (UnaryOperator<FileStoreTable> copy : copies) {
            FileStoreTable copied = copy.apply(pair);
            assertThat(copied).isInstanceOf(BranchPairTable.class);
            assertThat(((FallbackReadFileStoreTable) copied).wrapped())
                    .isInstanceOf(BlobFallbackTable.class);
            assertThat(((FallbackReadFileStoreTable) copied).other())
                    .isInstanceOf(BlobFallbackTable.class);
            assertThat(pics(copied)).containsExactly("new", "pic1", null);
        }
    }

    /** Partitions that the main branch lacks come from the other one, with its layers. */
    @Test
    void aPartitionOfTheFallbackBranchAloneReadsWithItsLayers() throws Exception {
        Schema schema =
                LayeredTable.schema()
                        .column("part", DataTypes.INT())
                        .partitionKeys("part")
                        .option(ENABLED, "true")
                        .build();
        LayeredTable main = LayeredTable.create(fileIO, folder.resolve("pair"), schema);
        main.stock().createBranch("other");
        FileStoreTable other = main.stock().switchToBranch("other");
        try (var write = other.newBatchWriteBuilder().newWrite();
                var commit = other.newBatchWriteBuilder().newCommit()) {
            write.write(row(0, 7));
            write.write(row(1, 7));
            commit.commit(write.prepareCommit());
        }
        try (var update =
                BlobFallback.newUpdateBuilder(main.stock().switchToBranch("other")).newUpdate()) {
            update.set(1, "pic", LayeredTable.blob("new"));
            update.commit();
        }
        main.append(main.stock().rowType(), List.of(row(5, 1)));
        main.alter(SchemaChange.setOption("scan.fallback-branch", "other"));

        assertThat(
                        TableRows.of(BlobFallback.wrap(main.stock()))
                                .columns("part", "id", "pic")
                                .rows())
                .containsExactlyInAnyOrder(
                        List.of(1, 5, "pic5"), List.of(7, 0, "pic0"), List.of(7, 1, "new"));
    }

    @Test
    void countsAndFiltersOnNormalColumnsAreTheHosts() throws Exception {
        FileStoreTable wrapped = table.table();
        PredicateBuilder predicates = new PredicateBuilder(wrapped.rowType());
        table.append(10, 12);
        List<Split> splits =
                wrapped.newReadBuilder()
                        .withFilter(predicates.greaterThan(0, 9))
                        .newScan()
                        .plan()
                        .splits();

        assertThat(splits.stream().mapToLong(Split::rowCount).sum()).isPositive();
        assertThat(pics(wrapped)).hasSize(6);
        assertThat(wrapped.newReadBuilder().withLimit(1).newScan().plan().splits()).isNotEmpty();
    }

    /** R15: what each snapshot brought, and never a placeholder. */
    @Test
    void aStreamReadsTheFirstPlanWholeAndThenWhatEachSnapshotBrings() throws Exception {
        FileStoreTable wrapped = table.table();
        StreamTableScan scan = wrapped.newReadBuilder().newStreamScan();
        assertThat(TableRows.picsOf(wrapped, scan.plan().splits()))
                .containsExactly("new", "pic1", null);

        table.append(3, 4);
        assertThat(TableRows.picsOf(wrapped, scan.plan().splits())).containsExactly("pic3", "pic4");
        table.layer("pic").file(0, PLACEHOLDER, "newest", PLACEHOLDER).commit();
        assertThat(TableRows.picsOf(wrapped, scan.plan().splits()))
                .containsExactly(null, "newest", null);
    }

    @Test
    void theTableIsTheHostsInEverythingElse() {
        FileStoreTable wrapped = table.table();
        FileStoreTable stock = table.stock();

        assertThat(wrapped.name()).isEqualTo(stock.name());
        assertThat(wrapped.fullName()).isEqualTo(stock.fullName());
        assertThat(wrapped.rowType()).isEqualTo(stock.rowType());
        assertThat(wrapped.location()).isEqualTo(new Path(table.path().toString()));
        assertThat(wrapped.uuid()).isEqualTo(stock.uuid());
        assertThat(wrapped.latestSnapshot()).isEqualTo(stock.latestSnapshot());
        assertThat(wrapped.snapshot(1)).isEqualTo(stock.snapshot(1));
        assertThat(wrapped.schema().fields()).isEqualTo(stock.schema().fields());
        assertThat(wrapped.statistics()).isEqualTo(stock.statistics());
    }

    /** The wrapped table writes as the host does. */
    @Test
    void rowsWrittenThroughTheWrappedTableAreTheHosts() throws Exception {
        FileStoreTable wrapped = table.table();
        try (var write = wrapped.newBatchWriteBuilder().newWrite();
                var commit = wrapped.newBatchWriteBuilder().newCommit()) {
            write.write(GenericRow.of(9, LayeredTable.string("n"), LayeredTable.blob("p"), null));
            commit.commit(write.prepareCommit());
        }
        assertThat(table.read("id", "pic").range(3, 3).rows()).containsExactly(List.of(9, "p"));
    }

    private static List<Object> pics(FileStoreTable table) throws IOException {
        return TableRows.of(table).columns("pic").values();
    }

    private static FileStoreTable travel(FileStoreTable table) {
        try {
            return InstantiationUtil.clone(table, BlobFallbackTableTest.class.getClassLoader());
        } catch (IOException | ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static GenericRow row(int id, int part) {
        return GenericRow.of(
                id,
                LayeredTable.string("name" + id),
                LayeredTable.blob("pic" + id),
                LayeredTable.blob("doc" + id),
                part);
    }

    private static Schema.Builder column(Schema.Builder schema) {
        return schema.column("id", DataTypes.INT());
    }
}
