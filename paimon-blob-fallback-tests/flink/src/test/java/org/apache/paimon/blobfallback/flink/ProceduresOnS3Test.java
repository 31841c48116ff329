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

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.tests.bridge.ObjectStore;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.apache.paimon.s3.S3Loader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** W1, W3, W4 and W6 for both procedures where the warehouse is on S3. */
class ProceduresOnS3Test {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();

    @Test
    void whatTheProceduresWriteIsReadByOthers() throws Exception {
        Path s3 =
                Path.of(S3Loader.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (PaimonRuntime storeRuntime = Runtimes.objectStore();
                ObjectStore store = storeRuntime.find(ObjectStore.class);
                PaimonRuntime runtime2 = Runtimes.paimon2With(s3)) {
            Map<String, String> options = store.start();
            Album album;
            try (PaimonWriter writer = runtime2.find(PaimonWriter.class)) {
                writer.open(options.get("warehouse"), options);
                album = Album.layered(writer, "db.album");
            }
            FlinkCluster.Session session = FLINK.batch();
            createCatalog(session, options);

            // A descriptor names an object, which the tasks read.
            session.sql(
                    "CALL sys.update_blobs(`table` => 'db.album', parallelism => 2, source =>"
                            + " 'SELECT _ROW_ID, back AS front FROM `album$row_tracking` /*+"
                            + " OPTIONS(''blob-as-descriptor''=''true'') */ WHERE id IN (5, 9)')");

            album.updatedByOthers("front", Map.of(5L, "back-5", 9L, "back-9"));
            assertThat(session.sql("SELECT * FROM db.album"))
                    .containsExactlyInAnyOrderElementsOf(album.rows());
            try (PaimonReader paimon2 = runtime2.find(PaimonReader.class)) {
                paimon2.open(options);
                assertReads(paimon2, album);
            }
            // A file for each of the two groups.
            assertThat(objects(store, "blob-update-")).hasSize(2);

            Row flattened =
                    session.sql(
                                    "CALL sys.flatten_blob_layers(`table` => 'db.album',"
                                            + " parallelism => 2)")
                            .get(0);

            assertThat(flattened.getField(0)).isEqualTo(3L);
            assertThat(session.sql("SELECT * FROM db.album"))
                    .containsExactlyInAnyOrderElementsOf(album.rows());
            try (PaimonRuntime host = Runtimes.hostWith(s3);
                    PaimonReader stock = host.find(PaimonReader.class)) {
                stock.open(options);
                assertReads(stock, album);
            }
        }
    }

    private static void createCatalog(FlinkCluster.Session session, Map<String, String> options)
            throws Exception {
        String all =
                options.entrySet().stream()
                        .map(entry -> "'" + entry.getKey() + "'='" + entry.getValue() + "'")
                        .collect(Collectors.joining(", "));
        session.sql(
                "CREATE CATALOG p WITH ('type'='paimon', 'metastore'='blob-fallback',"
                        + " 'blob-fallback.enabled'='true', "
                        + all
                        + ")");
        session.sql("USE CATALOG p");
    }

    private static void assertReads(PaimonReader reader, Album album) throws Exception {
        assertThat(reader.read(ReadRequest.all("db.album")))
                .extracting(row -> Row.of(row.toArray()))
                .containsExactlyInAnyOrderElementsOf(album.rows());
    }

    private static List<String> objects(ObjectStore store, String prefix) {
        return store.keys().stream()
                .filter(key -> key.substring(key.lastIndexOf('/') + 1).startsWith(prefix))
                .toList();
    }
}
