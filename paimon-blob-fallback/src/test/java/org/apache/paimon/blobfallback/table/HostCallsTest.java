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
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.apache.paimon.FileStore;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.blobfallback.testtable.OnLayeredTable;
import org.apache.paimon.blobfallback.testtable.TableRows;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.Path;
import org.apache.paimon.globalindex.GlobalIndexResult;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.BucketEntry;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.PartitionEntry;
import org.apache.paimon.operation.LocalOrphanFilesClean;
import org.apache.paimon.operation.PartitionExpire;
import org.apache.paimon.options.ExpireConfig;
import org.apache.paimon.options.MemorySize;
import org.apache.paimon.partition.PartitionUpdateTimeExpireStrategy;
import org.apache.paimon.predicate.FieldRef;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.predicate.SortValue;
import org.apache.paimon.predicate.TopN;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.shade.caffeine2.com.github.benmanes.caffeine.cache.Cache;
import org.apache.paimon.shade.caffeine2.com.github.benmanes.caffeine.cache.Caffeine;
import org.apache.paimon.stats.SimpleStatsEvolutions;
import org.apache.paimon.stats.Statistics;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.table.sink.StreamTableCommit;
import org.apache.paimon.table.sink.StreamTableWrite;
import org.apache.paimon.table.sink.StreamWriteBuilder;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.DataTableScan;
import org.apache.paimon.table.source.InnerTableScan;
import org.apache.paimon.table.source.PushDownUtils;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.ScanMode;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.StreamDataTableScan;
import org.apache.paimon.table.source.TableRead;
import org.apache.paimon.table.source.snapshot.SnapshotReader;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.DVMetaCache;
import org.apache.paimon.utils.InstantiationUtil;
import org.apache.paimon.utils.Range;
import org.apache.paimon.utils.RowRangeIndex;
import org.apache.paimon.utils.SegmentsCache;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls that the wrapped table answers as the host does are right on a table with layers. */
@SuppressWarnings("try") // The host's own closeables throw Exception.
class HostCallsTest extends OnLayeredTable {

    private static final String ENABLED = "blob-fallback.enabled";

    /** Rows 0 to 2 in one group and 3 to 4 in another; two layers over the first. */
    @BeforeEach
    void writeLayers() throws Exception {
        table.append(0, 2);
        table.append(3, 4);
        table.layer("pic").file(0, "new", PLACEHOLDER, null).commit();
        table.layer("pic").file(0, PLACEHOLDER, "newer", PLACEHOLDER).commit();
    }

    @Test
    void partitionsAndBucketsCountRowsOnce() throws Exception {
        FileStoreTable wrapped = table.table();

        List<PartitionEntry> partitions = wrapped.newScan().listPartitionEntries();
        assertThat(partitions).hasSize(1);
        assertThat(partitions.get(0).recordCount()).isEqualTo(5);
        assertThat(partitions.get(0).fileCount()).isEqualTo(table.files().size());
        assertThat(partitions.get(0).fileSizeInBytes())
                .isEqualTo(table.files().stream().mapToLong(DataFileMeta::fileSize).sum());
        List<BucketEntry> buckets = wrapped.newSnapshotReader().bucketEntries();
        assertThat(buckets).extracting(BucketEntry::recordCount).containsExactly(5L);
        assertThat(buckets)
                .extracting(BucketEntry::fileCount)
                .containsExactly((long) table.files().size());
    }

    @Test
    void eachPartitionCountsItsOwnRows() throws Exception {
        LayeredTable partitioned = partitioned();

        Map<Integer, Long> rows = new TreeMap<>();
        for (PartitionEntry entry : partitioned.table().newScan().listPartitionEntries()) {
            rows.put(entry.partition().getInt(0), entry.recordCount());
        }
        assertThat(rows).containsExactly(Map.entry(1, 2L), Map.entry(2, 1L));
        assertThat(partitioned.table().newScan().listPartitions())
                .extracting(row -> row.getInt(0))
                .containsExactlyInAnyOrder(1, 2);
        assertThat(partitioned.table().newSnapshotReader().withLimit(1).partitionEntries())
                .hasSize(2)
                .allMatch(entry -> entry.recordCount() > 0);
        assertThat(
                        partitioned
                                .table()
                                .newScan()
                                .withPartitionFilter(Map.of("part", "2"))
                                .plan()
                                .splits())
                .hasSize(1);
    }

