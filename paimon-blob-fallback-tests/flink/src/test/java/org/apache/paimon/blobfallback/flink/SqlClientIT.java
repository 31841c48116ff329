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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Flink's SQL client as {@code bin/sql-client.sh -f} starts it, in a JVM of its own: the lib folder
 * holds the jars of a Flink installation, the host's and the one that the build makes of the
 * plugin, and the configuration names a cluster.
 */
class SqlClientIT {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    @TempDir Path folder;

    @Test
    void theStatementsOfTheReadmeRunInTheSqlClient() throws Exception {
        Path warehouse = folder.resolve("warehouse");
        Album album;
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            album = Album.layered(writer, "my_db.my_table");
        }
        List<List<String>> expected = new ArrayList<>();
        for (Row row : album.rows()) {
            expected.addAll(Collections.nCopies(2, cells(row)));
        }
        Readme readme = Readme.read();
        List<String> statements = new ArrayList<>();
        statements.add("SET 'execution.runtime-mode' = 'batch'");
        statements.add("SET 'sql-client.execution.result-mode' = 'tableau'");
        statements.add("SET 'table.display.max-column-width' = '100'");
        for (String block :
                List.of(
                        "flink-catalog",
                        "flink-hint",
                        "flink-table-option",
                        "flink-layers",
                        "flink-update",
                        "flink-flatten")) {
            statements.addAll(readme.statements(block, warehouse));
        }
        statements.add("SELECT * FROM paimon.my_db.my_table");

        List<List<String>> rows = rows(sqlClient(statements));

        Map<Long, String> nulls = new HashMap<>();
        nulls.put(0L, null);
        nulls.put(1L, null);
        album.updatedByOthers("front", Map.of(7L, "back-7")).updatedByOthers("back", nulls);
        album.rows().forEach(row -> expected.add(cells(row)));
        assertThat(rows)
                .filteredOn(row -> row.size() == 4 && row.get(2).startsWith("name-"))
                .as("by the hint, by the table option, and after update and flatten")
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(rows)
                .filteredOn(row -> row.size() == 4 && row.get(0).equals("<NULL>"))
                .as("what $blob_layers says")
                .extracting(row -> row.get(1) + " " + row.get(2))
                .containsExactlyInAnyOrder("front 3", "back 4");
        assertThat(rows)
                .filteredOn(row -> row.size() == 3 && !row.get(0).equals("row_count"))
                .as("what the updates say")
                .extracting(row -> row.get(0) + " " + row.get(1))
                .containsExactly("1 1", "2 1");
        assertThat(rows)
                .filteredOn(
                        row ->
                                row.size() == 4
                                        && row.get(0).equals("3")
                                        && !row.get(2).startsWith("name-"))
                .as("what the flattens say: the dry run and the other")
                .extracting(row -> row.get(1))
                .containsExactly("15", "15");
    }

    /** Runs statements and returns the lines of the output. */
    private List<String> sqlClient(List<String> statements) throws Exception {
        Path script = folder.resolve("statements.sql");
        Files.writeString(script, String.join(";\n", statements) + ";\n");
        Path lib = Files.createDirectories(folder.resolve("lib"));
        for (Path jar : Runtimes.jars("flink")) {
            Files.createSymbolicLink(lib.resolve(jar.getFileName()), jar);
        }
        Path plugin = Runtimes.pluginJar();
        Files.createSymbolicLink(lib.resolve(plugin.getFileName()), plugin);
        Path conf = Files.createDirectories(folder.resolve("conf"));
        Files.writeString(
                conf.resolve("config.yaml"),
                "execution.target: remote\nrest.address: localhost\nrest.port: "
                        + FLINK.restPort()
                        + "\n");
        Path output = folder.resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx1g",
                                "-XX:TieredStopAtLevel=1",
                                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                                // For the client's history of statements.
                                "-Duser.home=" + folder,
                                "--add-opens=java.base/java.util=ALL-UNNAMED",
                                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                                "-cp",
                                lib + "/*",
                                "org.apache.flink.table.client.SqlClient",
                                "-f",
                                script.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        builder.environment().put("FLINK_CONF_DIR", conf.toString());
        Process process = builder.start();
        if (!process.waitFor(15, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError("The SQL client hangs: " + Files.readString(output));
        }
        String text = Files.readString(output);
        assertThat(process.exitValue()).as(text).isZero();
        assertThat(text).doesNotContain("[ERROR]");
        return text.lines().toList();
    }

    /** The rows of all tables that the client has printed, heads included, as their cells. */
    private static List<List<String>> rows(List<String> output) {
        return output.stream()
                .filter(line -> line.startsWith("| "))
                .map(
                        line ->
                                Arrays.stream(line.substring(1).split("\\|"))
                                        .map(String::strip)
                                        .toList())
                .toList();
    }

    /** A row as the client prints it. */
    private static List<String> cells(Row row) {
        List<String> cells = new ArrayList<>();
        for (int i = 0; i < row.getArity(); i++) {
            Object value = row.getField(i);
            if (value == null) {
                cells.add("<NULL>");
            } else {
                cells.add(
                        value instanceof byte[] bytes
                                ? "x'" + HexFormat.of().formatHex(bytes) + "'"
                                : value.toString());
            }
        }
        return cells;
    }
}
