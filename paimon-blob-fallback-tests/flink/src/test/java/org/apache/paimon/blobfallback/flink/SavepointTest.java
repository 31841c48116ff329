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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.table.functions.ScalarFunction;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * R15: a streaming read in parallel tasks that is stopped with a savepoint in the middle of its
 * splits, and resumed after the table has changed.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SavepointTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    /** Each partition is one split, which the host can leave between two groups. */
    private static final List<String> PARTITIONS = List.of("mon", "tue");

    private static final int GROUPS = 6;
    private static final int ROWS = 4;
    private static final int ROWS_OF_SPLIT = GROUPS * ROWS;

    @TempDir Path folder;

    private PaimonWriter writer;
    private FlinkCluster.Session streaming;
    private FlinkCluster.Session batch;

    /** What the table holds, by row id. */
    private final Map<Long, Row> rows = new TreeMap<>();

    @BeforeEach
    void write() throws Exception {
        Path warehouse = folder.resolve("warehouse");
        writer = PAIMON2.writer(warehouse);
        writer.createTable(
                "db.days",
                TableDefinition.of("id", "INT", "weekday", "STRING", "pic", "BLOB")
                        .partitionedBy("weekday"));
        for (String partition : PARTITIONS) {
            for (int group = 0; group < GROUPS; group++) {
                append(partition);
            }
        }
        update(1, "once", 9, "third group", 30, "the other partition");
        update(1, "twice", 47, "last row");
        streaming = FLINK.streaming().inPluginCatalog(warehouse);
        batch = FLINK.batch().inPluginCatalog(warehouse);
        batch.sql("CREATE TABLE db.sink (id INT, weekday STRING, pic BYTES)");
        streaming.environment().createTemporarySystemFunction("slow", Slow.class);
    }

    /** Appends a group. */
    private List<Row> append(String partition) throws Exception {
        List<Row> appended = new ArrayList<>();
        List<List<Object>> values = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            int id = rows.size();
            byte[] pic = ("pic-" + id).getBytes(UTF_8);
            values.add(List.of(id, partition, pic));
            rows.put((long) id, Row.of(id, partition, pic));
            appended.add(rows.get((long) id));
        }
        writer.append("db.days", values);
        return appended;
    }

    /** Updates blobs in part; row ids and texts in turn. */
    private void update(Object... rowIdsAndTexts) throws Exception {
        Map<Long, List<Object>> values = new TreeMap<>();
        for (int i = 0; i < rowIdsAndTexts.length; i += 2) {
            long rowId = (Integer) rowIdsAndTexts[i];
            byte[] pic = ((String) rowIdsAndTexts[i + 1]).getBytes(UTF_8);
            values.put(rowId, List.of(pic));
            rows.get(rowId).setField(2, pic);
        }
        writer.update("db.days", List.of("pic"), values, Map.of());
    }

    @AfterEach
    void close() throws Exception {
        writer.close();
    }

    @Test
    void nothingIsLostAndNothingComesTwice() throws Exception {
        List<Row> expected = new ArrayList<>();
        rows.values().forEach(row -> expected.add(Row.copy(row)));
        // A split takes so long that a savepoint comes in its middle on a busy machine too.
        Slow.millis = 1_000;
        JobClient job = copy();
        // A savepoint is refused while a task has not begun.
        FLINK.awaitRunning(job.getJobID());
        while (Slow.ROWS_SEEN.get() == 0) {
            Thread.sleep(10);
        }
        String savepoint =
                job.stopWithSavepoint(
                                false,
                                folder.resolve("savepoints").toUri().toString(),
                                SavepointFormatType.CANONICAL)
                        .get();
        assertThat(sunk("TRUE")).as("the savepoint is in the middle of a split").isPositive();
        for (String partition : PARTITIONS) {
            assertThat(sunk("weekday = '" + partition + "'")).isLessThan(ROWS_OF_SPLIT);
        }

        update(2, "meanwhile");
        // An update is a row for each of its group, with the partition and the updated column.
        expected.add(Row.of(null, "mon", "meanwhile".getBytes(UTF_8)));
        for (int row = 1; row < ROWS; row++) {
            expected.add(Row.of(null, "mon", null));
        }
        expected.addAll(append("tue"));

        streaming.set("execution.state-recovery.path", savepoint);
        Slow.millis = 0;
        job = copy();
        while (sunk("TRUE") < expected.size()) {
            Thread.sleep(100);
        }
        job.cancel().get();

        assertThat(batch.sql("SELECT * FROM db.sink"))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    private long sunk(String condition) throws Exception {
        return (Long)
                batch.sql("SELECT COUNT(*) FROM db.sink WHERE " + condition).get(0).getField(0);
    }

    private JobClient copy() throws Exception {
        return streaming
                .set("execution.checkpointing.interval", "300ms")
                .environment()
                .executeSql(
                        "INSERT INTO db.sink SELECT slow(id), weekday, pic FROM db.days"
                                + " /*+ OPTIONS('continuous.discovery-interval'='100ms',"
                                + " 'scan.parallelism'='2') */")
                .getJobClient()
                .orElseThrow();
    }

    /** Hands values on slowly. */
    public static final class Slow extends ScalarFunction {

        private static final long serialVersionUID = 1L;

        private static final AtomicInteger ROWS_SEEN = new AtomicInteger();
        private static volatile long millis;

        public Integer eval(Integer value) throws InterruptedException {
            ROWS_SEEN.incrementAndGet();
            Thread.sleep(millis);
            return value;
        }

        @Override
        public boolean isDeterministic() {
            return false;
        }
    }
}
