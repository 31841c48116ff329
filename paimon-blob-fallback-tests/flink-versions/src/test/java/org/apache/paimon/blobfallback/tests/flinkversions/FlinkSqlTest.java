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

package org.apache.paimon.blobfallback.tests.flinkversions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Reads, both procedures by position as docs/procedures.md has them, a stream and a lookup join in
 * each version of Flink, in a JVM whose class path is an installation's lib folder. Flink 1.18 and
 * 1.20 are part of each build, all of them with {@code -Dflinks.all=true}.
 */
@EnabledIf("connectorsAreThere")
class FlinkSqlTest {

    private static final Set<FlinkVersion> ALWAYS =
            Set.of(FlinkVersion.FLINK_1_18, FlinkVersion.FLINK_1_20);

    private static final String TABLE = "my_db.my_table";

    @TempDir Path folder;

    private Path warehouse;

    /** Rows of the output by the step that they are the result of. */
    private List<List<String>> results;

    @ParameterizedTest
    @EnumSource
    void layersAreReadUpdatedFlattenedAndJoined(FlinkVersion version) throws Exception {
        assumeTrue(ALWAYS.contains(version) || Boolean.getBoolean("flinks.all"));
        warehouse = folder.resolve("warehouse");
        try (PaimonRuntime runtime = Runtimes.paimon2();
                PaimonWriter writer = runtime.find(PaimonWriter.class);
                PaimonReader reader = runtime.find(PaimonReader.class)) {
            writer.open(warehouse.toString(), Map.of());
            reader.open(Map.of("warehouse", warehouse.toString()));
            writeLayers(writer);
            List<String> rows =
                    List.of("0|old 0", "1|new 1", "2|old 2", "3|old 3", "4|null", "5|old 5");
            List<String> updated =
                    List.of("0|old 0", "1|newer 1", "2|old 2", "3|old 3", "4|null", "5|old 5");

            run(
                    version,
                    "batch\tSELECT id, front FROM my_db.my_table",
                    "batch\tSELECT id, front FROM my_db.my_table WHERE id = 1",
                    "batch\tSELECT MAX(depth) FROM my_db.`my_table$blob_layers` WHERE column_name = 'front'",
                    "first\t6\tSELECT id, front FROM my_db.my_table",
                    "stream\tCREATE TEMPORARY TABLE orders (id INT, proc AS PROCTIME()) WITH"
                            + " ('connector'='datagen', 'rows-per-second'='10',"
                            + " 'fields.id.min'='0', 'fields.id.max'='1')",
                    String.join(
                            "\t",
                            "until",
                            "SELECT o.id, a.front FROM orders AS o JOIN my_db.my_table /*+"
                                    + " OPTIONS('lookup.refresh.full-load-threshold'='1',"
                                    + " 'continuous.discovery-interval'='1s') */ FOR SYSTEM_TIME"
                                    + " AS OF o.proc AS a ON o.id = a.id",
                            "1|new 1",
                            block("update-by-position"),
                            "1|newer 1"),
                    "batch\t" + block("flatten-by-position"),
                    "batch\tSELECT id, front FROM my_db.my_table",
                    "batch\tSELECT MAX(depth) FROM my_db.`my_table$blob_layers` WHERE column_name = 'front'");

            assertThat(results.get(0)).containsExactlyInAnyOrderElementsOf(rows);
            assertThat(results.get(1)).containsExactly("1|new 1");
            assertThat(results.get(2)).containsExactly("2");
            assertThat(results.get(3)).containsExactlyInAnyOrderElementsOf(rows);
            assertThat(results.get(5)).hasSize(3).startsWith("1|new 1").endsWith("1|newer 1");
            assertThat(results.get(5).get(1)).startsWith("1|1|");
            assertThat(results.get(6)).hasSize(1);
            assertThat(results.get(6).get(0)).startsWith("2|5|");
            assertThat(results.get(7)).containsExactlyInAnyOrderElementsOf(updated);
            assertThat(results.get(8)).containsExactly("1");
            assertThat(reader.read(ReadRequest.all(TABLE).columns("id", "front")))
                    .extracting(FlinkSqlTest::cells)
                    .containsExactlyInAnyOrderElementsOf(updated);
        }
    }

    /** Two groups of three rows and a layer over each. */
    private static void writeLayers(PaimonWriter writer) throws Exception {
        writer.createTable(TABLE, TableDefinition.of("id", "INT", "front", "BLOB", "back", "BLOB"));
        for (int first = 0; first < 6; first += 3) {
            List<List<Object>> rows = new ArrayList<>();
            for (int id = first; id < first + 3; id++) {
                rows.add(Arrays.asList(id, raw("old " + id), raw("newer " + id)));
            }
            writer.append(TABLE, rows);
        }
        Map<Long, List<Object>> update = new LinkedHashMap<>();
        update.put(1L, List.of(raw("new 1")));
        update.put(4L, Collections.singletonList(null));
        writer.update(TABLE, List.of("front"), update, Map.of());
    }

    private static byte[] raw(String text) {
        return text.getBytes(UTF_8);
    }

    /** A statement of docs/procedures.md. */
    private static String block(String name) throws Exception {
        String page = Files.readString(Runtimes.testsDir().resolve("../docs/procedures.md"));
        String block = page.split("<!-- tested: " + name + " -->\\R```sql\\R", 2)[1];
        return block.substring(0, block.indexOf(';'));
    }

    /** Runs steps of {@link FlinkProgram} in a catalog of the plugin. */
    private void run(FlinkVersion version, String... steps) throws Exception {
        List<String> all = new ArrayList<>();
        for (String mode : List.of("batch", "stream")) {
            all.add(
                    mode
                            + "\tCREATE CATALOG p WITH ('type'='paimon', 'warehouse'='"
                            + warehouse
                            + "', 'metastore'='blob-fallback', 'blob-fallback.enabled'='true')");
            all.add(mode + "\tUSE CATALOG p");
        }
        int before = all.size();
        all.addAll(List.of(steps));
        Path output = folder.resolve("output");
        List<Path> classPath = new ArrayList<>(version.jars());
        classPath.add(Runtimes.plugin());
        classPath.add(Runtimes.classes("flink-versions"));
        Path log = folder.resolve("log");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx1g",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                                "--add-opens=java.base/java.util=ALL-UNNAMED",
                                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                                "-cp",
                                classPath.stream()
                                        .map(Path::toString)
                                        .collect(Collectors.joining(File.pathSeparator)),
                                FlinkProgram.class.getName(),
                                Files.write(folder.resolve("steps"), all).toString(),
                                output.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        boolean ended = process.waitFor(10, TimeUnit.MINUTES);
        process.destroyForcibly();
        String shown =
                Files.readString(log) + (Files.exists(output) ? Files.readString(output) : "");
        assertThat(ended).as(shown).isTrue();
        assertThat(process.exitValue()).as(shown).isZero();
        results = new ArrayList<>();
        for (String line : Files.readAllLines(output)) {
            if (line.startsWith("> ")) {
                results.add(new ArrayList<>());
            } else {
                results.get(results.size() - 1).add(line);
            }
        }
        results = results.subList(before, results.size());
    }

    private static String cells(List<Object> row) {
        return row.stream()
                .map(cell -> cell instanceof byte[] bytes ? new String(bytes, UTF_8) : "" + cell)
                .collect(Collectors.joining("|"));
    }

    static boolean connectorsAreThere() {
        return FlinkVersion.connectorsAreThere();
    }
}
