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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What Flink shows of the procedures: operators by name, their metrics, a log line a commit. */
class ProgressTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    @TempDir Path warehouse;

    private FlinkCluster.Session session;
    private String log;

    @BeforeEach
    void write() throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            Album.layered(writer, "db.album");
        }
        session = FLINK.batch().inPluginCatalog(warehouse);
        OperatorMetrics.reset();
    }

    @Test
    void aFlattenCountsGroupsLayersAndBytes() throws Exception {
        Map<Path, Long> before = blobFiles();

        Row done =
                logged(
                        "CALL sys.flatten_blob_layers(`table` => 'db.album', parallelism => 2,"
                                + " groups_per_commit => 2)");

        String operator = "Flatten groups of db.album";
        assertThat(OperatorMetrics.sum(operator, "groupsDone")).isEqualTo(done.getField(0));
        assertThat(OperatorMetrics.sum(operator, "layersBefore")).isEqualTo(done.getField(1));
        assertThat(OperatorMetrics.sum(operator, "bytesKept")).isEqualTo(done.getField(2));
        assertThat(OperatorMetrics.sum(operator, "bytesDropped")).isEqualTo(done.getField(3));
        assertThat(OperatorMetrics.sum(operator, "bytesWritten")).isEqualTo(newBytes(before));
        // What is kept, and the indexes that tell what that is.
        assertThat(OperatorMetrics.sum(operator, "bytesRead"))
                .isGreaterThan((Long) done.getField(2));
        // Three groups, two in one commit.
        assertThat(log.lines().filter(line -> line.contains("in one commit")))
                .hasSize(2)
                .allMatch(line -> line.contains("groups of table db.album"))
                .allMatch(line -> line.contains("bytes read"));
    }

    @Test
    void anUpdateCountsRowsGroupsAndBytes() throws Exception {
        Map<Path, Long> before = blobFiles();

        Row done =
                logged(
                        "CALL sys.update_blobs(`table` => 'db.album', source => 'SELECT _ROW_ID,"
                                + " back AS front FROM `album$row_tracking` /*+"
                                + " OPTIONS(''blob-as-descriptor''=''true'') */"
                                + " WHERE id IN (5, 9)')");

        String operator = "Write layers of db.album";
        assertThat(OperatorMetrics.sum(operator, "rowsUpdated")).isEqualTo(2);
        assertThat(OperatorMetrics.sum(operator, "groupsDone")).isEqualTo(2);
        // The blobs that the descriptors name: back-5 and back-9.
        assertThat(OperatorMetrics.sum(operator, "bytesRead")).isEqualTo(12);
        assertThat(OperatorMetrics.sum(operator, "bytesWritten"))
                .isEqualTo(done.getField(2))
                .isEqualTo(newBytes(before));
        assertThat(log.lines().filter(line -> line.contains("in one commit")))
                .singleElement()
                .asString()
                .contains("Updated blobs in 2 groups of table db.album");
    }

    /** Runs a call, keeps what is logged meanwhile, and returns its row. */
    private Row logged(String call) throws Exception {
        PrintStream stderr = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setErr(new PrintStream(bytes, true, UTF_8));
        try {
            List<Row> rows = session.sql(call);
            log = bytes.toString(UTF_8);
            return rows.get(0);
        } finally {
            System.setErr(stderr);
        }
    }

    private long newBytes(Map<Path, Long> before) throws IOException {
        Map<Path, Long> after = blobFiles();
        after.keySet().removeAll(before.keySet());
        return after.values().stream().mapToLong(Long::longValue).sum();
    }

    private Map<Path, Long> blobFiles() throws IOException {
        Map<Path, Long> sizes = new HashMap<>();
        try (Stream<Path> paths = Files.walk(warehouse)) {
            for (Path path : paths.filter(file -> file.toString().endsWith(".blob")).toList()) {
                sizes.put(path, Files.size(path));
            }
        }
        return sizes;
    }
}
