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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.testtable.UpdateTable;
import org.apache.paimon.fs.FileStatus;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.fs.local.LocalFileIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** W5: other commits between an update's check of its groups and its snapshot. */
class CommitRaceTest {

    @TempDir Path folder;

    private final RacingFileIO fileIO = new RacingFileIO();
    private UpdateTable table;

    @BeforeEach
    void create() throws Exception {
        table =
                UpdateTable.create(
                        fileIO, folder, UpdateTable.schema().partitionKeys("part").build());
        table.append(0, 2, 1);
        table.append(3, 5, 1);
        table.append(6, 8, 2);
    }

    @Test
    void aCompactionOfTheGroupInTheLastMomentIsAConflict() throws Exception {
        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(1, "pic", blob("new"));
            fileIO.raceWith(() -> assertThat(table.compact()).hasSize(1));
            assertThatThrownBy(update::commit)
                    .isInstanceOf(BlobUpdateConflictException.class)
                    .hasMessageContaining("compacted");
        }
        assertThat(fileIO.hasRaced()).isTrue();
        assertThat(table.read("pic")).containsEntry(1L, "pic1");
        assertThat(table.blobFiles("pic")).hasSize(3);
    }

    @Test
    void aDropOfThePartitionInTheLastMomentIsAConflict() throws Exception {
        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(1, "pic", blob("new"));
            fileIO.raceWith(() -> table.dropPartition(1));
            assertThatThrownBy(update::commit).isInstanceOf(BlobUpdateConflictException.class);
        }
        assertThat(fileIO.hasRaced()).isTrue();
        assertThat(table.read("pic")).hasSize(3);
    }

    @Test
    void aCompactionOfAnotherPartitionInTheLastMomentIsNone() throws Exception {
        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(7, "pic", blob("new"));
            fileIO.raceWith(() -> assertThat(table.compact()).hasSize(1));
            update.commit();
        }
        assertThat(fileIO.hasRaced()).isTrue();
        assertThat(table.read("pic")).hasSize(9).containsEntry(7L, "new");
    }

    @Test
    void aFlattenOfTheGroupInTheLastMomentIsNone() throws Exception {
        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(7, "pic", blob("old")).set(8, "pic", blob("old")).commit();
        }
        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(7, "pic", blob("new"));
            fileIO.raceWith(() -> BlobFallback.newFlattenBuilder(table.table()).newFlatten().run());
            update.commit();
        }
        assertThat(fileIO.hasRaced()).isTrue();
        assertThat(table.read("pic")).containsEntry(7L, "new").containsEntry(8L, "old");
    }

    @Test
    void anotherUpdateOfTheRowInTheLastMomentIsBelow() throws Exception {
        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(7, "pic", blob("later"));
            fileIO.raceWith(
                    () -> {
                        try (BlobUpdate first = table.builder().newUpdate()) {
                            first.set(7, "pic", blob("first"))
                                    .set(8, "pic", blob("first"))
                                    .commit();
                        }
                    });
            update.commit();
        }
        assertThat(fileIO.hasRaced()).isTrue();
        assertThat(table.read("pic")).containsEntry(7L, "later").containsEntry(8L, "first");
    }

    /** W8: wherever the commit looks at snapshots before it writes manifests. */
    @Test
    void aSnapshotWhoseNumberIsUsedAgainInAnyMomentIsAConflict() throws Exception {
        int races = 0;
        for (int look = 1; ; look++) {
            UpdateTable raced =
                    UpdateTable.create(
                            fileIO, folder.resolve("look" + look), UpdateTable.schema().build());
            raced.append(0, 2);
            raced.append(3, 5);
            try (BlobUpdate update = raced.builder().newUpdate()) {
                update.set(4, "pic", blob("old"));
                fileIO.raceAtLook(
                        look,
                        () -> {
                            raced.table().rollbackTo(1);
                            raced.append(13, 15);
                        });
                try {
                    update.commit();
                    assertThat(fileIO.hasRaced()).as("look %s", look).isFalse();
                } catch (BlobUpdateConflictException e) {
                    assertThat(e).hasMessageContaining("rolled back");
                    assertThat(fileIO.hasRaced()).isTrue();
                }
            }
            if (!fileIO.hasRaced()) {
                break;
            }
            races++;
            assertThat(raced.read("pic"))
                    .as("look %s", look)
                    .hasSize(6)
                    .containsEntry(4L, "pic14")
                    .doesNotContainValue("old");
        }
        assertThat(races).isGreaterThan(3);
    }

    @Test
    void updatesOfManyThreadsAllLandWhileAnotherFlattens() throws Exception {
        Map<Long, String> expected = new TreeMap<>(table.read("pic"));
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (long rowId = 0; rowId < 9; rowId += 3) {
                long first = rowId;
                expected.put(first, "t3");
                running.add(
                        threads.submit(
                                () -> {
                                    for (int i = 0; i < 4; i++) {
                                        try (BlobUpdate update = table.builder().newUpdate()) {
                                            update.set(first, "pic", blob("t" + i)).commit();
                                        }
                                    }
                                    return null;
                                }));
            }
            running.add(
                    threads.submit(
                            () -> {
                                for (int i = 0; i < 3; i++) {
                                    BlobFallback.newFlattenBuilder(table.table())
                                            .newFlatten()
                                            .run();
                                }
                                return null;
                            }));
            for (Future<?> future : running) {
                future.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(table.read("pic")).isEqualTo(expected);
    }

    /** Runs something else once, in the middle of a commit. */
    private static final class RacingFileIO extends LocalFileIO {

        private static final long serialVersionUID = 1L;

        private transient volatile Race race;
        private transient volatile boolean raced;
        private transient volatile int looksLeft;

        /**
         * Runs something else once, right before a file or folder of snapshots is looked at.
         *
         * @param look counts from one; beyond the last look before manifests are written nothing is
         *     run
         */
        private void raceAtLook(int look, Race other) {
            raceWith(other);
            looksLeft = look;
        }

        private void look(org.apache.paimon.fs.Path path) throws IOException {
            if (looksLeft > 0 && path.toString().contains("/snapshot") && --looksLeft == 0) {
                run();
            }
        }

        private void run() throws IOException {
            Race other = race;
            race = null;
            try {
                other.run();
            } catch (Exception e) {
                throw new IOException(e);
            }
            raced = true;
        }

        @Override
        public SeekableInputStream newInputStream(org.apache.paimon.fs.Path path)
                throws IOException {
            look(path);
            return super.newInputStream(path);
        }

        @Override
        public boolean exists(org.apache.paimon.fs.Path path) throws IOException {
            look(path);
            return super.exists(path);
        }

        @Override
        public FileStatus[] listStatus(org.apache.paimon.fs.Path path) throws IOException {
            look(path);
            return super.listStatus(path);
        }

        /** Right when a commit begins to write its manifests. */
        private void raceWith(Race other) {
            raced = false;
            race = other;
        }

        private boolean hasRaced() {
            return raced;
        }

        @Override
        public PositionOutputStream newOutputStream(
                org.apache.paimon.fs.Path path, boolean overwrite) throws IOException {
            if (race != null && path.getParent().getName().equals("manifest")) {
                if (looksLeft > 0) {
                    looksLeft = 0;
                    race = null;
                } else {
                    run();
                }
            }
            return super.newOutputStream(path, overwrite);
        }
    }

    private interface Race {

        void run() throws Exception;
    }
}
