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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * One session that has the plugin's catalog and the host's own on one warehouse, both with their
 * caches of tables. Neither gets into the other's way, even within one query.
 */
class TwoCatalogsTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    @TempDir Path warehouse;

    private Album layered;
    private Album flat;
    private FlinkCluster.Session session;

    @BeforeEach
    void openCatalogs() throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            layered = Album.layered(writer, "db.layered");
            flat = Album.create(writer, "db.flat").append(3);
        }
        session = FLINK.batch();
        createCatalog("plugin", "'metastore'='blob-fallback', 'blob-fallback.enabled'='true'");
        createCatalog("stock", "'metastore'='filesystem'");
    }

    private void createCatalog(String name, String options) throws Exception {
        session.sql(
                "CREATE CATALOG %s WITH ('type'='paimon', 'warehouse'='%s', %s)",
                name, warehouse, options);
    }

    /** R18: the plugin's blob format keeps placeholders from the other catalog's reads too. */
    @Test
    void eachReadsAsIfItWereAlone() throws Exception {
        assertThatThrownBy(() -> session.sql("SELECT * FROM stock.db.layered"))
                .rootCause()
                .hasMessageContaining("is a placeholder")
                .hasMessageContaining("'metastore' = 'blob-fallback'");
        assertReads("SELECT * FROM plugin.db.layered", layered.rows());
        assertThatThrownBy(() -> session.sql("SELECT front FROM stock.db.layered"))
                .rootCause()
                .hasMessage("Blob/vector-store files row count exceed the expect -1");
        assertReads("SELECT front FROM plugin.db.layered", layered.rows("front"));
        assertReads("SELECT name, id FROM stock.db.layered", layered.rows("name", "id"));
        assertReads("SELECT * FROM stock.db.flat", flat.rows());
        assertReads("SELECT * FROM plugin.db.flat", flat.rows());
    }

    @Test
    void oneQueryReadsThroughBoth() throws Exception {
        assertReads(
                "SELECT p.id, p.front, s.name, p.back FROM plugin.db.layered AS p"
                        + " JOIN stock.db.layered AS s ON p.id = s.id",
                layered.rows());

        List<Row> both = new ArrayList<>(layered.rows());
        both.addAll(flat.rows());
        assertReads("SELECT * FROM plugin.db.layered UNION ALL SELECT * FROM stock.db.flat", both);
    }

    /** A view stands for the catalog that it was made on, whichever is the current one. */
    @Test
    void viewsKeepToTheirCatalog() throws Exception {
        session.sql("USE CATALOG plugin");
        session.sql("CREATE TEMPORARY VIEW seen AS SELECT * FROM db.layered");
        session.sql("USE CATALOG stock");
        session.sql("CREATE TEMPORARY VIEW seen AS SELECT * FROM db.layered");

        assertReads("SELECT * FROM plugin.`default`.seen", layered.rows());
        assertThatThrownBy(() -> session.sql("SELECT * FROM seen"))
                .rootCause()
                .hasMessageContaining("is a placeholder");
    }

    /** W3, W6: what one commits is there for the other. */
    @Test
    void eachSeesWhatTheOtherHasWritten() throws Exception {
        session.sql(
                "INSERT INTO stock.db.layered SELECT id + 12, CAST('front-12' AS BYTES),"
                        + " 'name-12', CAST('back-12' AS BYTES) FROM plugin.db.flat WHERE id = 0");
        layered.appendedByOthers(1);
        assertReads("SELECT * FROM plugin.db.layered", layered.rows());
        assertReads("SELECT name FROM stock.db.layered", layered.rows("name"));

        session.sql(
                "CALL plugin.sys.update_blobs(`table` => 'db.flat', source =>"
                        + " 'SELECT id, CAST(''new'' AS BYTES) AS front FROM flat WHERE id = 1',"
                        + " key => 'id')");
        flat.updatedByOthers("front", Map.of(1L, "new"));
        assertReads("SELECT * FROM plugin.db.flat", flat.rows());
        assertThatThrownBy(() -> session.sql("SELECT * FROM stock.db.flat"))
                .rootCause()
                .hasMessageContaining("is a placeholder");

        session.sql("CALL plugin.sys.flatten_blob_layers(`table` => 'db.flat')");
        assertReads("SELECT * FROM stock.db.flat", flat.rows());
    }

    /** The catalog's default for the option does not stop at the procedures of the other. */
    @Test
    void theProceduresWorkThroughTheHostsCatalogToo() throws Exception {
        session.sql("CALL stock.sys.flatten_blob_layers(`table` => 'db.layered')");

        assertReads("SELECT * FROM stock.db.layered", layered.rows());
        assertReads("SELECT * FROM plugin.db.layered", layered.rows());
    }

    /** The caches age as those of two catalogs of the host do, and `cache-enabled` ends that. */
    @Test
    void aChangeOfTheSchemaIsSeenAsBetweenTwoCatalogsOfTheHost() throws Exception {
        createCatalog("other", "'metastore'='filesystem'");
        createCatalog("uncached", "'metastore'='blob-fallback', 'cache-enabled'='false'");
        List<String> catalogs = List.of("plugin", "other", "uncached");
        for (String catalog : catalogs) {
            assertThat(columns(catalog)).containsExactly("id", "front", "name", "back");
        }

        session.sql("ALTER TABLE stock.db.flat DROP name");

        assertThat(columns("plugin")).isEqualTo(columns("other"));
        assertThat(columns("uncached")).containsExactly("id", "front", "back");

        session.sql("DROP TABLE stock.db.flat");
        session.sql("CREATE TABLE stock.db.flat (id INT)");

        assertThat(columns("plugin")).isEqualTo(columns("other"));
        assertThat(columns("uncached")).containsExactly("id");
    }

    private List<Object> columns(String catalog) throws Exception {
        return session.sql("DESCRIBE %s.db.flat", catalog).stream()
                .map(row -> row.getField(0))
                .toList();
    }

    private void assertReads(String query, List<Row> rows) throws Exception {
        assertThat(session.sql(query)).containsExactlyInAnyOrderElementsOf(rows);
    }
}
