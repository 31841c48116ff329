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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.testtable.UpdateTable;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.utils.InstantiationUtil;
import org.apache.paimon.utils.Range;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds W4 where workers and the commit are lost and started again. */
class SharedBlobUpdateTest {

    @TempDir java.nio.file.Path folder;

    private UpdateTable table;
    private SharedBlobUpdate update;

    @BeforeEach
    void create() throws Exception {
        table =
                UpdateTable.create(
                        LocalFileIO.create(),
                        folder,
                        UpdateTable.schema().partitionKeys("part").build());
        table.append(0, 4, 1);
        table.append(5, 9, 2);
        update = table.builder().newSharedUpdate();
    }

    /** W4: the files of a worker that was lost go with the commit of the one that replaced it. */
    @Test
    void whatALostWorkerLeftIsDeletedAtTheCommit() throws Exception {
        assertThat(update.groupsOf(List.of(1L, 3L, 8L)))
                .containsExactly(new Range(0, 4), new Range(5, 9));
        Map<String, Long> before = table.disk();
        write(1, "lost");
        List<CommitMessage> messages = new ArrayList<>(write(1, "new1"));
        messages.addAll(write(8, "new8"));
        assertThat(table.disk()).hasSize(before.size() + 3);

        update.commit(messages);

        assertThat(table.read("pic")).containsEntry(1L, "new1").containsEntry(8L, "new8");
        assertThat(table.blobFiles("pic")).hasSize(4);
        assertThat(blobsOf(table.disk())).isEqualTo(blobsOf(before) + 2);
    }

    /** W4: a commit that is tried again, by whoever and with whatever, does not land twice. */
    @Test
    void aCommitThatIsTriedAgainDoesNotLandTwice() throws Exception {
        List<CommitMessage> messages = write(1, "new1");
        update.commit(messages);
        try (BlobUpdate later = table.builder().newUpdate()) {
            later.set(1, "pic", blob("later")).commit();
        }
        long snapshot = table.table().snapshotManager().latestSnapshotId();
        long blobs = blobsOf(table.disk());

        InstantiationUtil.clone(update).commit(messages);
        update.commit(write(1, "written anew"));

        assertThat(table.table().snapshotManager().latestSnapshotId()).isEqualTo(snapshot);
        assertThat(table.read("pic")).containsEntry(1L, "later");
        assertThat(blobsOf(table.disk())).isEqualTo(blobs);
    }

    /** W4: after a failure no file is left, wherever it lies. */
    @Test
    void afterAFailureNothingIsLeft() throws Exception {
        Map<String, Long> before = table.disk();
        write(1, "new1");
        write(8, "new8");

        update.deleteUncommitted();

        assertThat(table.disk()).isEqualTo(before);
    }

    /** W4: what has been committed stays, even if somebody thinks that it failed. */
    @Test
    void whatIsCommittedIsNotDeleted() throws Exception {
        update.commit(write(1, "new1"));
        write(8, "lost");

        update.deleteUncommitted();

        assertThat(table.read("pic")).containsEntry(1L, "new1").containsEntry(8L, "pic8");
        assertThat(blobsOf(table.disk())).isEqualTo(table.blobFiles("pic").size() + 2);
    }

    @Test
    void rowsThatDoNotExistAreNamed() {
        assertThatThrownBy(() -> update.groupsOf(List.of(1L, 10L, 4711L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[10, 4711]");
    }

    /** As a worker does, to which the update has travelled. */
    private List<CommitMessage> write(long rowId, String value) throws Exception {
        try (BlobUpdate share = InstantiationUtil.clone(update).newUpdate()) {
            return share.set(rowId, "pic", blob(value)).prepareCommit();
        }
    }

    private static long blobsOf(Map<String, Long> disk) throws IOException {
        return disk.keySet().stream().filter(name -> name.endsWith(".blob")).count();
    }
}
