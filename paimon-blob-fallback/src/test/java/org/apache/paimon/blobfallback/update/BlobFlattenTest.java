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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.flatten.FlattenCommit;
import org.apache.paimon.blobfallback.flatten.FlattenScan;
import org.apache.paimon.blobfallback.flatten.FlattenWriter;
import org.apache.paimon.blobfallback.flatten.JoinedBunches;
import org.apache.paimon.blobfallback.format.io.BlobReadMetrics;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.blobfallback.table.BlobFallbackTable;
import org.apache.paimon.blobfallback.table.TableDefaults;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.blobfallback.testio.StreamOperation;
import org.apache.paimon.blobfallback.testtable.UpdateTable;
import org.apache.paimon.blobfallback.write.BlobTable;
import org.apache.paimon.blobfallback.write.UncommittedFiles;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.utils.Range;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds the write rule W6 on a real table of the host. */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
class BlobFlattenTest {

    private static final String READ_THREADS = "blob-fallback-read-";

    @TempDir java.nio.file.Path folder;

    private UpdateTable table;

    /** W6: one layer without placeholders, which the host reads without the plugin. */
    @Test
    void afterwardsTheHostReadsTheTableWithoutThePlugin() throws Exception {
        createWithLayers();
        Map<Long, String> pics = table.read("pic");
        Map<Long, String> docs = table.read("doc");
        assertThat(pics).containsEntry(1L, "b1").containsEntry(2L, null).containsEntry(3L, "pic3");
        assertThatThrownBy(() -> table.readStock("pic"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("files row count exceed");

        List<BlobFlattenTask> done = flatten().newFlatten().run();

        assertThat(done).extracting(BlobFlattenTask::column).containsExactly("pic", "doc", "pic");
        assertThat(table.readStock("pic")).isEqualTo(pics).isEqualTo(table.read("pic"));
        assertThat(table.readStock("doc")).isEqualTo(docs).isEqualTo(table.read("doc"));
        assertThat(table.blobFiles("pic")).hasSize(2);
        assertThat(flatten().newFlatten().run()).isEmpty();
    }

    /** W6: the new files have the highest number of those they replace, in one compact commit. */
    @Test
    void theNewFilesKeepTheHighestSequenceNumberInOneCommit() throws Exception {
        createWithLayers();
        long before = table.table().snapshotManager().latestSnapshotId();

        flatten().withColumns("pic").newFlatten().run();

        assertThat(table.table().snapshotManager().latestSnapshotId()).isEqualTo(before + 2);
        assertThat(table.table().snapshotManager().latestSnapshot().commitKind())
                .isEqualTo(Snapshot.CommitKind.COMPACT);
        assertThat(table.blobFiles("pic"))
                .extracting(e -> e.file().nonNullRowIdRange(), e -> e.file().maxSequenceNumber())
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple(new Range(0, 4), 4L),
                        org.assertj.core.groups.Tuple.tuple(new Range(5, 9), 3L));
        assertThat(table.table().snapshotManager().latestSnapshot().totalRecordCount())
                .isPositive();
    }

    /** W6: whoever shares the groups among workers has one commit for each of the shares. */
    @Test
    void aShareOfTheGroupsIsFlattenedInOneCommit() throws Exception {
        createWithLayers();
        Map<Long, String> pics = table.read("pic");
        BlobFlatten flatten = flatten().newFlatten();
        assertThat(flatten.groups()).containsExactly(new Range(0, 4), new Range(5, 9));
        List<BlobFlattenTask> plan = flatten.plan();
        assertThat(flatten.plan(flatten.groups()))
                .usingRecursiveFieldByFieldElementComparator()
                .isEqualTo(plan);
        long before = table.table().snapshotManager().latestSnapshotId();

        assertThat(flatten.run(flatten.groups()))
                .usingRecursiveFieldByFieldElementComparator()
                .isEqualTo(plan);

        assertThat(table.table().snapshotManager().latestSnapshotId()).isEqualTo(before + 1);
        assertThat(table.readStock("pic")).isEqualTo(pics);
        assertThat(flatten.run(flatten.groups())).isEmpty();
        assertThat(flatten.run(List.of())).isEmpty();
    }

    @Test
    void aDryRunReturnsWhatARunWouldDoAndChangesNothing() throws Exception {
        createWithLayers();
        Map<String, Long> before = table.disk();

        List<BlobFlattenTask> plan = flatten().newFlatten().plan();

        assertThat(plan).hasSize(3);
        BlobFlattenTask first = plan.get(0);
        assertThat(first.rowIds()).isEqualTo(new Range(0, 4));
        assertThat(first.column()).isEqualTo("pic");
        assertThat(first.layerCount()).isEqualTo(3);
        assertThat(first.files()).hasSize(3);
        assertThat(first.partition()).isEmpty();
        // pic0, a0's successor b0? No: rows 0, 3, 4 have four bytes, row 1 has two, row 2 is null.
        assertThat(first.bytesKept()).isEqualTo(3 * (16 + 4) + 16 + 2);
        long size =
                table.blobFiles("pic").stream()
                        .filter(e -> e.file().nonNullFirstRowId() == 0)
                        .mapToLong(e -> e.file().fileSize())
                        .sum();
        assertThat(first.bytesKept() + first.bytesDropped()).isEqualTo(size);
        assertThat(first)
                .hasToString(
                        "column pic, row ids 0 to 4: 3 layers in 3 files, keeps 78 bytes, drops "
                                + (size - 78)
                                + " bytes");
        assertThat(table.disk()).isEqualTo(before);
    }

    @Test
    void bunchesWithFewLayersAndOtherColumnsAreLeftAlone() throws Exception {
        createWithLayers();
        assertThat(flatten().withMoreLayersThan(2).newFlatten().run())
                .singleElement()
                .satisfies(task -> assertThat(task.layerCount()).isEqualTo(3));
        assertThat(flatten().withColumns("doc").newFlatten().run())
                .singleElement()
                .satisfies(task -> assertThat(task.column()).isEqualTo("doc"));
        assertThat(flatten().newFlatten().plan())
                .singleElement()
                .satisfies(task -> assertThat(task.rowIds()).isEqualTo(new Range(5, 9)));
    }

    @Test
    void onlyTheChosenPartitionsAreFlattened() throws Exception {
        table = create(UpdateTable.schema().partitionKeys("part"));
        table.append(0, 4, 1);
        table.append(5, 9, 2);
        update(Map.of(1L, "a1", 6L, "a6"));

        assertThat(flatten().withPartitions(List.of(Map.of("part", "2"))).newFlatten().run())
                .singleElement()
                .satisfies(
                        task -> {
                            assertThat(task.partition()).isEqualTo(Map.of("part", "2"));
                            assertThat(task.rowIds()).isEqualTo(new Range(5, 9));
                            assertThat(task.toString()).contains("part=2");
                        });
        assertThatThrownBy(() -> flatten().withPartitions(List.of(Map.of("id", "2"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[part]");
        assertThat(flatten().newFlatten().plan()).hasSize(1);
    }

    /** W6: an update that lands while a flatten is under way stays on top. */
    @Test
    void anUpdateThatLandsMeanwhileStaysOnTop() throws Exception {
        createWithLayers();
        FlattenCommit commit = new FlattenCommit(table.table(), "flatten");
        UncommittedFiles files = new UncommittedFiles(LocalFileIO.create(), commit.trail());
        JoinedBunches bunches = bunchesOfFirstGroup();
        var message = new FlattenWriter(table.table(), files, new BlobReadMetrics()).write(bunches);

        update(Map.of(3L, "meanwhile"));
        commit.commit(List.of(message));
        files.delete();

        assertThat(table.read("pic"))
                .containsEntry(1L, "b1")
                .containsEntry(2L, null)
                .containsEntry(3L, "meanwhile");
        flatten().newFlatten().run();
        assertThat(table.readStock("pic")).containsEntry(3L, "meanwhile").containsEntry(1L, "b1");
    }

    /** W5: an update that was planned before a flatten lands on top of it. */
    @Test
    void anUpdateThatWasPlannedBeforeAFlattenLandsOnTop() throws Exception {
        createWithLayers();
        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(4, "pic", blob("late"));
            flatten().newFlatten().run();
            update.commit();
        }
        assertThat(table.read("pic")).containsEntry(4L, "late").containsEntry(1L, "b1");
    }

    /** W6: of two flattens of one group one wins, and the other leaves no file. */
    @Test
    void ofTwoFlattensOneWinsAndTheOtherLeavesNoFile() throws Exception {
        createWithLayers();
        FlattenCommit loser = new FlattenCommit(table.table(), "loser");
        UncommittedFiles files = new UncommittedFiles(LocalFileIO.create(), loser.trail());
        var message =
                new FlattenWriter(table.table(), files, new BlobReadMetrics())
                        .write(bunchesOfFirstGroup());
        flatten().newFlatten().run();
        Map<Long, String> pics = table.read("pic");

        assertThatThrownBy(() -> loser.commit(List.of(message)))
                .isInstanceOf(RuntimeException.class)
                .hasMessageContaining("conflict");
        assertThat(loser.trail().hasLanded()).isFalse();
        files.delete();
        assertThat(table.readStock("pic")).isEqualTo(pics);
    }

    /** Rows of several kinds of files, with blobs that do not fit into the buffer. */
    @Test
    void rolledLayersAndBlobsLargerThanTheBufferAreCopiedAsTheyAre() throws Exception {
        table =
                create(
                        UpdateTable.schema()
                                .option("blob.target-file-size", "2 kb")
                                .option(BlobFallbackOptions.READ_BUFFER_SIZE.key(), "512 b"));
        table.append(0, 199);
        Map<Long, String> changed = new HashMap<>();
        for (long rowId = 0; rowId < 200; rowId += 3) {
            changed.put(rowId, "x".repeat((int) rowId * 7));
        }
        update(changed);
        Map<Long, String> pics = table.read("pic");

        flatten().newFlatten().run();

        assertThat(table.readStock("pic")).isEqualTo(pics).containsAllEntriesOf(changed);
        assertThat(table.blobFiles("pic")).hasSizeGreaterThan(5);
    }

    /** A column that was added later has gaps below its updates; they become null. */
    @Test
    void rowsWithoutAWinnerBecomeNull() throws Exception {
        table = create(UpdateTable.schema());
        table.append(0, 4);
        table.table()
                .schemaManager()
                .commitChanges(SchemaChange.addColumn("late", DataTypes.BLOB()));
        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(2, "late", blob("now")).commit();
        }

        assertThat(flatten().newFlatten().run()).hasSize(1);

        assertThat(table.readStock("late"))
                .hasSize(5)
                .containsEntry(2L, "now")
                .containsEntry(0L, null)
                .containsEntry(4L, null);
    }

    /** The old files go, so a damaged entry must not be carried over. */
    @Test
    void aDamagedEntryStopsTheFlattenAndLeavesEverythingAsItWas() throws Exception {
        createWithLayers();
        ManifestEntry file =
                table.blobFiles("pic").stream()
                        .filter(e -> e.file().nonNullFirstRowId() == 0)
                        .filter(e -> e.file().maxSequenceNumber() == 1)
                        .findFirst()
                        .orElseThrow();
        Path path =
                new Path(new Path(table.table().location(), "bucket-0"), file.file().fileName());
        try (RandomAccessFile damaged = new RandomAccessFile(path.toUri().getPath(), "rw")) {
            damaged.seek(5);
            damaged.write('X');
        }
        Map<String, Long> before = table.disk();

        assertThatThrownBy(() -> flatten().newFlatten().run())
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.file().fileName())
                .hasMessageContaining("CRC32");
        assertThat(table.disk()).isEqualTo(before);
    }

    /** The host refuses compactions where vector files are rolled; a flatten is none of those. */
    @Test
    void rolledVectorFilesDoNotKeepAGroupFromBeingFlattened() throws Exception {
        table =
                create(
                        UpdateTable.schema()
                                .column("v", DataTypes.VECTOR(2, DataTypes.FLOAT()))
                                .option("vector.file.format", "avro")
                                .option("vector.target-file-size", "1 b"));
        table.appendWithVectors(0, 2999);
        update(Map.of(1L, "a1"));

        assertThat(flatten().newFlatten().run()).hasSize(1);

        assertThat(table.readStock("pic")).hasSize(3000).containsEntry(1L, "a1");
    }

    /** W6: the indexes that tell what to write also tell what the flatten reports. */
    @Test
    void theIndexOfEachFileIsReadOnce() throws Exception {
        CountingFileIO storage = CountingFileIO.sequential();
        table = UpdateTable.create(storage, folder, UpdateTable.schema().build());
        writeLayers();
        List<BlobFlattenTask> plan = flatten().newFlatten().plan();
        Map<String, Long> sizes = new HashMap<>();
        for (ManifestEntry entry : table.blobFiles("pic")) {
            sizes.put(entry.file().fileName(), entry.file().fileSize());
        }
        storage.reset();

        List<BlobFlattenTask> done = flatten().withColumns("pic").newFlatten().run();

        assertThat(storage.operations())
                .filteredOn(read -> read.kind() == StreamOperation.Kind.READ)
                .filteredOn(
                        read ->
                                read.position() + read.length()
                                        == sizes.getOrDefault(read.path().getName(), -1L))
                .as("reads of a footer, and with it of the index")
                .extracting(read -> read.path().getName())
                .containsExactlyInAnyOrderElementsOf(sizes.keySet());
        assertThat(done)
                .usingRecursiveFieldByFieldElementComparator()
                .isEqualTo(plan.stream().filter(task -> task.column().equals("pic")).toList());
    }

    @Test
    void anEmptyTableHasNothingToFlatten() throws Exception {
        table = create(UpdateTable.schema());
        assertThat(flatten().newFlatten().plan()).isEmpty();
        assertThat(flatten().newFlatten().run()).isEmpty();
        assertThatThrownBy(() -> flatten().withMoreLayersThan(-1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> flatten().withPartitions(List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** W6: where storage is remote, several requests are under way at once, and nothing is left. */
    @Test
    void remoteFilesAreReadByThreadsThatAreGoneAfterwards() throws Exception {
        CountingFileIO remote = CountingFileIO.sequential();
        table =
                UpdateTable.create(
                        remote,
                        folder,
                        UpdateTable.schema()
                                .option(BlobFallbackOptions.READ_COALESCE_GAP.key(), "0 b")
                                .build());
        table.append(0, 39);
        Map<Long, String> pics = new HashMap<>();
        for (long rowId = 0; rowId < 40; rowId += 2) {
            pics.put(rowId, "new" + rowId);
        }
        update(pics);
        Map<Long, String> expected = table.read("pic");
        Set<String> readers = ConcurrentHashMap.newKeySet();
        remote.inject(
                operation -> {
                    if (operation.path().getName().endsWith(".blob")) {
                        readers.add(Thread.currentThread().getName());
                        // As long as a request takes, so that there is something to do meanwhile.
                        LockSupport.parkNanos(5_000_000);
                    }
                    return operation.length();
                });

        flatten().withColumns("pic").newFlatten().run();

        assertThat(readers).filteredOn(name -> name.startsWith(READ_THREADS)).hasSizeGreaterThan(1);
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith(READ_THREADS));
        remote.assertNothingOpen();
        assertThat(table.readStock("pic")).isEqualTo(expected);
    }

    @Test
    void aDryRunReadsWithTheDefaultsOfTheCatalogAsARunDoes() throws Exception {
        CountingFileIO remote = CountingFileIO.sequential();
        table = UpdateTable.create(remote, folder, UpdateTable.schema().build());
        table.append(0, 39);
        for (long rowId = 0; rowId < 8; rowId++) {
            update(Map.of(rowId, "new" + rowId));
        }
        Set<String> readers = ConcurrentHashMap.newKeySet();
        remote.inject(
                operation -> {
                    if (operation.path().getName().endsWith(".blob")) {
                        readers.add(Thread.currentThread().getName());
                        // As long as a request takes, so that there is something to do meanwhile.
                        LockSupport.parkNanos(5_000_000);
                    }
                    return operation.length();
                });

        assertThat(flatten(Map.of()).plan()).hasSize(1);
        assertThat(readers).filteredOn(name -> name.startsWith(READ_THREADS)).isNotEmpty();
        readers.clear();

        assertThat(flatten(Map.of(BlobFallbackOptions.READ_PARALLELISM.key(), "1")).plan())
                .hasSize(1);
        assertThat(readers).containsExactly(Thread.currentThread().getName());
    }

    /** A flatten of the table in a catalog with some options. */
    private BlobFlatten flatten(Map<String, String> catalogOptions) {
        return BlobFallback.newFlattenBuilder(
                        BlobFallbackTable.wrap(table.table(), TableDefaults.of(catalogOptions)))
                .withColumns("pic")
                .newFlatten();
    }

    private BlobFlattenBuilder flatten() {
        return BlobFallback.newFlattenBuilder(table.table());
    }

    /** Two groups; the first has three layers of pic and two of doc, the second two of pic. */
    private void createWithLayers() throws Exception {
        table = create(UpdateTable.schema());
        writeLayers();
    }

    private void writeLayers() throws Exception {
        table.append(0, 4);
        table.append(5, 9);
        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(1, "pic", blob("a1"))
                    .set(6, "pic", blob("a6"))
                    .set(2, "pic", blob("a2"))
                    .setNull(4, "doc")
                    .commit();
        }
        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(1, "pic", blob("b1")).setNull(2, "pic").commit();
        }
    }

    private void update(Map<Long, String> pics) throws IOException {
        try (BlobUpdate update = table.builder().newUpdate()) {
            pics.forEach((rowId, value) -> update.set(rowId, "pic", blob(value)));
            update.commit();
        }
    }

    private UpdateTable create(Schema.Builder schema) {
        return UpdateTable.create(LocalFileIO.create(), folder, schema.build());
    }

    private JoinedBunches bunchesOfFirstGroup() {
        return new FlattenScan(table.table(), BlobTable.columns(table.table()))
                .groups(
                        table.table().snapshotManager().latestSnapshot(),
                        List.of(new Range(0, 0)),
                        null)
                .get(0);
    }
}
