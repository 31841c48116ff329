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

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where the plugin's jar may lie in Spark, and what is said where it does not work. */
class InstallationsTest {

    @RegisterExtension static final SparkExtension SPARK = new SparkExtension();

    @TempDir Path folder;

    /** All in {@code --jars}: one class loader, though not Spark's own. */
    @ParameterizedTest
    @EnumSource(value = SparkVersion.class, names = "SPARK_3_5")
    void paimonAndPluginMayBothComeByJars(SparkVersion version) throws Exception {
        SparkApplication.SparkHome home =
                SparkApplication.SparkHome.empty(version, folder.resolve("home"));
        Path plugin = Jars.of(folder.resolve("plugin.jar"), Runtimes.plugin());
        Album album = Album.layered(SPARK.writer(), "jars.both");
        Map<String, String> conf =
                new LinkedHashMap<>(SparkExtension.catalogConf(SPARK.warehouse()));
        conf.put("spark.jars", home.host() + "," + version.connector() + "," + plugin);

        try (SparkApplication spark = SparkApplication.start(home, conf)) {
            assertThat(Album.texts(spark.sql("SELECT * FROM paimon.jars.both")))
                    .containsExactlyInAnyOrderElementsOf(album.rows());
            assertThat(
                            spark.sql(
                                    "CALL paimon.sys.flatten_blob_layers(table => 'jars.both',"
                                            + " dry_run => true)"))
                    .hasSize(1);
        }
    }

    /** The plugin in Spark's folder does not see the Paimon that {@code --jars} brings. */
    @ParameterizedTest
    @EnumSource(value = SparkVersion.class, names = "SPARK_3_5")
    void aPluginInTheFolderDoesNotSeePaimonByJars(SparkVersion version) throws Exception {
        SparkApplication.SparkHome home =
                SparkApplication.SparkHome.empty(version, folder.resolve("home"));
        home.addPlugin();
        Map<String, String> conf =
                new LinkedHashMap<>(SparkExtension.catalogConf(SPARK.warehouse()));
        conf.put("spark.jars", home.host() + "," + version.connector());

        try (SparkApplication spark = SparkApplication.start(home, conf)) {
            assertThat(spark.failure(SparkRequest.sql("SELECT * FROM paimon.jars.both")))
                    .contains("Could not find any factory for identifier 'blob-fallback'");
        }
    }

    /** Paimon in Spark's folder does not see what {@code --jars} brings. */
    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void aPluginByJarsIsNotSeenByPaimonInTheFolder(SparkVersion version) throws Exception {
        SparkApplication.SparkHome home =
                SparkApplication.SparkHome.stock(version, folder.resolve("home"));
        Path plugin = Jars.of(folder.resolve("plugin.jar"), Runtimes.plugin());
        Map<String, String> conf =
                new LinkedHashMap<>(SparkExtension.catalogConf(SPARK.warehouse()));
        conf.put("spark.jars", plugin.toString());
        conf.put("spark.sql.catalog.stock", "org.apache.paimon.spark.SparkCatalog");
        conf.put("spark.sql.catalog.stock.warehouse", SPARK.warehouse().toString());
        conf.put(
                "spark.sql.extensions",
                "org.apache.paimon.spark.extensions.PaimonSparkSessionExtensions");

        try (SparkApplication spark = SparkApplication.start(home, conf)) {
            assertThat(spark.failure(SparkRequest.sql("SELECT * FROM paimon.jars.both")))
                    .contains("Could not find any factory for identifier 'blob-fallback'");
            assertThat(
                            spark.failure(
                                    SparkRequest.sql(
                                            "CALL stock.sys.flatten_blob_layers(table =>"
                                                    + " 'jars.both')")))
                    .as("without the plugin's extension")
                    .contains(
                            version == SparkVersion.SPARK_3_5
                                    ? "[PARSE_SYNTAX_ERROR] Syntax error at or near 'CALL'"
                                    : "does not support procedures");
        }
    }
}