    @Test
    void filesOfTheReaderAreThoseOfTheSnapshot() {
        SnapshotReader reader = table.table().newSnapshotReader();
        List<String> names = new ArrayList<>();
        reader.readFileIterator().forEachRemaining(entry -> names.add(entry.file().fileName()));

        assertThat(names)
                .containsExactlyInAnyOrderElementsOf(
                        table.files().stream().map(DataFileMeta::fileName).toList());
        assertThat(reader.partitions()).containsExactly(BinaryRow.EMPTY_ROW);
        int entries = 0;
        for (var manifest : reader.manifestsReader().read(null, ScanMode.ALL).allManifests) {
            entries += reader.readManifest(manifest).size();
        }
        assertThat(entries).isEqualTo(names.size());
        assertThat(reader.snapshotManager().latestSnapshotId()).isEqualTo(4);
        assertThat(reader.changelogManager().latestLongLivedChangelogId()).isNull();
        assertThat(reader.pathFactory().bucketPath(BinaryRow.EMPTY_ROW, 0).getName())
                .isEqualTo("bucket-0");
        assertThat(reader.splitGenerator().alwaysRawConvertible()).isFalse();
        assertThat(reader.hasNonPartitionFilter()).isFalse();
    }

    @Test
    void expiredSnapshotsTakeAwayOnlyWhatNoSnapshotAndNoTagShows() throws Exception {
        FileStoreTable wrapped = table.table();
        wrapped.createTag("two", 2);
        int expired = expire(wrapped);

        assertThat(expired).isEqualTo(3);
        assertThat(pics(table.table())).containsExactly("new", "newer", null, "pic3", "pic4");
        assertThat(pics(table.table().copy(Map.of("scan.tag-name", "two"))))
                .containsExactly("pic0", "pic1", "pic2", "pic3", "pic4");
        wrapped.renameTag("two", "second");
        wrapped.deleteTag("second");
        assertThat(pics(table.table())).containsExactly("new", "newer", null, "pic3", "pic4");
    }

    @Test
    void flattenedLayersGoWithTheSnapshotsThatShowThem() throws Exception {
        try (var flatten = BlobFallback.newFlattenBuilder(table.table()).newFlatten()) {
            flatten.run();
        }
        expire(table.table());

        assertThat(dataFiles()).hasSize(table.files().size());
        assertThat(pics(table.table())).containsExactly("new", "newer", null, "pic3", "pic4");
    }

    @Test
    void theSearchForOrphansLeavesEachLayer() throws Exception {
        FileStoreTable wrapped = table.table();
        Path orphan = new Path(new Path(table.path(), "bucket-0"), "data-orphan-0.blob");
        fileIO.writeFile(orphan, "orphan", false);
        long later = System.currentTimeMillis() + Duration.ofDays(1).toMillis();

        assertThat(new LocalOrphanFilesClean(wrapped, later).clean().getDeletedFileCount())
                .isEqualTo(1);
        assertThat(fileIO.exists(orphan)).isFalse();
        assertThat(pics(wrapped)).containsExactly("new", "newer", null, "pic3", "pic4");
    }

    @Test
    void aRollbackShowsTheLayersOfThen() throws Exception {
        FileStoreTable wrapped = table.table();
        wrapped.createTag("three", 3);
        wrapped.rollbackTo(3);
        assertThat(pics(table.table())).containsExactly("new", "pic1", null, "pic3", "pic4");
        table.layer("pic").file(0, "again", PLACEHOLDER, PLACEHOLDER).commit();
        assertThat(pics(wrapped)).containsExactly("again", "pic1", null, "pic3", "pic4");
        wrapped.rollbackTo("three");
        assertThat(pics(wrapped)).containsExactly("new", "pic1", null, "pic3", "pic4");
    }

    @Test
    void tagsAreMadeMovedAndDeletedAsTheHostDoes() throws Exception {
        FileStoreTable wrapped = table.table();
        wrapped.createTag("latest");
        wrapped.createTag("timed", Duration.ofDays(1));
        wrapped.createTag("third", 3, Duration.ofDays(1));
        wrapped.replaceTag("latest", 3L, null);
        assertThat(pics(wrapped.copy(Map.of("scan.tag-name", "latest"))))
                .containsExactly("new", "pic1", null, "pic3", "pic4");
        wrapped.deleteTags("latest,timed,third");
        assertThat(wrapped.tagManager().allTagNames()).isEmpty();
        assertThat(wrapped.newTagAutoManager().getTagAutoCreation()).isNull();
    }

    @Test
    void aBranchTakesOverWithItsLayers() throws Exception {
        FileStoreTable wrapped = table.table();
        wrapped.createTag("three", 3);
        wrapped.createBranch("side", "three");
        wrapped.createBranch("empty");
        wrapped.createBranch("empty", true);
        wrapped.renameBranch("empty", "other");
        wrapped.deleteBranches("other");
        FileStoreTable side = wrapped.switchToBranch("side").copy(Map.of(ENABLED, "true"));
        try (var update = BlobFallback.newUpdateBuilder(side).newUpdate()) {
            update.set(2, "pic", LayeredTable.blob("side"));
            update.commit();
        }
        assertThat(pics(wrapped)).containsExactly("new", "newer", null, "pic3", "pic4");
        wrapped.fastForward("side");
        assertThat(pics(table.table())).containsExactly("new", "pic1", "side", "pic3", "pic4");
        assertThat(wrapped.branchManager().branches()).containsExactly("side");
    }

