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

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.paimon.blobfallback.format.BlobPlaceholder;
import org.apache.paimon.blobfallback.testtable.UpdateTable;
import org.apache.paimon.blobfallback.write.GroupScan;
import org.apache.paimon.data.Blob;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.utils.Range;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds the write rules W1, W2, W4 and W5 on a real table of the host. */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
class BlobUpdateTest {

    @TempDir java.nio.file.Path folder;

    private UpdateTable table;

    /** Whoever opened a table before it was dropped or renamed does not know. */
    @Test
    void anUpdateOfATableThatIsGoneSaysSo() throws Exception {
        createWithTwoGroups();
        FileStoreTable opened = table.table();
        LocalFileIO.create().rename(opened.location(), new Path(opened.location() + "-renamed"));

        assertThatThrownBy(() -> new BlobUpdateBuilder(opened))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Table %s at %s does not exist any more: it was dropped or renamed.",
                        opened.fullName(), opened.location());
    }

    /** W1: touched rows have the new value, all others keep theirs, in every blob column. */
    @Test
    void touchedRowsHaveTheirNewValueAndAllOthersKeepTheirs() throws Exception {
        createWithTwoGroups();

        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(7, "pic", blob("new7"))
                    .set(2, "pic", "new2".getBytes())
                    .setNull(3, "pic")
                    .set(2, "doc", (Blob) null)
                    .set(9, "doc", blob("first"))
                    .set(9, "doc", blob("second"));
            update.commit();
        }

        assertThat(table.read("pic"))
                .isEqualTo(expected("pic", Map.of(7L, "new7", 2L, "new2"), 3L));
        assertThat(table.read("doc")).isEqualTo(expected("doc", Map.of(9L, "second"), 2L));
    }

    /** W1: a group that no row touches gets no file, and neither does an untouched column. */
    @Test
    void onlyTouchedGroupsAndColumnsGetAFile() throws Exception {
        createWithTwoGroups();

        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(6, "pic", blob("new")).commit();
        }

        assertThat(table.blobFiles("pic")).hasSize(3);
        assertThat(table.blobFiles("doc")).hasSize(2);
        assertThat(newest(table.blobFiles("pic")).file().nonNullRowIdRange())
                .isEqualTo(new Range(5, 9));
    }

    /** W2: the layer spans the group without overlap, with the snapshot's id as number. */
    @Test
    void aLayerSpansTheGroupAndIsRolledAtTheTargetSize() throws Exception {
        table = create(UpdateTable.schema().option("blob.target-file-size", "1 kb"));
        table.append(0, 99);

        try (BlobUpdate update = table.builder().withColumns("pic").newUpdate()) {
            for (int rowId = 10; rowId < 90; rowId += 20) {
                update.set(rowId, "pic", Blob.fromData(new byte[700]));
            }
            update.commit();
        }

        long snapshot = table.table().snapshotManager().latestSnapshotId();
        List<ManifestEntry> layer =
                new ArrayList<>(
                        table.blobFiles("pic").stream()
                                .filter(e -> e.file().maxSequenceNumber() == snapshot)
                                .toList());
        layer.sort((a, b) -> Long.compare(a.file().firstRowId(), b.file().firstRowId()));
        assertThat(layer)
                .extracting(e -> e.file().nonNullRowIdRange())
                .containsExactly(new Range(0, 30), new Range(31, 70), new Range(71, 99));
        assertThat(layer).extracting(e -> e.file().minSequenceNumber()).containsOnly(snapshot);
    }

    /** W4: nothing is written before an unknown row id is refused. */
    @Test
    void aRowIdThatDoesNotExistIsRefusedBeforeAnythingIsWritten() throws Exception {
        createWithTwoGroups();
        Map<String, Long> before = table.disk();

        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(1, "pic", blob("new")).set(10, "pic", blob("new")).setNull(-1, "doc");
            assertThatThrownBy(update::commit)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("2 row ids")
                    .hasMessageContaining("do not exist")
                    .hasMessageContaining("[-1, 10]");
        }
        assertThat(table.disk()).isEqualTo(before);
    }

    @Test
    void whatCannotBeUpdatedIsRefusedWithWhatToDo() throws Exception {
        table =
                create(
                        UpdateTable.schema()
                                .column("inline", DataTypes.BLOB())
                                .option("blob-descriptor-field", "inline"));
        assertThatThrownBy(table::builder)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no snapshot");

        FileStoreTable empty = table.table();
        try (BatchTableCommit commit = empty.newBatchWriteBuilder().newCommit()) {
            commit.truncateTable();
        }
        BlobUpdateBuilder builder = table.builder();
        assertThatThrownBy(() -> builder.withColumns("nope"))
                .hasMessageContaining("no column nope")
                .hasMessageContaining("[pic, doc]");
        assertThatThrownBy(() -> builder.withColumns("id"))
                .hasMessageContaining("Column id")
                .hasMessageContaining("CALL sys.data_evolution_merge_into");
        assertThatThrownBy(() -> builder.withColumns("inline"))
                .hasMessageContaining("inline")
                .hasMessageContaining("CALL sys.data_evolution_merge_into");
        assertThatThrownBy(builder::withColumns).hasMessageContaining("needs a column");
        assertThatThrownBy(() -> builder.withSnapshot(99)).hasMessageContaining("snapshot 99");
        try (BlobUpdate update = builder.withColumns("pic").newUpdate()) {
            assertThatThrownBy(() -> update.setNull(0, "doc")).hasMessageContaining("[pic]");
            assertThatThrownBy(() -> update.set(0, "pic", BlobPlaceholder.INSTANCE))
                    .hasMessageContaining("not a value");
        }
    }

    @Test
    void aTableWithAPrimaryKeyOrWithoutDataEvolutionIsRefused() throws Exception {
        UpdateTable keyed =
                UpdateTable.create(
                        LocalFileIO.create(),
                        folder.resolve("keyed"),
                        Schema.newBuilder()
                                .column("id", DataTypes.INT())
                                .primaryKey("id")
                                .option("bucket", "1")
                                .build());
        UpdateTable plain =
                UpdateTable.create(
                        LocalFileIO.create(),
                        folder.resolve("plain"),
                        Schema.newBuilder().column("id", DataTypes.INT()).build());

        assertThatThrownBy(keyed::builder)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("primary key [id]")
                .hasMessageContaining("Write the whole row");
        assertThatThrownBy(plain::builder)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("data evolution")
                .hasMessageContaining("'data-evolution.enabled' = 'true'");
    }

    @Test
    void aTableThatKeepsNoColumnInBlobFilesIsRefused() {
        UpdateTable noBlobs =
                UpdateTable.create(
                        LocalFileIO.create(),
                        folder.resolve("noblobs"),
                        Schema.newBuilder()
                                .column("id", DataTypes.INT())
                                .option("row-tracking.enabled", "true")
                                .option("data-evolution.enabled", "true")
                                .build());

        assertThatThrownBy(noBlobs::builder)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has no column in blob files");
    }

    @Test
    void bytesThatAreNullAreRefusedAtOnce() throws Exception {
        createWithTwoGroups();

        try (BlobUpdate update = table.builder().newUpdate()) {
            assertThatThrownBy(() -> update.set(1, "pic", (byte[]) null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("row id 1 of column pic")
                    .hasMessageContaining("setNull");
        }
    }

    /** W4: closing an update that was not committed leaves no file; handed-over files are safe. */
    @Test
    void closingDeletesWhatWasNotCommittedAndAbortWhatWasHandedOver() throws Exception {
        createWithTwoGroups();
        Map<String, Long> before = table.disk();
        BlobUpdateBuilder builder = table.builder();

        BlobUpdate update = builder.newUpdate().set(1, "pic", blob("new"));
        List<CommitMessage> messages = update.prepareCommit();
        update.close();
        assertThat(table.disk()).hasSize(before.size() + 1);

        builder.newCommit().abort(messages);
        assertThat(table.disk()).isEqualTo(before);
        assertThatThrownBy(() -> update.setNull(1, "pic"))
                .hasMessageContaining("has been written or closed before");
        assertThatThrownBy(update::commit)
                .hasMessageContaining("has been written or closed before");
    }

    /** W4: a value that cannot be read to its end leaves neither file nor snapshot. */
    @Test
    void aValueThatFailsInTheMiddleLeavesNoFile() throws Exception {
        createWithTwoGroups();
        java.nio.file.Path source = folder.resolve("source");
        Files.write(source, new byte[100]);
        Map<String, Long> before = table.disk();

        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(1, "pic", blob("new"))
                    .set(7, "pic", Blob.fromFile(LocalFileIO.create(), source.toString(), 50, 100));
            assertThatThrownBy(update::commit)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("expected 100 bytes, found 50");
        }
        assertThat(table.disk()).isEqualTo(before);
    }

    @Test
    void filesAndDescriptorsAreValuesToo() throws Exception {
        createWithTwoGroups();
        java.nio.file.Path source = folder.resolve("source");
        Files.writeString(source, "0123456789");

        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(0, "pic", Blob.fromLocal(source.toString()))
                    .set(1, "pic", Blob.fromFile(LocalFileIO.create(), source.toString(), 3, 4));
            update.commit();
        }

        assertThat(table.read("pic")).containsEntry(0L, "0123456789").containsEntry(1L, "3456");
    }

    /** Many workers write, one commits; the builder travels to them. */
    @Test
    void manyWorkersWriteAndOneCommits() throws Exception {
        createWithTwoGroups();
        BlobUpdateBuilder builder = table.builder();
        assertThat(builder.groupsOf(List.of(8L, 1L, 3L)))
                .containsExactly(new Range(0, 4), new Range(5, 9));

        List<CommitMessage> messages = new ArrayList<>();
        for (long rowId : new long[] {1, 8}) {
            BlobUpdateBuilder travelled = travel(builder);
            try (BlobUpdate update = travelled.newUpdate()) {
                update.set(rowId, "pic", blob("new" + rowId));
                messages.addAll(travel(new ArrayList<>(update.prepareCommit())));
            }
        }
        BlobUpdateCommit commit = builder.newCommit();
        commit.commit(messages);

        assertThat(table.read("pic")).isEqualTo(expected("pic", Map.of(1L, "new1", 8L, "new8")));
        assertThatThrownBy(() -> commit.commit(messages))
                .hasMessageContaining("has been used before");
        assertThatThrownBy(() -> builder.newCommit().commit(messages))
                .hasMessageContaining("committed already");
        assertThatThrownBy(() -> builder.newCommit().abort(messages))
                .hasMessageContaining("committed already");
        assertThat(table.read("pic")).containsEntry(1L, "new1");
    }

    /** W2: two layers of one number would overlap, so a group has one update in a commit. */
    @Test
    void twoUpdatesOfOneGroupInOneCommitAreRefused() throws Exception {
        createWithTwoGroups();
        BlobUpdateBuilder builder = table.builder();
        List<CommitMessage> messages = new ArrayList<>();
        for (long rowId = 1; rowId <= 2; rowId++) {
            messages.addAll(builder.newUpdate().set(rowId, "pic", blob("x")).prepareCommit());
        }

        BlobUpdateCommit commit = builder.newCommit();
        assertThatThrownBy(() -> commit.commit(messages))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("overlap")
                .hasMessageContaining("one update");
        commit.abort(messages);
        assertThat(table.blobFiles("pic")).hasSize(2);
    }

    /** W5: two updates that were planned on one snapshot both land, the later commit on top. */
    @Test
    void twoUpdatesAtOnceBothLandAndTheLaterCommitWins() throws Exception {
        createWithTwoGroups();
        try (BlobUpdate first = table.builder().newUpdate();
                BlobUpdate second = table.builder().newUpdate()) {
            first.set(1, "pic", blob("a1")).set(2, "pic", blob("a2"));
            second.set(2, "pic", blob("b2")).set(3, "pic", blob("b3"));
            second.commit();
            first.commit();
        }

        assertThat(table.read("pic"))
                .isEqualTo(expected("pic", Map.of(1L, "a1", 2L, "a2", 3L, "b3")));
    }

    /** W5: an update of a partition that was dropped meanwhile fails and leaves nothing. */
    @Test
    void anUpdateThatMeetsADroppedPartitionFails() throws Exception {
        table = create(UpdateTable.schema().partitionKeys("part"));
        table.append(0, 4, 1);
        table.append(5, 9, 2);

        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(1, "pic", blob("new")).set(6, "pic", blob("new"));
            try (BatchTableCommit commit = table.table().newBatchWriteBuilder().newCommit()) {
                commit.truncatePartitions(
                        Collections.singletonList(Collections.singletonMap("part", "1")));
            }
            Map<String, Long> before = table.disk();
            assertThatThrownBy(update::commit)
                    .isInstanceOf(BlobUpdateConflictException.class)
                    .hasMessageContaining("dropped");
            assertThat(table.disk()).isEqualTo(before);
        }
        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(6, "pic", blob("new")).commit();
        }
        assertThat(table.read("pic")).hasSize(5).containsEntry(6L, "new");
    }

    @Test
    void rowsAreChosenByAPredicateOnNormalColumns() throws Exception {
        createWithTwoGroups();
        PredicateBuilder predicates = new PredicateBuilder(table.table().rowType());

        try (BlobUpdate update = table.builder().newUpdate()) {
            assertThat(update.setWhere(predicates.between(0, 3, 6), "pic", blob("chosen")))
                    .isEqualTo(4);
            assertThat(update.setWhere(predicates.equal(0, 77), "pic", null)).isZero();
            assertThatThrownBy(() -> update.setWhere(predicates.isNull(1), "pic", null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("pic");
            update.commit();
        }

        Map<Long, String> chosen = new TreeMap<>();
        LongStream.rangeClosed(3, 6).forEach(rowId -> chosen.put(rowId, "chosen"));
        assertThat(table.read("pic")).isEqualTo(expected("pic", chosen));
    }

    @Test
    void anEmptyUpdateMakesNoCommit() throws Exception {
        createWithTwoGroups();
        try (BlobUpdate update = table.builder().newUpdate()) {
            update.commit();
        }
        assertThat(table.table().snapshotManager().latestSnapshotId()).isEqualTo(2);
    }

    /** Memory is the index that is written, not a number of arrays of the group's length. */
    @Test
    void aFewRowsOfALargeGroupAreUpdatedByPlanningThisGroupOnly() throws Exception {
        createWithTwoGroups();
        FileStoreTable current = table.table();
        assertThat(
                        new GroupScan(current)
                                .groups(
                                        current.snapshotManager().latestSnapshot(),
                                        List.of(new Range(6, 6), new Range(8, 8))))
                .singleElement()
                .satisfies(
                        group -> {
                            assertThat(group.range()).isEqualTo(new Range(5, 9));
                            assertThat(group.normalFiles()).hasSize(1);
                        });
    }

    private void createWithTwoGroups() throws Exception {
        table = create(UpdateTable.schema());
        table.append(0, 4);
        table.append(5, 9);
    }

    private UpdateTable create(Schema.Builder schema) {
        return UpdateTable.create(LocalFileIO.create(), folder, schema.build());
    }

    private static Map<Long, String> expected(
            String column, Map<Long, String> changed, Long... nulls) {
        Map<Long, String> expected = new TreeMap<>();
        LongStream.range(0, 10).forEach(rowId -> expected.put(rowId, column + rowId));
        expected.putAll(changed);
        Arrays.stream(nulls).forEach(rowId -> expected.put(rowId, null));
        return expected;
    }

    private static ManifestEntry newest(List<ManifestEntry> files) {
        return Collections.max(
                files,
                (a, b) -> Long.compare(a.file().maxSequenceNumber(), b.file().maxSequenceNumber()));
    }

    @SuppressWarnings("unchecked")
    private static <T> T travel(T value) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (T) in.readObject();
        }
    }
}
