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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.types.Row;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** W7: rows are found by key in the snapshot of the update, under the table's newest schema. */
class UpdateByKeyTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    @TempDir Path warehouse;

    private FlinkCluster.Session session;

    @BeforeEach
    void write() throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            Album album = Album.create(writer, "db.album").append(3);
            album.update("front", Map.of(2L, "layer-2"));
            writer.createTag("db.album", "tag");
            writer.createBranch("db.album", "side", "tag");
        }
        session = FLINK.batch().inPluginCatalog(warehouse);
        session.sql("USE db");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ADD extra STRING | id",
                "ADD extra INT FIRST | id",
                "MODIFY id INT AFTER back | id",
                "MODIFY id BIGINT | id",
                "DROP name | id",
                "RENAME id TO number | number"
            })
    void noCommitNeedsToComeAfterAChangeOfColumns(String change, String key) throws Exception {
        session.sql("ALTER TABLE album " + change);

        update(key);

        assertThat(fronts("SELECT " + key + ", front FROM album"))
                .isEqualTo(Map.of(0L, "X", 1L, "front-1", 2L, "layer-2"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'scan.mode'='latest'",
                "'scan.mode'='latest-full'",
                "'scan.timestamp-millis'='1'",
                "'scan.tag-name'='tag'",
                "'scan.snapshot-id'='1'",
                "'incremental-between'='1,2'",
                "'consumer-id'='me'",
                "'scan.fallback-branch'='side'"
            })
    void theTimeThatTheTableIsReadAtDoesNotMatter(String option) throws Exception {
        session.sql("ALTER TABLE album SET (%s)", option);

        update("id");

        session.sql("ALTER TABLE album RESET ('%s')", option.split("'")[1]);
        assertThat(fronts("SELECT id, front FROM album"))
                .isEqualTo(Map.of(0L, "X", 1L, "front-1", 2L, "layer-2"));
    }

    /** W1: as INSERT refuses it. */
    @Test
    void aNullIsRefusedWhereTheColumnIsNotNull() throws Exception {
        Schema schema =
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("front", DataTypes.BLOB().notNull())
                        .option(CoreOptions.ROW_TRACKING_ENABLED.key(), "true")
                        .option(CoreOptions.DATA_EVOLUTION_ENABLED.key(), "true")
                        .build();
        new SchemaManager(
                        LocalFileIO.create(),
                        new org.apache.paimon.fs.Path(warehouse.resolve("db.db/strict").toUri()))
                .createTable(schema);
        session.sql("INSERT INTO strict VALUES (0, X'00'), (1, X'01')");

        assertThatThrownBy(
                        () ->
                                session.sql(
                                        "CALL sys.update_blobs(`table` => 'db.strict', source =>"
                                                + " 'SELECT 1 AS id, CAST(NULL AS BYTES) AS front',"
                                                + " key => 'id')"))
                .hasStackTraceContaining("Column front of table")
                .hasStackTraceContaining("is a BLOB NOT NULL, found null for row id 1");
        assertThat(FLINK.restarts("Updating blobs of db.strict")).isZero();
        assertThat(session.sql("SELECT id FROM strict WHERE front IS NULL")).isEmpty();
    }

    private void update(String key) throws Exception {
        assertThat(
                        session.sql(
                                "CALL sys.update_blobs(`table` => 'db.album', source => 'SELECT 0"
                                        + " AS %1$s, X''58'' AS front', key => '%1$s')",
                                key))
                .singleElement()
                .extracting(row -> row.getField(0))
                .isEqualTo(1L);
    }

    private Map<Long, String> fronts(String query) throws Exception {
        Map<Long, String> fronts = new TreeMap<>();
        for (Row row : session.sql(query)) {
            fronts.put(
                    ((Number) row.getField(0)).longValue(),
                    new String((byte[]) row.getField(1), UTF_8));
        }
        return fronts;
    }
}