    @Test
    void aRollbackAfterFastForwardsLeavesNoSnapshotAfterItsTarget() throws Exception {
        FileStoreTable wrapped = table.table();
        fastForwardTwice(wrapped);
        assertThat(snapshots()).containsExactlyElementsOf(upTo(latest()));
        wrapped.rollbackTo(3);
        assertThat(snapshots()).containsExactly(1L, 2L, 3L);
        assertThat(latest()).isEqualTo(3);
        assertThat(pics(table.table())).containsExactly("new", "pic1", null, "pic3", "pic4");
    }

    @Test
    void aRollbackCorrectsTheHintThatTheHostHasLeft() throws Exception {
        FileStoreTable stock = table.stock();
        fastForwardTwice(stock);
        assertThat(stock.snapshotManager().earliestSnapshotId()).isGreaterThan(3);
        table.table().createTag("first", 1);
        table.table().rollbackTo("first");
        assertThat(snapshots()).containsExactly(1L);
        assertThat(pics(table.table())).containsExactly("pic0", "pic1", "pic2");
    }

    @Test
    void aRollbackBehindExpiredSnapshotsIsRefused() throws Exception {
        FileStoreTable wrapped = table.table();
        wrapped.snapshotManager().deleteSnapshot(2);
        wrapped.snapshotManager().commitEarliestHint(3);
        assertThatThrownBy(() -> wrapped.rollbackTo(1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "Cannot roll back table %s to snapshot 1: snapshots between it and"
                                + " snapshot 3, the earliest of the table, have expired",
                        wrapped.fullName());
        assertThat(pics(table.table())).containsExactly("new", "newer", null, "pic3", "pic4");
    }

    /** Of a branch whose earliest snapshot is the table's latest. */
    private void fastForwardTwice(FileStoreTable main) throws Exception {
        main.createTag("last", latest());
        main.createBranch("side", "last");
        for (int i = 0; i < 2; i++) {
            FileStoreTable side =
                    table.table().switchToBranch("side").copy(Map.of(ENABLED, "true"));
            try (var update = BlobFallback.newUpdateBuilder(side).newUpdate()) {
                update.set(2, "pic", LayeredTable.blob("side" + i));
                update.commit();
            }
            main.fastForward("side");
        }
        assertThat(pics(table.table())).containsExactly("new", "newer", "side1", "pic3", "pic4");
    }

    private long latest() throws Exception {
        return table.stock().latestSnapshot().orElseThrow().id();
    }

    private List<Long> snapshots() throws Exception {
        return table.stock().snapshotManager().snapshotIdStream().sorted().toList();
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }

    @Test
    void statisticsAreThoseThatWereCommitted() throws Exception {
        FileStoreTable wrapped = table.table();
        Statistics statistics = new Statistics(4, 0, 5L, 500L, new HashMap<>());
        try (BatchTableCommit commit = wrapped.newBatchWriteBuilder().newCommit()) {
            commit.updateStatistics(statistics);
        }
        assertThat(table.table().statistics()).contains(statistics);
        assertThat(pics(wrapped)).containsExactly("new", "newer", null, "pic3", "pic4");
    }

    @Test
    void manifestsAreCompactedWithoutLosingALayer() throws Exception {
        try (BatchTableCommit commit = table.table().newBatchWriteBuilder().newCommit()) {
            commit.compactManifests();
        }
        FileStoreTable wrapped = table.table();
        Snapshot latest = wrapped.latestSnapshot().orElseThrow();
        int entries = 0;
        for (var manifest : wrapped.manifestListReader().read(latest.baseManifestList())) {
            List<ManifestEntry> read = wrapped.manifestFileReader().read(manifest.fileName());
            entries += read.size();
        }
        assertThat(entries).isEqualTo(table.files().size());
        assertThat(pics(wrapped)).containsExactly("new", "newer", null, "pic3", "pic4");
    }

    @Test
    void truncatingTakesRowsWithTheirLayers() throws Exception {
        LayeredTable partitioned = partitioned();
        try (BatchTableCommit commit = partitioned.table().newBatchWriteBuilder().newCommit()) {
            commit.truncatePartitions(List.of(Map.of("part", "1")));
        }
        assertThat(pics(partitioned.table())).containsExactly("pic9");
        try (BatchTableCommit commit = partitioned.table().newBatchWriteBuilder().newCommit()) {
            commit.truncateTable();
        }
        assertThat(partitioned.files()).isEmpty();
    }

    @Test
    void anOverwriteTakesThePlaceOfRowsAndLayers() throws Exception {
        BatchWriteBuilder builder = table.table().newBatchWriteBuilder().withOverwrite();
        try (BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            write.write(row(7));
            commit.commit(write.prepareCommit());
        }
        assertThat(table.read("id", "pic").rows()).containsExactly(List.of(7, "pic7"));
    }

    @Test
    void aStreamOfWritesLandsAboveTheLayers() throws Exception {
        StreamWriteBuilder builder =
                InstantiationUtil.clone(
                        table.table().newStreamWriteBuilder().withCommitUser("streamer"),
                        getClass().getClassLoader());
        try (StreamTableWrite write = builder.newWrite();
                StreamTableCommit commit = builder.newCommit()) {
            write.write(row(5));
            List<CommitMessage> messages = write.prepareCommit(true, 1);
            commit.commit(1, messages);
            assertThat(commit.filterAndCommit(Map.of(1L, messages))).isZero();
        }
        assertThat(pics(table.table()))
                .containsExactly("new", "newer", null, "pic3", "pic4", "pic5");
    }

    @Test
    void aWriteThatIsAskedToCompactIsRefusedAndMergesNothing() throws Exception {
        BatchWriteBuilder builder = table.table().newBatchWriteBuilder();
        try (BatchTableWrite write = builder.newWrite()) {
            assertThatThrownBy(() -> write.compact(BinaryRow.EMPTY_ROW, 0, true))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("does not support user triggered compaction");
            assertThat(write.prepareCommit())
                    .allMatch(message -> ((CommitMessageImpl) message).isEmpty());
        }
        assertThat(pics(table.table())).containsExactly("new", "newer", null, "pic3", "pic4");
    }

    @Test
    void purgingLeavesNoFileOfAnyLayer() throws Exception {
        table.table().createTag("three", 3);
        table.table().purgeFiles();

        assertThat(dataFiles()).isEmpty();
        assertThat(table.table().tagManager().allTagNames()).isEmpty();
    }

    @Test
    void whatTheseTablesDoNotHaveIsRefused() {
        assertThatThrownBy(() -> table.table().newLocalTableQuery())
                .isExactlyInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> table.table().newStreamScan().listPartitionEntries())
                .isExactlyInstanceOf(UnsupportedOperationException.class)
                .hasMessage("List Partition Entries is not supported in Stream Scan.");
    }

