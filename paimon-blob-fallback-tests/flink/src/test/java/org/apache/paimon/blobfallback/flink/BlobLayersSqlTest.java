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
import java.util.Map;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flink SQL sees the layers that Paimon 2.0 wrote, with any cache of the catalog. */
class BlobLayersSqlTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    @TempDir static Path warehouse;

    @BeforeAll
    static void write() throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            Album album = Album.create(writer, "db.album").append(4);
            writer.createTag("db.album", "whole");
            writer.createBranch("db.album", "side", "whole");
            album.update("front", Map.of(1L, "new"));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void layersAreATableOfTheCatalog(boolean cached) throws Exception {
        FlinkCluster.Session session = FLINK.batch();
        session.sql(
                "CREATE CATALOG p WITH ('type'='paimon', 'warehouse'='%s',"
                        + " 'metastore'='blob-fallback', 'cache-enabled'='%s')",
                warehouse, cached);

        assertThat(
                        session.sql(
                                "SELECT column_name, layer, data_count, placeholder_count,"
                                        + " winner_count FROM p.db.`album$blob_layers`"))
                .containsExactlyInAnyOrder(
                        Row.of("front", 1, 1L, 3L, 1L),
                        Row.of("front", 2, 4L, 0L, 3L),
                        Row.of("back", 1, 4L, 0L, 4L));
        assertThat(
                        session.sql(
                                "SELECT COUNT(*) FROM p.db.`album$blob_layers`"
                                        + " WHERE column_name = 'front' AND layer > 1"))
                .containsExactly(Row.of(1L));
        assertThat(
                        session.sql(
                                "SELECT column_name, layer FROM p.db.`album$blob_layers`"
                                        + " /*+ OPTIONS('scan.tag-name'='whole') */"))
                .containsExactlyInAnyOrder(Row.of("front", 1), Row.of("back", 1));
        assertThat(session.sql("SELECT layer FROM p.db.`album$branch_side$blob_layers`"))
                .containsExactly(Row.of(1), Row.of(1));
    }
}
