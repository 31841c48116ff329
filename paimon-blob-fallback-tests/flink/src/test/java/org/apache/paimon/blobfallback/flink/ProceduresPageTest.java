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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What docs/procedures.md tells a user to type is right. */
class ProceduresPageTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    private static final String TABLE = "my_db.my_table";

    @TempDir Path warehouse;

    private Readme page;
    private FlinkCluster.Session session;

    /** Two rows a day; the front of the first was updated twice on days 1 and 3. */
    @BeforeEach
    void writeTheUsersTable() throws Exception {
        page = Readme.read("docs/procedures.md");
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            writer.createTable(
                    TABLE,
                    TableDefinition.of(
                                    "id", "INT", "front", "BLOB", "name", "STRING", "back", "BLOB",
                                    "day", "INT")
                            .partitionedBy("day"));
            for (int day = 1; day <= 3; day++) {
                List<List<Object>> rows = new ArrayList<>();
                for (int id = 2 * day - 2; id < 2 * day; id++) {
                    rows.add(Arrays.asList(id, raw("front"), "name-" + id, raw("back"), day));
                }
                writer.append(TABLE, rows);
            }
            for (String value : List.of("first", "second")) {
                writer.update(
                        TABLE,
                        List.of("front"),
                        Map.of(0L, List.of(raw(value)), 4L, List.of(raw(value))),
                        Map.of());
            }
        }
        session = FLINK.batch().inPluginCatalog(warehouse);
    }

    @Test
    void theCallFlattensWhatItNames() throws Exception {
        Row done = run("flatten");

        // Day 1 has three layers, day 2 has one, and day 3 is not asked for.
        assertThat(done.getField(0)).isEqualTo(1L);
        assertThat(done.getField(1)).isEqualTo(3L);
        assertThat(
                        session.sql(
                                "SELECT `partition`, MAX(layer) FROM my_db.`my_table$blob_layers`"
                                        + " WHERE column_name = 'front' GROUP BY `partition`"))
                .containsExactlyInAnyOrder(
                        Row.of("day=1", 1), Row.of("day=2", 1), Row.of("day=3", 3));
    }

    @Test
    void theCallUpdatesTheRowThatItsKeyFinds() throws Exception {
        assertThat(run("update").getField(0)).isEqualTo(1L);

        try (PaimonReader reader = PAIMON2.reader(warehouse)) {
            assertThat(reader.read(ReadRequest.all(TABLE).columns("id", "front", "back")))
                    .extracting(Texts::of)
                    .containsExactlyInAnyOrder(
                            "[0, second, back]",
                            "[1, back, front]",
                            "[2, front, back]",
                            "[3, front, back]",
                            "[4, second, back]",
                            "[5, front, back]");
        }
    }

    /** Without names, as Flink 1.18 has it. */
    @Test
    void theCallsWorkByPosition() throws Exception {
        assertThat(run("update-by-position").getField(0)).isEqualTo(1L);
        assertThat(session.sql("SELECT front FROM my_db.my_table WHERE id = 1"))
                .extracting(row -> new String(row.<byte[]>getFieldAs(0), UTF_8))
                .containsExactly("back");
        assertThat(run("flatten-by-position").getField(0)).isEqualTo(2L);
    }

    /** Each block of SQL is one of the above. */
    @Test
    void noBlockIsLeftOut() {
        assertThat(page.names("sql"))
                .containsExactly("flatten", "flatten-by-position", "update", "update-by-position");
        assertThat(page.text().lines().filter(line -> line.strip().equals("```sql"))).hasSize(4);
    }

    private Row run(String block) throws Exception {
        List<Row> rows = session.sql("%s", page.statements(block, warehouse).get(0));
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }

    private static byte[] raw(String text) {
        return text.getBytes(UTF_8);
    }
}