    @Test
    void aSchemaIsRolledBackAsTheHostDoes() throws Exception {
        table.alter(SchemaChange.addColumn("late", DataTypes.INT()));
        table.table().rollbackSchema(0);

        assertThat(table.table().rowType().getFieldNames()).doesNotContain("late");
        assertThat(pics(table.table())).containsExactly("new", "newer", null, "pic3", "pic4");
    }

    /** What a search finds is read by row id, layers and all. */
    @Test
    void rowsThatAnIndexHasFoundAreReadWithTheirLayers() throws Exception {
        InnerTableScan scan =
                ((DataTableScan) table.table().newReadBuilder().newScan())
                        .withGlobalIndexResult(GlobalIndexResult.fromRange(new Range(1, 3)));
        assertThat(TableRows.picsOf(table.table(), scan.plan().splits()))
                .containsExactly("newer", null, "pic3");
        assertThat(
                        table.table()
                                .newVectorSearchBuilder()
                                .withVectorColumn("id")
                                .withVector(new float[] {1})
                                .withLimit(1)
                                .newVectorScan()
                                .scan()
                                .splits())
                .isEmpty();
        assertThat(
                        table.table()
                                .newFullTextSearchBuilder()
                                .withTextColumn("name")
                                .withQueryText("name1")
                                .withLimit(1)
                                .newFullTextScan()
                                .scan()
                                .splits())
                .isEmpty();
    }

    @Test
    void shardsAndBucketsShareOutEachRowOnce() throws Exception {
        List<Object> found = new ArrayList<>();
        for (int shard = 0; shard < 3; shard++) {
            found.addAll(
                    TableRows.picsOf(
                            table.table(),
                            table.table()
                                    .newReadBuilder()
                                    .withShard(shard, 3)
                                    .newScan()
                                    .plan()
                                    .splits()));
        }
        assertThat(found).containsExactly("new", "newer", null, "pic3", "pic4");
        assertThat(
                        TableRows.picsOf(
                                table.table(),
                                table.table()
                                        .newReadBuilder()
                                        .withBucket(0)
                                        .newScan()
                                        .plan()
                                        .splits()))
                .containsExactly("new", "newer", null, "pic3", "pic4");
    }

