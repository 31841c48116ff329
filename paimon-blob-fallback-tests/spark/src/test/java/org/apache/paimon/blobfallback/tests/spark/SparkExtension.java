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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.paimon.blobfallback.tests.bridge.DataFile;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One application for each version of Spark that all tests share, over one warehouse that Paimon
 * 2.0 writes. Tests are skipped where the connectors are missing.
 */
public final class SparkExtension implements ExecutionCondition {

    private static Boolean connectorsAreThere;
    private static Shared shared;

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        synchronized (SparkExtension.class) {
            if (connectorsAreThere == null) {
                connectorsAreThere = SparkVersion.connectorsAreThere();
            }
            if (!connectorsAreThere) {
                return ConditionEvaluationResult.disabled("The connectors of Spark are missing.");
            }
            shared =
                    context.getRoot()
                            .getStore(ExtensionContext.Namespace.create(SparkExtension.class))
                            .getOrComputeIfAbsent(Shared.class, key -> new Shared(), Shared.class);
            return ConditionEvaluationResult.enabled("The connectors of Spark are there.");
        }
    }

    /** The application of a version, whose catalog {@code paimon} is the plugin's, switched on. */
    public SparkApplication spark(SparkVersion version) throws Exception {
        return shared.application(version);
    }

    /** Paimon 2.0 as a writer of the warehouse. */
    public PaimonWriter writer() throws Exception {
        return shared.writer();
    }

    /** Paimon 2.0 as a reader of the warehouse. */
    public PaimonReader reader() throws Exception {
        return shared.reader();
    }

    public Path warehouse() {
        return shared.folder.resolve("warehouse");
    }

    /** The folder of the data files of a table without partitions. */
    Path bucket(String table) {
        String[] parts = table.split("\\.");
        return warehouse().resolve(parts[0] + ".db").resolve(parts[1]).resolve("bucket-0");
    }

    /** What a user says to have the plugin's catalog. */
    static Map<String, String> catalogConf(Path warehouse) {
        Map<String, String> conf = new LinkedHashMap<>();
        conf.put(
                "spark.sql.extensions",
                "org.apache.paimon.spark.extensions.PaimonSparkSessionExtensions,"
                        + "org.apache.paimon.blobfallback.spark.BlobFallbackSparkExtensions");
        conf.put("spark.sql.datetime.java8API.enabled", "true");
        conf.put("spark.sql.catalog.paimon", "org.apache.paimon.spark.SparkCatalog");
        conf.put("spark.sql.catalog.paimon.warehouse", warehouse.toString());
        conf.put("spark.sql.catalog.paimon.metastore", "blob-fallback");
        conf.put("spark.sql.catalog.paimon.blob-fallback.enabled", "true");
        return conf;
    }

    /** Paimon 2.0 reads the rows, and no file is there that no snapshot has. */
    void assertNothingButTheTable(String table, Album album) throws Exception {
        assertRows(table, album);
        assertThat(filesOfNoSnapshot(table)).isEmpty();
    }

    /** Paimon 2.0 reads the rows. */
    void assertRows(String table, Album album) throws Exception {
        assertThat(Album.texts(reader().read(ReadRequest.all(table))))
                .containsExactlyInAnyOrderElementsOf(album.rows());
    }

    /** Names of data files of a table without partitions that none of its snapshots has. */
    Set<String> filesOfNoSnapshot(String table) throws Exception {
        Set<String> files = new TreeSet<>();
        try (Stream<Path> found = Files.list(bucket(table))) {
            found.forEach(file -> files.add(file.getFileName().toString()));
        }
        for (long id = 1; id <= writer().latestSnapshot(table); id++) {
            for (DataFile file : writer().dataFiles(table, id)) {
                files.remove(file.name());
            }
        }
        return files;
    }

    private static final class Shared implements ExtensionContext.Store.CloseableResource {

        private final Path folder;
        private final Map<SparkVersion, SparkApplication> applications = new LinkedHashMap<>();
        private PaimonRuntime paimon2;
        private PaimonWriter writer;
        private PaimonReader reader;

        private Shared() {
            try {
                folder = Files.createTempDirectory("spark-tests");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private synchronized SparkApplication application(SparkVersion version) throws Exception {
            SparkApplication application = applications.get(version);
            if (application == null) {
                SparkApplication.SparkHome home =
                        SparkApplication.SparkHome.withPlugin(
                                version, folder.resolve(version.module()));
                application = SparkApplication.start(home, conf());
                applications.put(version, application);
            }
            return application;
        }

        private Map<String, String> conf() {
            Map<String, String> conf = catalogConf(folder.resolve("warehouse"));
            // Another Paimon changes the tables.
            conf.put("spark.sql.catalog.paimon.cache-enabled", "false");
            return conf;
        }

        private synchronized PaimonRuntime paimon2() throws IOException {
            if (paimon2 == null) {
                paimon2 = Runtimes.paimon2();
            }
            return paimon2;
        }

        private synchronized PaimonWriter writer() throws Exception {
            if (writer == null) {
                writer = paimon2().find(PaimonWriter.class);
                writer.open(folder.resolve("warehouse").toString(), Map.of());
            }
            return writer;
        }

        private synchronized PaimonReader reader() throws Exception {
            if (reader == null) {
                reader = paimon2().find(PaimonReader.class);
                reader.open(
                        Map.of(
                                "warehouse",
                                folder.resolve("warehouse").toString(),
                                "cache-enabled",
                                "false"));
            }
            return reader;
        }

        @Override
        public void close() throws Exception {
            for (SparkApplication application : applications.values()) {
                application.close();
            }
            if (writer != null) {
                writer.close();
            }
            if (reader != null) {
                reader.close();
            }
            if (paimon2 != null) {
                paimon2.close();
            }
            Folders.delete(List.of(folder));
        }
    }
}
