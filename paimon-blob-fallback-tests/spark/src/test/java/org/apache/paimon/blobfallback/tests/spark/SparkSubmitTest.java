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

package org.apache.paimon.blobfallback.tests.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The programs that {@code spark-submit --class} runs, on a local cluster whose executors are JVMs
 * of their own and where Spark starts a second attempt of each task that is slower than others.
 */
class SparkSubmitTest {

    @RegisterExtension static final SparkExtension SPARK = new SparkExtension();

    @TempDir Path folder;

    private SparkApplication.SparkHome home;

    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void programsUpdateAndFlattenOnACluster(SparkVersion version) throws Exception {
        home = SparkApplication.SparkHome.withPlugin(version, folder.resolve("home"));
        String table = "submit_" + version.ordinal() + ".album";
        Album album = Album.layered(SPARK.writer(), table);

        assertThat(run(0, "UpdateBlobs", "--help"))
                .contains("spark-submit --class org.apache.paimon.blobfallback.spark.UpdateBlobs")
                .contains("--source-sqls");
        assertThat(runBlock("submit-update", "UpdateBlobs", table))
                .contains("row_count=2 group_count=2 bytes_written=");
        album.updatedByOthers("front", Map.of(1L, "second back-1", 8L, "back-8"));
        SPARK.assertNothingButTheTable(table, album);

        assertThat(runBlock("submit-flatten", "FlattenBlobLayers", table))
                .contains("group_count=2 layers_before=7");
        assertThat(run(0, "FlattenBlobLayers", "--table", "paimon." + table))
                .contains("group_count=2 layers_before=9");
        SPARK.assertNothingButTheTable(table, album);
        assertThat(events())
                .contains(
                        "\"spark.job.description\":\"Updating blobs of " + table + "\"",
                        "\"spark.job.description\":\"Measuring blob layers of " + table + "\"",
                        "\"spark.job.description\":\"Flattening blob layers of " + table + "\"");
    }

    @ParameterizedTest
    @EnumSource(value = SparkVersion.class, names = "SPARK_3_5")
    void wrongArgumentsAreNamed(SparkVersion version) throws Exception {
        home = SparkApplication.SparkHome.withPlugin(version, folder.resolve("home"));

        assertThat(run(1, "FlattenBlobLayers", "--tabel", "paimon.db.t"))
                .contains(
                        "FlattenBlobLayers has no argument '--tabel'; its arguments are [--table,"
                                + " --partitions, --columns, --min-layers, --parallelism,"
                                + " --groups-per-commit, --dry-run], and --help explains them.");
    }

    /** Runs a command of docs/spark.md on another table. */
    private String runBlock(String block, String program, String table) throws Exception {
        return run(
                0,
                program,
                new SparkPage()
                        .arguments(block).stream()
                                .map(argument -> argument.replace("my_db.my_table", table))
                                .map(argument -> argument.replace("my_table", "album"))
                                .toArray(String[]::new));
    }

    /** A cluster takes its time to start: in each build one version has one. */
    private String master() {
        return home.version() == SparkVersion.SPARK_3_5 || Boolean.getBoolean("spark.clusters")
                ? "local-cluster[2,1,1024]"
                : "local[2]";
    }

    /** What Spark's user interface shows of the programs that have run. */
    private String events() throws Exception {
        StringBuilder events = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder.resolve("events"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                events.append(Files.readString(file));
            }
        }
        return events.toString();
    }

    /** Runs a program on a cluster and returns what it prints. */
    private String run(int exit, String program, String... arguments) throws Exception {
        Map<String, String> conf =
                new LinkedHashMap<>(SparkExtension.catalogConf(SPARK.warehouse()));
        conf.put("spark.master", master());
        conf.put("spark.executor.memory", "512m");
        conf.put("spark.eventLog.enabled", "true");
        conf.put("spark.eventLog.compress", "false");
        conf.put(
                "spark.eventLog.dir",
                Files.createDirectories(folder.resolve("events")).toUri().toString());
        Path output = Files.createTempFile(folder, "output", ".txt");
        Process process =
                home.submit(
                        conf,
                        "org.apache.paimon.blobfallback.spark." + program,
                        home.jars().resolve("paimon-blob-fallback.jar"),
                        output,
                        arguments);
        if (!process.waitFor(5, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError("Spark hangs: " + Files.readString(output));
        }
        String text = Files.readString(output);
        assertThat(process.exitValue()).as(text).isEqualTo(exit);
        return text;
    }
}