    /** Filters on files apply to files, even inside a group (R15). */
    @Test
    void filtersOnFilesAreObeyed() {
        int all = table.files().size();
        assertThat(files(reader().withLevel(0))).isEqualTo(all);
        assertThat(files(reader().withLevelFilter(level -> level > 0))).isZero();
        assertThat(files(reader().withLevelMinMaxFilter((min, max) -> max > 0))).isZero();
        assertThat(files(reader().withBucket(0))).isEqualTo(all);
        assertThat(files(reader().withBucket(1))).isZero();
        assertThat(files(reader().withBucketFilter(bucket -> bucket == 0))).isEqualTo(all);
        assertThat(files(reader().onlyReadRealBuckets().enableValueFilter())).isEqualTo(all);
        assertThat(files(reader().withDataFileNameFilter(name -> !name.endsWith(".blob"))))
                .isEqualTo(2);
        assertThat(files(reader().withManifestEntryFilter(e -> e.file().rowCount() == 2)))
                .isEqualTo(3);
        assertThat(files(reader().withSnapshot(1))).isEqualTo(3);
        assertThat(files(reader().withSnapshot(table.stock().snapshot(2)))).isEqualTo(6);
        assertThat(files(reader().withMode(ScanMode.DELTA))).isEqualTo(1);
        assertThat(files(reader().withRowRanges(List.of(new Range(4, 4))))).isEqualTo(3);
        assertThat(files(reader().dropStats().keepStats())).isEqualTo(all);
    }

    /** A caller that reads files itself does not know layers. */
    @Test
    void blobFilesAreNeverHandedOutAsRawFiles() throws Exception {
        FileStoreTable wrapped = table.table();
        table.appendWithoutBlobs(5, 6);
        for (String column : List.of("id", "pic")) {
            List<Object> raw = new ArrayList<>();
            for (Split split :
                    wrapped.newReadBuilder()
                            .withReadType(wrapped.rowType().project(column))
                            .newScan()
                            .plan()
                            .splits()) {
                DataSplit files = (DataSplit) split;
                assertThat(files.rowCount()).isGreaterThanOrEqualTo(7);
                assertThat(files.mergedRowCount()).hasValue(7);
                files.convertToRawFiles().ifPresent(raw::addAll);
                assertThat(files.convertToRawFiles().isPresent()).isEqualTo(column.equals("id"));
            }
            assertThat(raw).hasSize(column.equals("id") ? 3 : 0);
        }
    }

    /** A stream leaves out files, and no row of those that it takes. */
    @Test
    void aStreamWithRowRangesTakesTheFilesThatHaveThem() throws Exception {
        FileStoreTable wrapped = table.table();
        var scan = wrapped.newReadBuilder().withRowRanges(List.of(new Range(4, 4))).newStreamScan();

        assertThat(TableRows.picsOf(wrapped, scan.plan().splits())).containsExactly("pic3", "pic4");
        Long next = scan.checkpoint();
        assertThat(next).isEqualTo(5);
        scan.restore(next);
        scan.notifyCheckpointComplete(next);
        assertThat(scan.watermark()).isNull();
    }

    @Test
    void aStreamThatFiltersRowIdsLosesNoRow() throws Exception {
        FileStoreTable wrapped = table.table();
        PredicateBuilder predicates =
                new PredicateBuilder(SpecialFields.rowTypeWithRowTracking(wrapped.rowType()));
        int rowId = 4;
        var scan =
                wrapped.newReadBuilder()
                        .withFilter(
                                PredicateBuilder.or(
                                        predicates.equal(rowId, 1L), predicates.equal(0, 4)))
                        .newStreamScan();

        assertThat(TableRows.picsOf(wrapped, scan.plan().splits())).contains("newer", "pic4");
    }

    @Test
    void everythingThatIsHandedToATaskTravels() throws Exception {
        FileStoreTable wrapped = table.table();
        List<Serializable> handedOut =
                List.of(
                        wrapped,
                        wrapped.newReadBuilder().withLimit(3),
                        wrapped.newBatchWriteBuilder(),
                        wrapped.newStreamWriteBuilder(),
                        wrapped.newVectorSearchBuilder(),
                        wrapped.newFullTextSearchBuilder(),
                        new ArrayList<>(wrapped.newReadBuilder().newScan().plan().splits()),
                        new ArrayList<>(wrapped.newSnapshotReader().readChanges().splits()),
                        new ArrayList<>(
                                wrapped.newSnapshotReader()
                                        .readIncrementalDiff(wrapped.snapshot(2))
                                        .splits()));
        for (Serializable object : handedOut) {
            Serializable travelled = InstantiationUtil.clone(object, getClass().getClassLoader());
            assertThat(travelled).isInstanceOf(object.getClass());
        }
    }

