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
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.testtable.UpdateTable;
import org.apache.paimon.fs.Path;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * W4 and W6 under I/O errors: each single operation of an update and of a flatten fails, once, once
 * after it was done, or with all that follow. The table then reads as before or as after, and after
 * the abort no data file is there that no snapshot knows.
 */
@Tag("slow")
class FaultTest {

    /** Far more than there are; a run stops at the first that is not reached. */
    private static final int MAX_OPERATIONS = 10_000;

    @TempDir java.nio.file.Path folder;

    private final FailingFileIO fileIO = new FailingFileIO();
    private UpdateTable table;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ERROR")
    void anUpdateThatFailsLeavesTheTableAsItWas(FailingFileIO.Trouble trouble) throws Exception {
        UpdateTable original = create(2);
        Map<Long, String> before = original.read("pic");
        Map<Long, String> after = new TreeMap<>(before);
        after.put(1L, "b");
        after.put(3L, null);
        after.put(6L, "b");
        for (int n = 1; n < MAX_OPERATIONS; n++) {
            table = original.copyTo(folder.resolve("n" + n));
            BlobUpdate update = table.builder().newUpdate();
            update.set(1, "pic", blob("b")).setNull(3, "pic").set(6, "pic", blob("b"));
            fileIO.failAt(n, trouble);
            Exception failure = null;
            try {
                update.commit();
            } catch (IOException | RuntimeException e) {
                failure = e;
            }
            boolean reached = fileIO.repair();
            update.close();

            check(n, before, after, failure);
            if (!reached) {
                assertThat(failure).isNull();
                assertThat(n).isGreaterThan(30);
                return;
            }
        }
        throw new AssertionError("The update does not end");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ERROR")
    void aFlattenThatFailsLeavesTheTableReadable(FailingFileIO.Trouble trouble) throws Exception {
        UpdateTable original = create(1);
        Map<Long, String> pics = original.read("pic");
        for (int n = 1; n < MAX_OPERATIONS; n++) {
            table = original.copyTo(folder.resolve("n" + n));
            BlobFlatten flatten = BlobFallback.newFlattenBuilder(table.table()).newFlatten();
            fileIO.failAt(n, trouble);
            Exception failure = null;
            try {
                flatten.run();
            } catch (IOException | RuntimeException e) {
                failure = e;
            }
            boolean reached = fileIO.repair();
            flatten.close();

            check(n, pics, pics, failure);
            // A run that died is taken up by the next.
            flatten.run();
            assertThat(table.readStock("pic")).as("operation %s", n).isEqualTo(pics);
            if (!reached) {
                assertThat(failure).isNull();
                assertThat(n).isGreaterThan(30);
                return;
            }
        }
        throw new AssertionError("The flatten does not end");
    }

    /** W4, where there is no memory left: no file is left even if nobody closes the update. */
    @Test
    void anUpdateThatEndsInAnErrorLeavesNoFile() throws Exception {
        UpdateTable original = create(2);
        Map<Long, String> before = original.read("pic");
        anErrorAtEachOperationLeavesNoFile(
                original,
                before,
                () -> {
                    BlobUpdate update = table.builder().newUpdate();
                    update.set(1, "pic", blob("b")).set(6, "pic", blob("b")).commit();
                });
    }

    /** The same of a flatten. */
    @Test
    void aFlattenThatEndsInAnErrorLeavesNoFile() throws Exception {
        UpdateTable original = create(2);
        anErrorAtEachOperationLeavesNoFile(
                original,
                original.read("pic"),
                () -> BlobFallback.newFlattenBuilder(table.table()).newFlatten().run());
    }

    private void anErrorAtEachOperationLeavesNoFile(
            UpdateTable original, Map<Long, String> before, ThrowingCallable write)
            throws Exception {
        for (int n = 1; n < MAX_OPERATIONS; n++) {
            table = original.copyTo(folder.resolve("n" + n));
            fileIO.failAt(n, FailingFileIO.Trouble.ERROR);
            Throwable error = catchThrowable(write);
            if (!fileIO.repair()) {
                assertThat(error).isNull();
                assertThat(n).isGreaterThan(5);
                return;
            }
            assertThat(error).hasStackTraceContaining("java.lang.OutOfMemoryError: Injected");
            assertThat(orphans()).as("operation %s", n).isEmpty();
            assertThat(table.read("pic")).as("operation %s", n).isEqualTo(before);
        }
        throw new AssertionError("The write does not end");
    }

    private void check(int n, Map<Long, String> before, Map<Long, String> after, Exception failure)
            throws IOException {
        Map<Long, String> now = table.read("pic");
        if (failure == null) {
            assertThat(now).as("operation %s", n).isEqualTo(after);
        } else {
            assertThat(now).as("operation %s: %s", n, failure).isIn(before, after);
        }
        assertThat(orphans()).as("operation %s: %s", n, failure).isEmpty();
    }

    /** Data files that no snapshot knows. */
    private List<String> orphans() throws IOException {
        FileStoreTable current = table.table();
        long latest = current.snapshotManager().latestSnapshotId();
        Set<String> known = new HashSet<>();
        for (Snapshot snapshot : snapshots(current)) {
            try {
                for (ManifestEntry entry :
                        current.store().newScan().withSnapshot(snapshot).plan().files()) {
                    known.add(entry.file().fileName());
                }
            } catch (RuntimeException e) {
                // The host was interrupted when it expired the snapshot.
                assertThat(snapshot.id()).isLessThan(latest);
            }
        }
        List<String> orphans = new ArrayList<>();
        for (String file : table.disk().keySet()) {
            Path path = new Path(file);
            if (path.getParent().getName().startsWith("bucket-")
                    && !known.contains(path.getName())) {
                orphans.add(path.getName());
            }
        }
        return orphans;
    }

    private static List<Snapshot> snapshots(FileStoreTable table) throws IOException {
        List<Snapshot> snapshots = new ArrayList<>();
        table.snapshotManager().snapshots().forEachRemaining(snapshots::add);
        return snapshots;
    }

    /** Groups of five rows, with an update of the first. */
    private UpdateTable create(int groups) throws Exception {
        UpdateTable original =
                UpdateTable.create(
                        fileIO,
                        folder.resolve("original"),
                        UpdateTable.schema()
                                .option("commit.max-retries", "2")
                                .option("commit.min-retry-wait", "1 ms")
                                .option("commit.max-retry-wait", "1 ms")
                                .option("snapshot.num-retained.min", "1")
                                .option("snapshot.num-retained.max", "3")
                                .build());
        for (int group = 0; group < groups; group++) {
            original.append(5 * group, 5 * group + 4);
        }
        try (BlobUpdate update = original.builder().newUpdate()) {
            update.set(1, "pic", blob("a")).setNull(2, "pic").commit();
        }
        return original;
    }
}
