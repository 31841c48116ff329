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

package org.apache.paimon.blobfallback.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A procedure whose task manager goes in the middle leaves neither a double nor a half. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class LostTaskManagerTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    private static final int GROUPS = 16;

    @TempDir Path warehouse;

    private Album album;
    private FlinkCluster.Session session;

    @BeforeEach
    void write() throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            album = Album.create(writer, "db.album");
            Map<Long, String> update = new TreeMap<>();
            for (long group = 0; group < GROUPS; group++) {
                album.append(2);
                update.put(2 * group, "new front-" + 2 * group);
            }
            album.update("front", update);
        }
        session = FLINK.batch().inPluginCatalog(warehouse);
    }

    /** W6: each group is flattened once, in one commit. */
    @Test
    void aFlattenContinuesWhereItStopped() throws Exception {
        CompletableFuture<List<Row>> call =
                start(
                        "CALL sys.flatten_blob_layers(`table` => 'db.album', parallelism => 4,"
                                + " groups_per_commit => 1)");

        await(call, () -> count("snapshot", "snapshot-") > GROUPS + 2);
        FLINK.replaceTaskManager();
        Row done = call.get().get(0);

        assertThat(FLINK.restarts("Flattening blob layers of db.album")).isPositive();
        assertThat((Long) done.getField(0)).isBetween(1L, (long) GROUPS);
        assertThat(
                        session.sql(
                                "SELECT commit_kind, COUNT(*) FROM db.`album$snapshots`"
                                        + " GROUP BY commit_kind"))
                .contains(Row.of("COMPACT", (long) GROUPS));
        Judges.assertStockHostReads(warehouse, "db.album", album.rows());
    }

    /** W4: the update lands once, and what the lost tasks wrote is deleted. */
    @Test
    void anUpdateLandsOnceAndLeavesNothing() throws Exception {
        CompletableFuture<List<Row>> call =
                start(
                        "CALL sys.update_blobs(`table` => 'db.album', parallelism => 4, source =>"
                                + " 'SELECT _ROW_ID, back AS front FROM `album$row_tracking`')");

        await(call, () -> count("bucket-0", "blob-update-") > 0);
        FLINK.replaceTaskManager();
        Row done = call.get().get(0);

        // Whether it goes before or after the commit is open, and must not matter.
        assertThat(done.getField(0)).isEqualTo(2L * GROUPS);
        assertThat(count("snapshot", "snapshot-")).isEqualTo(GROUPS + 2);
        assertThat(count("bucket-0", "blob-update-")).isEqualTo(GROUPS);
        Map<Long, String> fronts = new TreeMap<>();
        for (long rowId = 0; rowId < 2 * GROUPS; rowId++) {
            fronts.put(rowId, "back-" + rowId);
        }
        album.updatedByOthers("front", fronts);
        Judges.assertPaimon2Reads(PAIMON2, warehouse, "db.album", album.rows());
    }

    private CompletableFuture<List<Row>> start(String statement) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return session.sql(statement);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
    }

    /** Waits until something is so, or the call is over. */
    private static void await(CompletableFuture<?> call, Condition condition) throws Exception {
        while (!call.isDone() && !condition.holds()) {
            Thread.sleep(2);
        }
    }

    private int count(String folder, String prefix) throws IOException {
        try (Stream<Path> files =
                Files.list(warehouse.resolve("db.db").resolve("album").resolve(folder))) {
            return (int)
                    files.filter(file -> file.getFileName().toString().startsWith(prefix)).count();
        }
    }

    private interface Condition {
        boolean holds() throws IOException;
    }
}
