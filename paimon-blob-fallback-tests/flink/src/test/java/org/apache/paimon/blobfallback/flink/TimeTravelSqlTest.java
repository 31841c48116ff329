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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R21, in SQL: tables and system tables at another time, after their columns have changed. */
class TimeTravelSqlTest {

    private static final String AT_1 = "/*+ OPTIONS('scan.snapshot-id'='1') */";

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    @TempDir Path warehouse;

    private FlinkCluster.Session session;

    @BeforeEach
    void write() throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            Album album = Album.create(writer, "db.album").append(3);
            writer.createTag("db.album", "first");
            album.update("front", Map.of(1L, "new"));
            writer.createTag("db.album", "second");
        }
        session = FLINK.batch().inPluginCatalog(warehouse);
        session.sql("USE db");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ADD extra STRING",
                "ADD extra STRING FIRST",
                "ADD extra STRING AFTER id",
                "MODIFY name STRING FIRST",
                "MODIFY id BIGINT",
                "DROP name"
            })
    void aHintDoesNotMoveColumnsOfSystemTables(String change) throws Exception {
        session.sql("ALTER TABLE album " + change);

        for (String hint : List.of(AT_1, "/*+ OPTIONS('scan.tag-name'='first') */")) {
            assertThat(
                            texts(
                                    "SELECT _ROW_ID, CAST(id AS INT), back, front"
                                            + " FROM `album$row_tracking` "
                                            + hint))
                    .containsExactlyInAnyOrder(
                            "0, 0, back-0, front-0",
                            "1, 1, back-1, front-1",
                            "2, 2, back-2, front-2");
            for (String table : List.of("album", "`album$ro`", "`album$audit_log`")) {
                assertThat(texts("SELECT CAST(id AS INT), back, front FROM " + table + " " + hint))
                        .as(table)
                        .containsExactlyInAnyOrder(
                                "0, back-0, front-0", "1, back-1, front-1", "2, back-2, front-2");
            }
        }
        assertThat(texts("SELECT CAST(id AS INT), front FROM `album$ro`"))
                .containsExactlyInAnyOrder("0, front-0", "1, new", "2, front-2");
    }

    @Test
    void theOptionsOfAJobDoNotMoveThemEither() throws Exception {
        session.sql("ALTER TABLE album ADD extra STRING FIRST");
        session.set("paimon.p.db.album.scan.version", "first");

        assertThat(texts("SELECT _ROW_ID, id, extra, front FROM `album$row_tracking`"))
                .containsExactlyInAnyOrder(
                        "0, 0, null, front-0", "1, 1, null, front-1", "2, 2, null, front-2");
        assertThat(texts("SELECT id, extra, front FROM album"))
                .containsExactlyInAnyOrder(
                        "0, null, front-0", "1, null, front-1", "2, null, front-2");
    }

    @Test
    void aColumnThatWasDroppedSinceIsThereAsOfItsTime() throws Exception {
        String then =
                session.sql(
                                "SELECT DATE_FORMAT(commit_time, 'yyyy-MM-dd HH:mm:ss.SSS')"
                                        + " FROM `album$snapshots` WHERE snapshot_id = 2")
                        .get(0)
                        .getField(0)
                        .toString();
        session.sql("ALTER TABLE album DROP (front, back)");
        FlinkCluster.Session fresh = FLINK.batch().inPluginCatalog(warehouse);
        fresh.sql("USE db");
        session = fresh;

        for (String table : List.of("album", "`album$ro`", "`album$row_tracking`")) {
            assertThat(
                            texts(
                                    "SELECT id, front, name FROM "
                                            + table
                                            + " FOR SYSTEM_TIME AS OF TIMESTAMP '"
                                            + then
                                            + "'"))
                    .as(table)
                    .containsExactlyInAnyOrder(
                            "0, front-0, name-0", "1, new, name-1", "2, front-2, name-2");
        }
        assertThat(texts("SELECT * FROM album /*+ OPTIONS('scan.tag-name'='second') */"))
                .containsExactlyInAnyOrder("0, name-0", "1, name-1", "2, name-2");
    }

    private List<String> texts(String query) throws Exception {
        List<String> texts = new ArrayList<>();
        for (Row row : session.sql(query)) {
            List<String> fields = new ArrayList<>();
            for (int i = 0; i < row.getArity(); i++) {
                Object field = row.getField(i);
                fields.add(
                        field instanceof byte[] bytes
                                ? new String(bytes, UTF_8)
                                : String.valueOf(field));
            }
            texts.add(String.join(", ", fields));
        }
        return texts;
    }
}
