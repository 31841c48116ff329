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
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.host.TimeTravel;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.blobfallback.testtable.UpdateTable;
import org.apache.paimon.blobfallback.write.CommitTrail;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.options.ExpireConfig;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.shade.caffeine2.com.github.benmanes.caffeine.cache.Caffeine;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.types.DataTypeRoot;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.utils.Range;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** W7, W8: an update stands on one snapshot, whatever becomes of its number and of the schema. */
class PlannedSnapshotTest {

    /** Blob files of an append: one a column. */
    private static final int APPENDED = 2;

    @TempDir java.nio.file.Path folder;

    private UpdateTable table;

    @BeforeEach
    void create() throws Exception {
        table = UpdateTable.create(LocalFileIO.create(), folder, UpdateTable.schema().build());
        table.append(0, 2);
        table.append(3, 5);
    }

    @Test
    void aSnapshotWhoseNumberWasUsedAgainIsAConflict() throws Exception {
        long blobs = blobFilesOnDisk();
        BlobUpdateBuilder builder = table.builder();
        try (BlobUpdate update = builder.newUpdate();
                BlobUpdate where = builder.newUpdate();
                BlobUpdate prepared = builder.newUpdate()) {
            update.set(4, "pic", blob("lost"));
            List<CommitMessage> messages = prepared.set(4, "pic", blob("lost")).prepareCommit();
            table.table().rollbackTo(1);
            table.append(13, 15);
            assertThat(table.table().latestSnapshot().map(Snapshot::id)).hasValue(2L);

            assertConflict(update::commit);
            assertConflict(
                    () -> where.setWhere(PredicateBuilder.alwaysTrue(), "pic", blob("lost")));
            assertConflict(() -> builder.newCommit().commit(messages));
            builder.newCommit().abort(messages);
        }
        assertThat(table.read("pic")).containsEntry(4L, "pic14").doesNotContainValue("lost");
        assertThat(blobFilesOnDisk()).isEqualTo(blobs + APPENDED);
    }

    @Test
    void aSharedUpdateOfSuchASnapshotIsAConflict() throws Exception {
        long blobs = blobFilesOnDisk();
        SharedBlobUpdate shared = table.builder().newSharedUpdate();
        List<CommitMessage> messages;
        try (BlobUpdate share = shared.newUpdate()) {
            messages = share.set(4, "pic", blob("lost")).prepareCommit();
        }
        table.table().rollbackTo(1);
        table.append(13, 15);
        table.append(16, 18);

        assertConflict(() -> shared.commit(messages));
        shared.deleteUncommitted();
        assertThat(table.read("pic")).containsEntry(4L, "pic14").doesNotContainValue("lost");
        assertThat(blobFilesOnDisk()).isEqualTo(blobs + 2 * APPENDED);
    }