    @Test
    void theTableHasThePropertiesOfTheWrappedTable() {
        FileStoreTable wrapped = table.table();
        FileStoreTable stock = ((BlobFallbackTable) wrapped).wrapped();
        List<Function<FileStoreTable, Object>> questions =
                List.of(
                        FileStoreTable::name,
                        FileStoreTable::fullName,
                        FileStoreTable::uuid,
                        FileStoreTable::comment,
                        FileStoreTable::location,
                        FileStoreTable::fileIO,
                        FileStoreTable::catalogEnvironment,
                        FileStoreTable::schema,
                        FileStoreTable::rowType,
                        FileStoreTable::partitionKeys,
                        FileStoreTable::primaryKeys,
                        FileStoreTable::options,
                        FileStoreTable::bucketMode,
                        FileStoreTable::bucketSpec,
                        FileStoreTable::supportStreamingReadOverwrite,
                        FileStoreTable::latestSnapshot,
                        FileStoreTable::statistics,
                        t -> t.coreOptions().toMap(),
                        t -> t.snapshot(2),
                        t -> t.schemaManager().latest(),
                        t -> t.snapshotManager().latestSnapshotId(),
                        t -> t.changelogManager().latestLongLivedChangelogId(),
                        t -> consumers(t),
                        t -> t.tagManager().allTagNames(),
                        t -> t.branchManager().branches());
        for (Function<FileStoreTable, Object> question : questions) {
            assertThat(String.valueOf(question.apply(wrapped)))
                    .isEqualTo(String.valueOf(question.apply(stock)));
        }
        assertThat(wrapped.latestSnapshot().orElseThrow().id()).isEqualTo(4);
    }

    @Test
    void theStoreHasThePropertiesOfTheWrappedStore() throws Exception {
        FileStore<?> store = table.table().store();
        FileStore<?> stock = table.stock().store();
        List<Function<FileStore<?>, Object>> questions =
                List.of(
                        FileStore::bucketMode,
                        FileStore::partitionType,
                        s -> s.options().bucket(),
                        s -> s.pathFactory().bucketPath(BinaryRow.EMPTY_ROW, 0),
                        s -> s.snapshotManager().latestSnapshotId(),
                        s -> String.valueOf(s.changelogManager().latestLongLivedChangelogId()),
                        s -> s.newTagManager().allTagNames(),
                        s -> s.partitionComputer().generatePartValues(BinaryRow.EMPTY_ROW),
                        s ->
                                s.manifestListFactory()
                                        .create()
                                        .readAllManifests(s.snapshotManager().latestSnapshot()),
                        s -> s.newIndexFileHandler().scanEntries(),
                        s -> s.newStatsFileHandler().readStats(),
                        s -> s.newScan().plan().files().size(),
                        s -> s.newScan().readSimpleEntries().size(),
                        s -> s.createTagCallbacks(table.table()).size(),
                        s -> s.newServiceManager().service("none"));
        for (Function<FileStore<?>, Object> question : questions) {
            assertThat(String.valueOf(question.apply(store)))
                    .isEqualTo(String.valueOf(question.apply(stock)));
        }
        assertThat(store.newRead()).hasSameClassAs(stock.newRead());
        assertThat(store.newTagAutoManager(table.table()).getTagAutoCreation()).isNull();
        assertThat(store.newPartitionExpire("user", table.table())).isNull();
        assertThat(store.manifestFileFactory().create().suggestedFileSize())
                .isEqualTo(stock.manifestFileFactory().create().suggestedFileSize());
        assertThat(store.indexManifestFileFactory().create().exists("none")).isFalse();
        try (var commit = store.newCommit("user", table.table())) {
            assertThat(commit.filterCommitted(Collections.emptyList())).isEmpty();
        }
        RowType wider =
                new RowType(
                        DataTypes.ROW(
                                        DataTypes.FIELD(0, "id", DataTypes.BIGINT()),
                                        DataTypes.FIELD(1, "name", DataTypes.STRING()),
                                        DataTypes.FIELD(2, "pic", DataTypes.BLOB()),
                                        DataTypes.FIELD(3, "doc", DataTypes.BLOB()))
                                .getFields());
        assertThat(store.mergeSchema(wider, false)).isTrue();
        assertThat(table.table().copyWithLatestSchema().rowType().getTypeAt(0))
                .isEqualTo(DataTypes.BIGINT());
        assertThat(pics(table.table())).containsExactly("new", "newer", null, "pic3", "pic4");
    }

