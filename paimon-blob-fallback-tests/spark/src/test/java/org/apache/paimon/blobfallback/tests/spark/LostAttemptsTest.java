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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * W4, W6: attempts of tasks that are lost, and that another attempt overtakes, leave nothing twice
 * and no file behind. On a cluster with executors in JVMs of their own.
 */
@Tag("slow")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class LostAttemptsTest {

    @RegisterExtension static final SparkExtension SPARK = new SparkExtension();

    @TempDir static Path folder;

    private static SparkApplication.SparkHome home;
    private static SparkCluster cluster;

    @BeforeAll
    static void startCluster() throws Exception {
        home =
                SparkApplication.SparkHome.withPlugin(
                        SparkVersion.SPARK_3_5, folder.resolve("home"));
        cluster = SparkCluster.start(home);
    }

    @AfterAll
    static void stopCluster() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void anUpdateWhoseExecutorsAreLostLandsOnce() throws Exception {
        Album album = threeGroups("lost.updated");
        try (HeldBlob held = new HeldBlob("second front-5")) {
            Run run = update("lost.updated", held, Map.of());
            held.awaitTasks(1);
            assertThat(SPARK.filesOfNoSnapshot("lost.updated")).as("half written").isNotEmpty();
            cluster.killExecutors();
            held.release(2);

            assertThat(run.ended()).contains("row_count=3 group_count=3");
            assertThat(held.requests()).isGreaterThan(1);
        }
        assertUpdatedOnce("lost.updated", album);
    }

    /** Of each of the three groups one row, in one commit, and without a file of no snapshot. */
    private static void assertUpdatedOnce(String table, Album album) throws Exception {
        album.updatedByOthers(
                "front", Map.of(1L, "second front-1", 5L, "second front-5", 9L, "second front-9"));
        SPARK.assertNothingButTheTable(table, album);
        assertThat(SPARK.writer().latestSnapshot(table)).isEqualTo(5);
    }

    /** One attempt goes on after the other one has ended, and is told to stop. */
    @Test
    void anAttemptThatAnotherOvertakesLeavesNothing() throws Exception {
        Album album = threeGroups("lost.overtaken");
        Map<String, String> speculation =
                Map.of(
                        "spark.speculation", "true",
                        "spark.speculation.interval", "10ms",
                        "spark.speculation.multiplier", "1",
                        "spark.speculation.quantile", "0.1",
                        "spark.speculation.minTaskRuntime", "0ms");
        try (HeldBlob held = new HeldBlob("second front-5")) {
            Run run = update("lost.overtaken", held, speculation);
            held.awaitTasks(2);
            int printed = Files.readString(run.output).length();
            held.release(2);
            // Either may have asked first.
            run.await("Killing attempt ", printed);
            held.release(1);

            assertThat(run.ended()).contains("row_count=3 group_count=3");
            assertThat(held.requests()).isEqualTo(2);
        }
        assertUpdatedOnce("lost.overtaken", album);
    }

    /**
     * Each group is flattened once, in a commit of its own. What an executor was writing when it
     * was killed is left for {@code remove_orphan_files}.
     */
    @Test
    void aFlattenContinuesAfterExecutorsAreLost() throws Exception {
        Album album = threeGroups("lost.flattened");
        for (int group = 0; group < 20; group++) {
            album.append(2);
        }
        Map<Long, String> update = new LinkedHashMap<>();
        for (long row = 1; row < 52; row += 2) {
            update.put(row, "second front-" + row);
        }
        album.update("front", update);
        long before = SPARK.writer().latestSnapshot("lost.flattened");

        Run run =
                run(
                        Map.of(),
                        "FlattenBlobLayers",
                        "--table",
                        "paimon.lost.flattened",
                        "--groups-per-commit",
                        "1");
        while (run.process.isAlive()
                && SPARK.writer().latestSnapshot("lost.flattened") < before + 2) {
            Thread.sleep(10);
        }
        cluster.killExecutors();

        run.ended();
        SPARK.assertRows("lost.flattened", album);
        assertThat(SPARK.filesOfNoSnapshot("lost.flattened")).hasSizeLessThanOrEqualTo(2);
        assertThat(SPARK.writer().latestSnapshot("lost.flattened")).isEqualTo(before + 23);
    }

    /** Groups of four rows, in three commits, and one update. */
    private static Album threeGroups(String table) throws Exception {
        Album album = Album.create(SPARK.writer(), table);
        album.append(4).append(4).append(4);
        return album.update("back", Map.of(0L, "second back-0"));
    }

    /** Updates a row of each group, of which the middle one has the blob that is held. */
    private static Run update(String table, HeldBlob held, Map<String, String> conf)
            throws Exception {
        return run(
                conf,
                "UpdateBlobs",
                "--table",
                "paimon." + table,
                "--parallelism",
                "3",
                "--source",
                "SELECT CAST(1 AS BIGINT) AS _ROW_ID, CAST('second front-1' AS BINARY) AS front"
                        + " UNION ALL SELECT CAST(5 AS BIGINT), "
                        + held.literal()
                        + " UNION ALL SELECT CAST(9 AS BIGINT), CAST('second front-9' AS BINARY)");
    }

    private static Run run(Map<String, String> more, String program, String... arguments)
            throws Exception {
        Map<String, String> conf =
                new LinkedHashMap<>(SparkExtension.catalogConf(SPARK.warehouse()));
        conf.put("spark.master", cluster.url());
        conf.put("spark.cores.max", "2");
        conf.put("spark.executor.cores", "1");
        conf.put("spark.executor.memory", "512m");
        // Both executors are there before the first task begins.
        conf.put("spark.scheduler.minRegisteredResourcesRatio", "1.0");
        conf.put("spark.scheduler.maxRegisteredResourcesWaitingTime", "10min");
        conf.putAll(more);
        Path output = Files.createTempFile(folder, "output", ".txt");
        return new Run(
                home.submit(
                        conf,
                        "org.apache.paimon.blobfallback.spark." + program,
                        home.jars().resolve("paimon-blob-fallback.jar"),
                        output,
                        arguments),
                output);
    }

    private record Run(Process process, Path output) {

        /** What the program has printed when it has ended well. */
        private String ended() throws Exception {
            if (!process.waitFor(10, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new AssertionError("Spark hangs: " + Files.readString(output));
            }
            String text = Files.readString(output);
            assertThat(process.exitValue()).as(text).isZero();
            return text;
        }

        /** Waits until a text is printed behind what was printed before. */
        private void await(String text, int printed) throws Exception {
            while (Files.readString(output).indexOf(text, printed) < 0) {
                assertThat(process.isAlive()).as(Files.readString(output)).isTrue();
                Thread.sleep(50);
            }
        }
    }
}