    @Test
    void aSnapshotThatWasRolledBackIsAConflict() throws Exception {
        long blobs = blobFilesOnDisk();
        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(1, "pic", blob("lost"));
            table.table().rollbackTo(1);

            assertConflict(update::commit);
        }
        assertThat(blobFilesOnDisk()).isEqualTo(blobs);
    }

    /** The catalog of the update has seen the snapshot; the rollback comes from elsewhere. */
    @Test
    void aCacheOfSnapshotsDoesNotHideThatANumberWasUsedAgain() throws Exception {
        FileStoreTable cached = table.table();
        cached.setSnapshotCache(Caffeine.newBuilder().build());
        cached.snapshotManager().latestSnapshot();
        try (BlobUpdate update = BlobFallback.newUpdateBuilder(cached).newUpdate()) {
            update.set(4, "pic", blob("lost"));
            table.table().rollbackTo(1);
            table.append(13, 15);

            assertConflict(update::commit);
        }
        try (BlobUpdate update = BlobFallback.newUpdateBuilder(cached).newUpdate()) {
            update.set(4, "pic", blob("new")).commit();
        }
        assertThat(table.read("pic")).containsEntry(4L, "new").containsEntry(5L, "pic15");
    }

    @Test
    void aBranchThatTookTheTablesPlaceIsAConflictUnlessItHasTheSnapshot() throws Exception {
        table.table().createTag("one", 1);
        table.table().createTag("two", 2);
        table.table().createBranch("side", "one");
        table.table().createBranch("same", "two");
        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(1, "pic", blob("new1"));
            table.table().fastForward("same");
            update.commit();
        }
        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(4, "pic", blob("lost"));
            table.table().fastForward("side");

            assertConflict(update::commit);
        }
        assertThat(table.read("pic")).containsOnlyKeys(0L, 1L, 2L).containsEntry(1L, "pic1");
    }

    /** What is in the table is known by its commit, whatever number that bears. */
    @Test
    void anUpdateThatLandedUnderALowerNumberIsKnown() throws Exception {
        table.append(6, 8);
        Snapshot before = table.table().snapshotManager().snapshot(3);
        table.table().rollbackTo(1);
        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(1, "pic", blob("new")).commit();
        }
        String user = table.table().snapshotManager().snapshot(2).commitUser();

        assertThat(CommitTrail.find(table.table(), before, user).id()).isEqualTo(2);
        assertThat(CommitTrail.find(table.table(), before, "nobody")).isNull();
        table.append(3, 5);
        table.append(6, 8);
        assertThat(CommitTrail.find(table.table(), before, user).id()).isEqualTo(2);
        expire();
        assertThatThrownBy(() -> CommitTrail.find(table.table(), before, "nobody"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Cannot tell whether the commit of user nobody");
    }

    @Test
    void aSnapshotThatExpiredAfterAFlattenIsAConflict() throws Exception {
        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(1, "pic", blob("first")).commit();
        }
        BlobUpdateBuilder builder = table.builder();
        SharedBlobUpdate shared = builder.newSharedUpdate();
        try (BlobUpdate update = builder.newUpdate();
                BlobUpdate where = builder.newUpdate();
                BlobUpdate prepared = shared.newUpdate()) {
            update.set(1, "pic", blob("lost"));
            List<CommitMessage> messages = prepared.set(1, "pic", blob("lost")).prepareCommit();
            try (BlobFlatten flatten = BlobFallback.newFlattenBuilder(table.table()).newFlatten()) {
                assertThat(flatten.run()).hasSize(1);
            }
            expire();

            assertConflict(update::commit);
            assertConflict(() -> where.setWhere(PredicateBuilder.alwaysTrue(), "pic", null));
            assertConflict(() -> builder.groupsOf(List.of(1L)));
            assertConflict(() -> shared.groupsOf(List.of(1L)));
            assertConflict(() -> shared.commit(messages));
        }
        assertThat(table.read("pic")).containsEntry(1L, "first");
    }

    @Test
    void aSharedUpdateThatLandedBeforeItsSnapshotsExpiredDoesNotLandTwice() throws Exception {
        SharedBlobUpdate shared = table.builder().newSharedUpdate();
        try (BlobUpdate share = shared.newUpdate()) {
            List<CommitMessage> messages = share.set(1, "pic", blob("new")).prepareCommit();
            shared.commit(messages);
            table.append(6, 8);
            expire();
            shared.commit(messages);
        }
        assertThat(table.table().latestSnapshot().map(Snapshot::id)).hasValue(4L);
        assertThat(table.read("pic")).containsEntry(1L, "new").containsEntry(7L, "pic7");
    }

    /** Our own snapshot stands in for whatever time the table is read at otherwise. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "scan.mode=latest",
                "scan.mode=latest-full",
                "scan.mode=compacted-full",
                "scan.timestamp-millis=1",
                "scan.timestamp=2020-01-01 00:00:00",
                "scan.tag-name=one",
                "scan.snapshot-id=1",
                "scan.watermark=1",
                "scan.file-creation-time-millis=1",
                "scan.creation-time-millis=1",
                "incremental-between=1,2",
                "incremental-between=one,two",
                "incremental-between-timestamp=0,1",
                "scan.mode=incremental;incremental-to-auto-tag=two",
                "consumer-id=reader",
                "stream-scan-mode=file-monitor",
                "scan.fallback-branch=side"
            })
    void theTimeThatTheTableIsReadAtDoesNotMatter(String option) throws Exception {
        table.table().createTag("one", 1);
        table.table().createTag("two", 2);
        table.table().createBranch("side", "one");
        SchemaChange[] options =
                Arrays.stream(option.split(";"))
                        .map(each -> each.split("="))
                        .map(each -> SchemaChange.setOption(each[0], each[1]))
                        .toArray(SchemaChange[]::new);
        new SchemaManager(LocalFileIO.create(), table.table().location()).commitChanges(options);
        PredicateBuilder where = new PredicateBuilder(table.table().rowType());

        BlobUpdateBuilder builder = table.builder();
        try (BlobUpdate update = builder.newUpdate()) {
            assertThat(update.setWhere(where.greaterOrEqual(0, 2), "pic", blob("new")))
                    .isEqualTo(4);
            update.commit();
        }
        FileStoreTable now = TimeTravel.none(BlobFallback.wrap(table.table()));
        now = now.copyWithoutTimeTravel(Map.of(BlobFallbackOptions.ENABLED.key(), "true"));
        assertThat(UpdateTable.read(now, "pic"))
                .containsEntry(1L, "pic1")
                .containsEntry(2L, "new")
                .containsEntry(5L, "new");
        try (BlobFlatten flatten = BlobFallback.newFlattenBuilder(table.table()).newFlatten()) {
            assertThat(flatten.plan()).hasSize(2);
            assertThat(flatten.run()).hasSize(2);
        }
        assertThat(UpdateTable.read(now, "pic")).containsEntry(5L, "new");
        assertThat(builder.snapshotTable().options()).containsEntry("scan.snapshot-id", "2");
        if (!option.startsWith("scan.t") && !option.equals("scan.watermark=1")) {
            assertThat(BlobFallback.verify(table.table()).faults()).isEmpty();
            assertThat(BlobFallback.verify(table.table()).fileCount()).isPositive();
            assertThat(BlobFallback.drawLayers(table.table(), "pic", 1)).contains("D");
        }
    }

    /** W7: by field id, with no commit after the change. */
    @Test
    void rowsAreFoundUnderTheNewestSchemaInTheSnapshotBefore() throws Exception {
        SchemaManager schemas = new SchemaManager(LocalFileIO.create(), table.table().location());
        for (SchemaChange change :
                List.of(
                        SchemaChange.addColumn("extra", DataTypes.STRING()),
                        SchemaChange.addColumn(
                                "first", DataTypes.INT(), null, SchemaChange.Move.first("first")),
                        SchemaChange.updateColumnPosition(SchemaChange.Move.after("id", "doc")),
                        SchemaChange.renameColumn("id", "key"),
                        SchemaChange.renameColumn("extra", "id"),
                        SchemaChange.updateColumnType("key", DataTypes.BIGINT()),
                        SchemaChange.dropColumn("first"))) {
            schemas.commitChanges(change);
            FileStoreTable now = table.table();
            String key = now.rowType().containsField("key") ? "key" : "id";
            Object four =
                    now.rowType().getField(key).type().is(DataTypeRoot.BIGINT) ? (Object) 4L : 4;
            PredicateBuilder where = new PredicateBuilder(now.rowType());
            BlobUpdateBuilder builder = table.builder();
            try (BlobUpdate update = builder.newUpdate()) {
                assertThat(
                                update.setWhere(
                                        where.equal(now.rowType().getFieldIndex(key), four),
                                        "pic",
                                        blob("x")))
                        .as(change.toString())
                        .isEqualTo(1);
                assertThat(update.prepareCommit())
                        .singleElement()
                        .satisfies(
                                message ->
                                        assertThat(builder.groupsOf(List.of(4L)))
                                                .containsExactly(new Range(3, 5)));
            }
        }
    }

    private long blobFilesOnDisk() throws IOException {
        return table.disk().keySet().stream().filter(path -> path.endsWith(".blob")).count();
    }

    private void expire() {
        table.table()
                .newExpireSnapshots()
                .config(
                        ExpireConfig.builder()
                                .snapshotRetainMax(1)
                                .snapshotRetainMin(1)
                                .snapshotTimeRetain(Duration.ZERO)
                                .build())
                .expire();
    }

    private static void assertConflict(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(BlobUpdateConflictException.class)
                .hasMessageContaining("has expired or been rolled back");
    }
}
