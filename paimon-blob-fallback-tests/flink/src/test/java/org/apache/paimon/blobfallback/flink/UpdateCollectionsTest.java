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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.SchemaEdit;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.apache.paimon.data.BlobDescriptor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Holds {@code CALL sys.update_blobs} to W1 to W4 and R10 on arrays of blobs and maps to blobs that
 * Paimon 2.0 wrote.
 */
class UpdateCollectionsTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    @TempDir Path warehouse;

    private final Map<Integer, String> rows = new TreeMap<>();
    private FlinkCluster.Session session;

    @BeforeEach
    void write() throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            writer.createTable(
                    "db.t",
                    TableDefinition.of(
                            "id", "INT",
                            "pics", "ARRAY<BLOB>",
                            "docs", "MAP<STRING, BLOB>",
                            "pages", "MAP<BIGINT, BLOB>"));
            // Two groups; a row's id is its row id.
            writer.append(
                    "db.t",
                    List.of(
                            Arrays.asList(0, List.of(raw("a"), raw("b")), Map.of(), null),
                            Arrays.asList(1, null, Map.of("k", raw("v")), Map.of(7L, raw("p")))));
            writer.append(
                    "db.t",
                    List.of(
                            Arrays.asList(2, List.of(), null, Map.of()),
                            Arrays.asList(3, List.of(raw("c")), Map.of("l", raw("w")), null)));
        }
        rows.put(0, "[a, b] {} null");
        rows.put(1, "null {k=v} {7=p}");
        rows.put(2, "[] null {}");
        rows.put(3, "[c] {l=w} null");
        session = FLINK.batch().inPluginCatalog(warehouse);
    }

    /** W1, W2, W3: whole values, nulls in all places, one commit, and the other rows as before. */
    @Test
    void arraysAndMapsAreSetByRowId() throws Exception {
        Map<String, Object> docs = new HashMap<>();
        docs.put("x", raw("1"));
        docs.put(null, raw("2"));
        docs.put("y", null);
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            writer.createTable(
                    "db.s",
                    TableDefinition.of(
                            "rid", "BIGINT",
                            "pics", "ARRAY<BLOB>",
                            "docs", "MAP<STRING, BLOB>",
                            "pages", "MAP<BIGINT, BLOB>"));
            writer.append(
                    "db.s",
                    List.of(
                            Arrays.asList(
                                    0L,
                                    Arrays.asList(raw("new"), null),
                                    docs,
                                    Map.of(5L, raw("five"))),
                            Arrays.asList(3L, null, null, null)));
        }

        Row done = call("SELECT rid AS _ROW_ID, pages, docs, pics FROM s", "parallelism => 2");

        assertThat(done.getField(0)).isEqualTo(2L);
        assertThat(done.getField(1)).isEqualTo(2L);
        rows.put(0, "[new, null] {null=2, x=1, y=null} {5=five}");
        rows.put(3, "null null null");
        assertReads();
        assertThat(session.sql("SELECT COUNT(*) FROM db.`t$snapshots`"))
                .containsExactly(Row.of(3L));
    }

    /** Descriptors among the elements stand for what they name; rows are found by a key. */
    @Test
    void elementsAreTakenOverByDescriptorAndKey() throws Exception {
        call(
                "SELECT id + 1 AS id, pics, docs FROM t /*+"
                        + " OPTIONS(''blob-as-descriptor''=''true'') */ WHERE id IN (0, 2)",
                "key => 'id'");

        rows.put(1, "[a, b] {} {7=p}");
        rows.put(3, "[] null null");
        assertReads();
    }

    /** W4: what cannot be read leaves nothing, nor does a row that comes twice. */
    @Test
    void anUpdateThatFailsLeavesNothing() throws Exception {
        List<String> before = files();
        session.set("restart-strategy.type", "none");
        String lost =
                HexFormat.of()
                        .formatHex(
                                new BlobDescriptor(
                                                warehouse.resolve("lost").toUri().toString(), 0, 9)
                                        .serialize());

        assertFails(
                "SELECT CAST(0 AS BIGINT) AS _ROW_ID, MAP[''k'', CAST(x''"
                        + lost
                        + "'' AS BYTES)] AS docs",
                "lost");
        assertFails(
                "SELECT CAST(0 AS BIGINT) AS _ROW_ID, ARRAY["
                        + bytes("1")
                        + "] AS pics"
                        + " UNION ALL SELECT CAST(0 AS BIGINT), ARRAY["
                        + bytes("2")
                        + "]",
                "two rows for _ROW_ID 0");

        assertThat(files()).isEqualTo(before);
        assertReads();
    }

    @Test
    void valuesOfOtherTypesAreRefused() {
        assertFails(
                "SELECT CAST(0 AS BIGINT) AS _ROW_ID, ARRAY[1] AS pics",
                "expected an array of bytes");
        assertFails(
                "SELECT CAST(0 AS BIGINT) AS _ROW_ID, " + bytes("1") + " AS pics",
                "expected an array of bytes");
        assertFails(
                "SELECT CAST(0 AS BIGINT) AS _ROW_ID, MAP[1, " + bytes("1") + "] AS pages",
                "expected a map of BIGINT to bytes");
        assertFails(
                "SELECT CAST(0 AS BIGINT) AS _ROW_ID, MAP[''k'', 1] AS docs",
                "expected a map of STRING to bytes");
    }

    /** F7: the key types that Paimon's master has added. */
    @Test
    void mapsWithKeysOfEveryTypeAreSetAndRead() throws Exception {
        Map<String, String> types = new TreeMap<>();
        types.put("BOOLEAN", "TRUE");
        types.put("DATE", "DATE ''2026-11-30''");
        types.put("TIME", "TIME ''12:34:56''");
        types.put("DECIMAL(10, 2)", "CAST(1.25 AS DECIMAL(9, 2))");
        types.put("DECIMAL(30, 2)", "CAST(-1.28 AS DECIMAL(30, 2))");
        types.put("BINARY(2)", "x''0102''");
        types.put("BYTES", "CAST(x''010203'' AS BYTES)");
        List<SchemaEdit> edits = new ArrayList<>();
        List<String> columns = new ArrayList<>();
        List<String> values = new ArrayList<>();
        types.forEach(
                (type, key) -> {
                    String column = "m" + columns.size();
                    edits.add(
                            SchemaEdit.of(
                                    SchemaEdit.Kind.ADD_COLUMN, column, "MAP<" + type + ", BLOB>"));
                    columns.add(column);
                    values.add("MAP[" + key + ", " + bytes("new") + "] AS " + column);
                });
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            writer.createTable("db.k", TableDefinition.of("id", "INT", "pic", "BLOB"));
            writer.append("db.k", List.of(Arrays.asList(0, null), Arrays.asList(1, null)));
            writer.alter("db.k", edits);
        }

        session.sql(
                "%s",
                statement("SELECT CAST(1 AS BIGINT) AS _ROW_ID, " + String.join(", ", values))
                        .replace("db.t", "db.k"));

        List<Row> rows =
                session.sql("SELECT " + String.join(", ", columns) + " FROM db.k WHERE id = 1");
        List<String> read = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Map<?, ?> map = (Map<?, ?>) rows.get(0).getField(i);
            Object key = map.keySet().iterator().next();
            String text =
                    key instanceof byte[] raw ? HexFormat.of().formatHex(raw) : String.valueOf(key);
            read.add(text + "=" + Texts.of(map.values()));
        }
        assertThat(read)
                .containsExactly(
                        "0102=[new]",
                        "true=[new]",
                        "010203=[new]",
                        "2026-11-30=[new]",
                        "1.25=[new]",
                        "-1.28=[new]",
                        "12:34:56=[new]");
        assertThatThrownBy(
                        () ->
                                session.sql(
                                        "%s",
                                        statement(
                                                        "SELECT CAST(1 AS BIGINT) AS _ROW_ID,"
                                                                + " MAP[1.255, "
                                                                + bytes("new")
                                                                + "] AS m4")
                                                .replace("db.t", "db.k")))
                .rootCause()
                .hasMessageContaining("expected a map of DECIMAL(10, 2) to bytes");
    }

    private Row call(String source, String... more) throws Exception {
        return session.sql("%s", statement(source, more)).get(0);
    }

    private static String statement(String source, String... more) {
        return "CALL sys.update_blobs(`table` => 'db.t', source => '"
                + source
                + "'"
                + Stream.of(more).map(argument -> ", " + argument).reduce("", String::concat)
                + ")";
    }

    private void assertFails(String source, String message) {
        assertThatThrownBy(() -> session.sql("%s", statement(source)))
                .rootCause()
                .hasMessageContaining(message);
    }

    private void assertReads() throws Exception {
        Map<Integer, String> read = new TreeMap<>();
        for (Row row : session.sql("SELECT id, pics, docs, pages FROM db.t")) {
            read.put(
                    (Integer) row.getField(0),
                    text(row.getField(1), row.getField(2), row.getField(3)));
        }
        assertThat(read).isEqualTo(rows);
        Map<Integer, String> readByPaimon2 = new TreeMap<>();
        try (PaimonReader reader = PAIMON2.reader(warehouse)) {
            for (List<Object> row : reader.read(ReadRequest.all("db.t"))) {
                readByPaimon2.put((Integer) row.get(0), text(row.get(1), row.get(2), row.get(3)));
            }
        }
        assertThat(readByPaimon2).isEqualTo(rows);
    }

    private static String text(Object... values) {
        return String.join(" ", Arrays.stream(values).map(Texts::of).toList());
    }

    /** As an SQL literal inside of another literal. */
    private static String bytes(String text) {
        return "CAST(x''" + HexFormat.of().formatHex(raw(text)) + "'' AS BYTES)";
    }

    private static byte[] raw(String text) {
        return text.getBytes(UTF_8);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> paths = Files.walk(warehouse)) {
            return paths.map(Path::toString).sorted().toList();
        }
    }
}
