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

import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.ObjectStore;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** W1, W3, W4 and W6 in Spark where the warehouse is on S3. */
class SparkOnS3Test {

    @RegisterExtension static final SparkExtension SPARK = new SparkExtension();

    @TempDir private Path folder;

    @Test
    void layersOnS3AreReadUpdatedAndFlattened() throws Exception {
        Path s3 = s3Jar();
        SparkApplication.SparkHome home =
                SparkApplication.SparkHome.withPlugin(
                        SparkVersion.SPARK_3_5, folder.resolve("home"));
        home.add(s3);
        try (PaimonRuntime storeRuntime = Runtimes.objectStore();
                ObjectStore store = storeRuntime.find(ObjectStore.class);
                PaimonRuntime runtime2 = Runtimes.paimon2With(s3)) {
            Map<String, String> options = store.start();
            Album album;
            try (PaimonWriter writer = runtime2.find(PaimonWriter.class)) {
                writer.open(options.get("warehouse"), options);
                album = Album.layered(writer, "db.album");
            }
            Map<String, String> conf =
                    new LinkedHashMap<>(SparkExtension.catalogConf(Path.of("replaced")));
            options.forEach((key, value) -> conf.put("spark.sql.catalog.paimon." + key, value));
            try (SparkApplication spark = SparkApplication.start(home, conf)) {
                assertReads(spark, album);

                // A descriptor names an object, which the tasks read.
                spark.sql("SET `spark.paimon.blob-as-descriptor`=true");
                spark.sql(
                        "CREATE TEMPORARY VIEW backs AS SELECT _ROW_ID, back AS front FROM"
                                + " paimon.db.`album$row_tracking` WHERE id IN (3, 9)");
                spark.sql(
                        "CALL paimon.sys.update_blobs(table => 'db.album', parallelism => 2,"
                                + " source => 'SELECT * FROM backs')");
                spark.sql("SET `spark.paimon.blob-as-descriptor`=false");
                album.updatedByOthers("front", Map.of(3L, "back-3", 9L, "back-9"));
                assertReads(spark, album);
                assertThat(store.keys())
                        .filteredOn(key -> key.contains("/blob-update-"))
                        .as("a file for each of the two groups")
                        .hasSize(2);

                List<Object> flattened =
                        spark.sql("CALL paimon.sys.flatten_blob_layers(table => 'db.album')")
                                .get(0);
                assertThat(flattened.get(0)).isEqualTo(2L);
                assertReads(spark, album);
            }
            try (PaimonReader paimon2 = runtime2.find(PaimonReader.class)) {
                paimon2.open(options);
                assertThat(Album.texts(paimon2.read(ReadRequest.all("db.album"))))
                        .containsExactlyInAnyOrderElementsOf(album.rows());
            }
        }
    }

    /** The jar is found by a class of it, which cannot be loaded here without the host. */
    private static Path s3Jar() throws Exception {
        URL loader =
                SparkOnS3Test.class
                        .getClassLoader()
                        .getResource("org/apache/paimon/s3/S3Loader.class");
        return Path.of(((JarURLConnection) loader.openConnection()).getJarFileURL().toURI());
    }

    private static void assertReads(SparkApplication spark, Album album) throws Exception {
        assertThat(Album.texts(spark.sql("SELECT * FROM paimon.db.album")))
                .containsExactlyInAnyOrderElementsOf(album.rows());
    }
}