    @Test
    void cachesServeTheWrappingAndTheWrappedTable() throws Exception {
        FileStoreTable wrapped = table.table();
        SegmentsCache<Path> manifests =
                SegmentsCache.create(MemorySize.ofMebiBytes(10), Long.MAX_VALUE);
        Cache<Path, Snapshot> snapshots = Caffeine.newBuilder().build();
        wrapped.setManifestCache(manifests);
        wrapped.setSnapshotCache(snapshots);
        wrapped.setStatsCache(Caffeine.newBuilder().build());
        wrapped.setDVMetaCache(new DVMetaCache(100));

        assertThat(wrapped.getManifestCache()).isSameAs(manifests);
        assertThat(pics(wrapped)).containsExactly("new", "newer", null, "pic3", "pic4");
        assertThat(manifests.totalCacheBytes()).isPositive();
        table.layer("pic").file(3, "newest", PLACEHOLDER).commit();
        assertThat(pics(wrapped)).containsExactly("new", "newer", null, "newest", "pic4");
        assertThat(wrapped.statistics()).isEmpty();
    }

    @Test
    void rowsGoToTheBucketOfTheWrappedTable() throws Exception {
        FileStoreTable wrapped = table.table();
        BatchWriteBuilder batch = wrapped.newBatchWriteBuilder();
        StreamWriteBuilder stream = wrapped.newStreamWriteBuilder().withCommitUser("me");

        assertThat(wrapped.newWriteSelector()).isEmpty();
        assertThat(batch.newWriteSelector()).isEmpty();
        assertThat(stream.newWriteSelector()).isEmpty();
        assertThat(stream.commitUser()).isEqualTo("me");
        assertThat(batch.rowType()).isEqualTo(wrapped.rowType());
        assertThat(stream.rowType()).isEqualTo(wrapped.rowType());
        assertThat(batch.tableName()).isEqualTo(stream.tableName()).isEqualTo(wrapped.name());
        var extractor = wrapped.createRowKeyExtractor();
        extractor.setRecord(row(1));
        assertThat(extractor.bucket()).isZero();
        try (BatchTableWrite write = batch.newWrite()) {
            assertThat(write.getBucket(row(1))).isZero();
            assertThat(write.getPartition(row(1))).isEqualTo(BinaryRow.EMPTY_ROW);
        }
    }

    @Test
    void theSettingsOfABuilderApply() throws Exception {
        FileStoreTable wrapped = table.table();
        PredicateBuilder predicates = new PredicateBuilder(wrapped.rowType());
        ReadBuilder filtered =
                wrapped.newReadBuilder().withFilter(predicates.equal(0, 4)).dropStats();
        assertThat(ids(filtered, true)).containsExactly(4);
        assertThat(ids(filtered, false)).containsExactly(4);
        assertThat(ids(wrapped.newReadBuilder().withProjection(new int[] {0, 2}), false))
                .containsExactly(0, 1, 2, 3, 4);
        ReadBuilder few = wrapped.newReadBuilder().withLimit(1);
        assertThat(ids(few, false)).contains(0);
        assertThat(ids(wrapped.newReadBuilder().withBucketFilter(b -> b == 1), false)).isEmpty();
        assertThat(
                        ids(
                                wrapped.newReadBuilder()
                                        .withRowRangeIndex(
                                                RowRangeIndex.create(List.of(new Range(2, 3)))),
                                false))
                .containsExactly(2, 3);
        assertThat(few.tableName()).isEqualTo(wrapped.name());
        assertThat(few.readType()).isEqualTo(wrapped.rowType());
        assertThat(
                        ids(
                                partitioned()
                                        .table()
                                        .newReadBuilder()
                                        .withPartitionFilter(Map.of("part", "2")),
                                false))
                .containsExactly(9);
    }

    /**
     * The host picks splits by the statistics of files, where a filter may leave out their best.
     */
    @Test
    void theFirstRowsOfAnOrderAreAmongThoseThatAreRead() throws Exception {
        FileStoreTable wrapped = table.table();
        TopN first =
                new TopN(
                        new FieldRef(0, "id", DataTypes.INT()),
                        SortValue.SortDirection.ASCENDING,
                        SortValue.NullOrdering.NULLS_LAST,
                        1);
        ReadBuilder builder =
                wrapped.newReadBuilder().withRowRanges(List.of(new Range(1, 4))).withTopN(first);

        assertThat(ids(builder, false)).contains(1);
    }

    @Test
    void aStreamHasNoLimitAndNoIndex() throws Exception {
        FileStoreTable wrapped = table.table();
        StreamDataTableScan scan = wrapped.newStreamScan();
        scan.withLimit(1);
        scan.withTopN(null);
        scan.withGlobalIndexResult(GlobalIndexResult.fromRange(new Range(1, 1)));
        scan.withShard(0, 2).withBucket(0).withLevelFilter(level -> level == 0);
        scan.withReadType(wrapped.rowType()).dropStats();

        assertThat(scan.startingContext().getScanFullSnapshot()).isTrue();
        assertThat(TableRows.picsOf(wrapped, scan.plan().splits()))
                .containsExactly("new", "newer", null, "pic3", "pic4");
    }

