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
import java.util.List;
import java.util.Map;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The host's {@code CALL sys.clone} reads the rows of a table by the catalog that its argument
 * names, and writes them to a new table.
 */
class CloneProcedureTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    private static final String PLUGIN = "metastore=blob-fallback;blob-fallback.enabled=true;";

    @TempDir Path warehouse;
    @TempDir Path target;

    private FlinkCluster.Session session;

    @BeforeEach
    void openCatalog() throws Exception {
        // Otherwise the call returns before its job has run.
        session = FLINK.batch().set("table.dml-sync", "true").inPluginCatalog(warehouse);
    }

    /** R2: a clone has the winners, in one layer that needs no plugin. */
    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void aCloneHasTheWinnersInOneLayer(String asDescriptor) throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            Album album = Album.layered(writer, "db.album");
            session.sql("ALTER TABLE db.album SET ('blob-as-descriptor'='%s')", asDescriptor);

            session.sql(clone(PLUGIN, ""));

            session.sql("CREATE CATALOG t WITH ('type'='paimon', 'warehouse'='%s')", target);
            session.sql("ALTER TABLE t.db.copy RESET ('blob-as-descriptor')");
            assertThat(session.sql("SELECT * FROM t.db.copy"))
                    .containsExactlyInAnyOrderElementsOf(album.rows());
            Judges.assertPaimon2Reads(PAIMON2, target, "db.copy", album.rows());
        }
    }

    /** H1: no catalog of the host creates the table of the clone, so nothing is written. */
    @ParameterizedTest
    @ValueSource(strings = {"", "metastore=blob-fallback;blob-fallback.enabled=true;"})
    void aCloneOfATableWithDeletionVectorsIsRefused(String targetOptions) throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            writer.createTable(
                    "db.album", Album.DEFINITION.with("deletion-vectors.enabled", "true"));
            Album.of(writer, "db.album").append(3).update("front", Map.of(2L, "new"));
            writer.delete("db.album", List.of(1L));

            assertThatThrownBy(() -> session.sql(clone(PLUGIN, targetOptions)))
                    .hasStackTraceContaining("deletion-vectors.enabled");

            assertThat(target.resolve("db.db/copy/schema")).doesNotExist();
            assertThat(session.sql("SELECT id FROM db.album"))
                    .containsExactlyInAnyOrder(Row.of(0), Row.of(2));
        }
    }

    /** R18: the session's catalog does not matter to this call, only what its arguments name. */
    @Test
    void aCloneThroughAnotherCatalogIsAnErrorThatNamesThePlugins() throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            Album.layered(writer, "db.album");

            assertThatThrownBy(() -> session.sql(clone("", "")))
                    .hasStackTraceContaining("is a placeholder")
                    .hasStackTraceContaining("'metastore' = 'blob-fallback'");
        }
    }

    private String clone(String sourceOptions, String targetOptions) {
        return "CALL sys.clone(database => 'db', `table` => 'album', catalog_conf => '"
                + sourceOptions
                + "warehouse="
                + warehouse
                + "', target_database => 'db', target_table => 'copy',"
                + " target_catalog_conf => '"
                + targetOptions
                + "warehouse="
                + target
                + "', parallelism => 2, clone_from => 'paimon')";
    }
}
