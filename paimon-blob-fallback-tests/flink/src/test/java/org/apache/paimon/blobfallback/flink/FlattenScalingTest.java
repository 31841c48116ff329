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

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.StorageMeter;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.apache.paimon.blobfallback.tests.reader.MeteredFileIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * How a flatten scales with its tasks: the same table is flattened by 1, 2 and 4 tasks, rolled back
 * in between. In the build it only has to get the same result; docs/procedures.md says how to
 * measure.
 *
 * <p>{@code -Dscaling.groups}, {@code -Dscaling.rows} of a group and {@code -Dscaling.bytes} of a
 * blob make the table; with {@code -Dscaling.request-millis} it lies in a store whose requests take
 * that long; {@code -Dscaling.rounds} is how often all is repeated.
 */
class FlattenScalingTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    private static final int GROUPS = Integer.getInteger("scaling.groups", 4);
    private static final int ROWS = Integer.getInteger("scaling.rows", 8);
    private static final int BYTES = Integer.getInteger("scaling.bytes", 100);
    private static final int REQUEST_MILLIS = Integer.getInteger("scaling.request-millis", 0);
    private static final int ROUNDS = Integer.getInteger("scaling.rounds", 1);

    /** Each of the updates replaces each fourth blob. */
    private static final int UPDATES = 3;

    private static final int UPDATED = 4;

    @TempDir Path warehouse;

    private FlinkCluster.Session session;

    @BeforeEach
    void write() throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            writer.createTable("db.t", TableDefinition.of("id", "INT", "pic", "BLOB"));
            for (int group = 0; group < GROUPS; group++) {
                List<List<Object>> rows = new ArrayList<>();
                for (int i = 0; i < ROWS; i++) {
                    rows.add(Arrays.asList(group * ROWS + i, new byte[BYTES]));
                }
                writer.append("db.t", rows);
            }
            List<Object> value = List.of(new byte[BYTES]);
            for (int update = 0; update < UPDATES; update++) {
                Map<Long, List<Object>> values = new HashMap<>();
                for (long rowId = update; rowId < (long) GROUPS * ROWS; rowId += UPDATED) {
                    values.put(rowId, value);
                }
                writer.update("db.t", List.of("pic"), values, Map.of());
            }
        }
        StorageMeter.store(new StorageMeter.Store(1_000L * REQUEST_MILLIS, 0, 0));
        session =
                FLINK.batch()
                        .inPluginCatalog(
                                REQUEST_MILLIS == 0
                                        ? warehouse
                                        : MeteredFileIO.STORE_SCHEME + "://" + warehouse);
    }

    @AfterEach
    void makeStoresFastAgain() {
        StorageMeter.store(StorageMeter.Store.FAST);
    }

    /** W6: any number of tasks flattens each group once. */
    @Test
    void anyNumberOfTasksFlattensAll() throws Exception {
        long layered = snapshots();
        for (int round = 0; round < ROUNDS; round++) {
            for (int tasks : new int[] {1, 2, 4}) {
                Row done = flatten(tasks);

                assertThat(done.getField(0)).isEqualTo((long) GROUPS);
                assertThat(done.getField(1)).isEqualTo((1L + UPDATES) * GROUPS);
                assertThat((Long) done.getField(2))
                        .isGreaterThanOrEqualTo((long) GROUPS * ROWS * BYTES);
                session.sql("CALL sys.rollback_to(`table` => 'db.t', snapshot_id => %d)", layered);
            }
        }
    }

    private Row flatten(int tasks) throws Exception {
        OperatingSystemMXBean system =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = system.getProcessCpuTime();
        long start = System.nanoTime();
        Row done =
                session.sql(
                                "CALL sys.flatten_blob_layers(`table` => 'db.t', parallelism => %d)",
                                tasks)
                        .get(0);
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                "Flattened %d groups by %d tasks in %.1f s, %.1f s of CPU: %.0f MB/s kept.%n",
                GROUPS,
                tasks,
                seconds,
                (system.getProcessCpuTime() - cpu) / 1e9,
                (Long) done.getField(2) / seconds / (1 << 20));
        return done;
    }

    private long snapshots() throws Exception {
        return (Long)
                session.sql("SELECT MAX(snapshot_id) FROM db.`t$snapshots`").get(0).getField(0);
    }
}