    /** R15. */
    @Test
    void changesAndDifferencesAreReadAsTheyWereWritten() throws Exception {
        FileStoreTable wrapped = table.table();

        assertThat(TableRows.picsOf(wrapped, reader().withSnapshot(3).readChanges().splits()))
                .containsExactly("new", null, null);
        assertThat(
                        TableRows.picsOf(
                                wrapped,
                                reader().readIncrementalDiff(wrapped.snapshot(2)).splits()))
                .containsExactly("new", "newer", null);
    }

    @Test
    void statisticsOfASplitAreOfSplitsWithOneFileAGroup() {
        FileStoreTable wrapped = table.table();
        RowType id = wrapped.rowType().project("id");
        for (Split split : wrapped.newReadBuilder().newScan().plan().splits()) {
            assertThat(PushDownUtils.minmaxAvailable(split, Set.of("id"))).isFalse();
        }
        SimpleStatsEvolutions evolutions =
                new SimpleStatsEvolutions(any -> wrapped.schema().fields(), wrapped.schema().id());
        for (Split split : wrapped.newReadBuilder().withReadType(id).newScan().plan().splits()) {
            DataSplit files = (DataSplit) split;
            assertThat(files.rawConvertible()).isTrue();
            assertThat(files.minValue(0, wrapped.rowType().getFields().get(0), evolutions))
                    .isEqualTo(0);
            assertThat(files.maxValue(0, wrapped.rowType().getFields().get(0), evolutions))
                    .isEqualTo(4);
            assertThat(files.nullCount(0, evolutions)).isZero();
        }
    }

    @Test
    void expiredPartitionsGoWithTheirLayers() throws Exception {
        LayeredTable partitioned = partitioned();
        FileStoreTable wrapped = partitioned.table();
        PartitionExpire expire =
                wrapped.store()
                        .newPartitionExpire(
                                "user",
                                wrapped,
                                // Whatever was written before tomorrow.
                                Duration.ofDays(-1),
                                Duration.ZERO,
                                new PartitionUpdateTimeExpireStrategy(
                                        wrapped.coreOptions(),
                                        wrapped.schema().logicalPartitionType()));
        assertThat(expire.expire(Long.MAX_VALUE)).hasSize(2);
        assertThat(partitioned.files()).isEmpty();
    }

    private static String consumers(FileStoreTable table) {
        try {
            return table.consumerManager().consumers().toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Integer> ids(ReadBuilder builder, boolean executeFilter)
            throws IOException {
        List<Integer> ids = new ArrayList<>();
        TableRead read = executeFilter ? builder.newRead().executeFilter() : builder.newRead();
        try (RecordReader<InternalRow> rows = read.createReader(builder.newScan().plan())) {
            rows.forEachRemaining(row -> ids.add(row.getInt(0)));
        }
        return ids;
    }

    private SnapshotReader reader() {
        return table.table().newSnapshotReader();
    }

    private static int files(SnapshotReader reader) {
        return reader.read().dataSplits().stream().mapToInt(s -> s.dataFiles().size()).sum();
    }

    private int expire(FileStoreTable wrapped) {
        return wrapped.newExpireSnapshots()
                .config(
                        ExpireConfig.builder()
                                .snapshotRetainMin(1)
                                .snapshotRetainMax(1)
                                .snapshotTimeRetain(Duration.ZERO)
                                .build())
                .expire();
    }

    private List<String> dataFiles() throws IOException {
        List<String> names = new ArrayList<>();
        for (var file : fileIO.listFiles(new Path(table.path(), "bucket-0"), false)) {
            names.add(file.getPath().getName());
        }
        return names;
    }

    private LayeredTable partitioned() throws Exception {
        Schema schema =
                LayeredTable.schema().column("part", DataTypes.INT()).partitionKeys("part").build();
        LayeredTable partitioned = LayeredTable.create(fileIO, folder.resolve("parts"), schema);
        for (int id : new int[] {0, 1, 9}) {
            partitioned.append(
                    partitioned.stock().rowType(),
                    List.of(
                            GenericRow.of(
                                    id,
                                    LayeredTable.string("name" + id),
                                    LayeredTable.blob("pic" + id),
                                    LayeredTable.blob("doc" + id),
                                    id == 9 ? 2 : 1)));
        }
        try (var update = BlobFallback.newUpdateBuilder(partitioned.stock()).newUpdate()) {
            update.set(0, "pic", LayeredTable.blob("new"));
            update.commit();
        }
        return partitioned;
    }

    private static GenericRow row(int id) {
        return GenericRow.of(
                id,
                LayeredTable.string("name" + id),
                LayeredTable.blob("pic" + id),
                LayeredTable.blob("doc" + id));
    }

    private static List<Object> pics(FileStoreTable table) throws IOException {
        return TableRows.of(table).columns("pic").values();
    }
}
