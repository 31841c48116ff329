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
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.data.BlobDescriptor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Holds {@code CALL sys.update_blobs} to W1 to W5 on tables that Paimon 2.0 wrote. */
class UpdateProcedureTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    @TempDir Path warehouse;

    private Album album;
    private FlinkCluster.Session session;

    @BeforeEach
    void write() throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            album = Album.layered(writer, "db.album");
        }
        session = FLINK.batch().inPluginCatalog(warehouse);
    }

    /** W1, W2, W3: touched rows alone, in touched groups alone, in one commit; 2.0 reads it. */
    @Test
    void rowsGoToTheirGroupsInOneCommit() throws Exception {
        long before = snapshots();

        FlinkCluster.Result result =
                session.execute(
                        call(
                                values(
                                        "_ROW_ID, back, front",
                                        row("CAST(9 AS BIGINT)", bytes("new back-9"), bytes("")),
                                        row(
                                                "CAST(0 AS BIGINT)",
                                                bytes("new back-0"),
                                                bytes("new front-0")),
                                        row(
                                                "CAST(3 AS BIGINT)",
                                                "CAST(NULL AS BYTES)",
                                                bytes("new front-3"))),
                                "parallelism => 2"));

        assertThat(result.columns()).containsExactly("row_count", "group_count", "bytes_written");
        Row row = result.rows().get(0);
        assertThat(row.getField(0)).isEqualTo(3L);
        assertThat(row.getField(1)).isEqualTo(2L);
        assertThat((Long) row.getField(2)).isPositive();
        assertThat(snapshots()).isEqualTo(before + 1);
        Map<Long, String> back = new TreeMap<>();
        back.put(9L, "new back-9");
        back.put(0L, "new back-0");
        back.put(3L, null);
        album.updatedByOthers("back", back)
                .updatedByOthers("front", Map.of(9L, "", 0L, "new front-0", 3L, "new front-3"));
        assertReads();
        Judges.assertPaimon2Reads(PAIMON2, warehouse, "db.album", album.rows());
    }

    /** A descriptor stands for the bytes that it names, as in the host's own writes. */
    @Test
    void descriptorsAreValuesToo() throws Exception {
        session.sql(
                call(
                        "SELECT _ROW_ID, back AS front FROM `album$row_tracking`"
                                + " /*+ OPTIONS('blob-as-descriptor'='true') */ WHERE id = 5"));

        album.updatedByOthers("front", Map.of(5L, "back-5"));
        assertReads();
        Judges.assertPaimon2Reads(PAIMON2, warehouse, "db.album", album.rows());
    }

    /** The descriptors that a read gives have the table's path as it is. */
    @Test
    void descriptorsOfATableInAFolderOfAnyNameAreValuesToo() throws Exception {
        Path odd = warehouse.resolve("ä b%20c#d");
        try (PaimonWriter writer = PAIMON2.writer(odd)) {
            album = Album.layered(writer, "db.album");
        }
        session.createPluginCatalog("odd", odd).sql("USE CATALOG odd");

        session.sql(
                call(
                        "SELECT _ROW_ID, back AS front FROM `album$row_tracking`"
                                + " /*+ OPTIONS('blob-as-descriptor'='true') */ WHERE id = 5"));

        album.updatedByOthers("front", Map.of(5L, "back-5"));
        assertReads();
    }

    /** Rows are found by normal columns; what finds no row is left out. */
    @Test
    void aKeyFindsTheRows() throws Exception {
        Row row =
                session.sql(
                                call(
                                        values(
                                                "id, front, name",
                                                row("7", bytes("by key-7"), "'name-7'"),
                                                row("8", bytes("by key-8"), "'name-8'"),
                                                row("8", bytes("nobody"), "'name-9'"),
                                                row("99", bytes("nobody"), "'name-99'")),
                                        "key => 'name, id'"))
                        .get(0);

        assertThat(row.getField(0)).isEqualTo(2L);
        album.updatedByOthers("front", Map.of(7L, "by key-7", 8L, "by key-8"));
        assertReads();
    }

    /** W5: two jobs at once both land; a row of both has the value of the later commit. */
    @Test
    void twoJobsAtOnceBothLand() throws Exception {
        FlinkCluster.Session other = FLINK.batch();
        other.sql(
                "CREATE CATALOG p WITH ('type'='paimon', 'warehouse'='%s',"
                        + " 'metastore'='blob-fallback')",
                warehouse);
        other.sql("USE CATALOG p");
        long before = snapshots();

        CompletableFuture<Void> second =
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                other.sql(
                                        call(
                                                values(
                                                        "_ROW_ID, front",
                                                        row("CAST(1 AS BIGINT)", bytes("second")),
                                                        row(
                                                                "CAST(2 AS BIGINT)",
                                                                bytes("second")))));
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        });
        session.sql(
                call(
                        values(
                                "_ROW_ID, front",
                                row("CAST(2 AS BIGINT)", bytes("first")),
                                row("CAST(3 AS BIGINT)", bytes("first")))));
        second.get();

        assertThat(snapshots()).isEqualTo(before + 2);
        byte[] ofBoth =
                (byte[]) session.sql("SELECT front FROM db.album WHERE id = 2").get(0).getField(0);
        assertThat(new String(ofBoth, UTF_8)).isIn("first", "second");
        album.updatedByOthers(
                "front", Map.of(1L, "second", 2L, new String(ofBoth, UTF_8), 3L, "first"));
        assertReads();
        Judges.assertPaimon2Reads(PAIMON2, warehouse, "db.album", album.rows());
    }

    /** W4: what is wrong with a row is an error that names it, and leaves nothing. */
    @Test
    void wrongRowsAreNamedBeforeAnythingIsWritten() throws Exception {
        session.sql(
                "INSERT INTO db.album VALUES"
                        + " (3, CAST(NULL AS BYTES), 'twin', CAST(NULL AS BYTES))");
        List<String> before = files();

        assertFails(
                call(
                        values(
                                "_ROW_ID, front",
                                row("CAST(4 AS BIGINT)", bytes("once")),
                                row("CAST(5 AS BIGINT)", bytes("other")),
                                row("CAST(4 AS BIGINT)", bytes("twice")))),
                "two rows for _ROW_ID 4");
        assertFails(
                call(values("_ROW_ID, front", row("CAST(4711 AS BIGINT)", bytes("nowhere")))),
                "do not exist");
        assertFails(
                call(values("id, front", row("3", bytes("which?"))), "key => 'id'"),
                "[id] = +I[3] matches 2 rows of table db.album");

        assertThat(files()).isEqualTo(before);
    }

    /** W4: what tasks wrote before another failed is deleted. */
    @Test
    void aValueThatCannotBeReadLeavesNothing() throws Exception {
        String lost =
                HexFormat.of()
                        .formatHex(
                                new BlobDescriptor(
                                                warehouse.resolve("lost").toUri().toString(), 0, 9)
                                        .serialize());
        List<String> before = files();
        session.set("restart-strategy.type", "none");

        assertFails(
                call(
                        values(
                                "_ROW_ID, front",
                                row("CAST(0 AS BIGINT)", bytes("fine")),
                                row("CAST(9 AS BIGINT)", "CAST(x'" + lost + "' AS BYTES)")),
                        "parallelism => 1"),
                "lost");

        assertThat(FLINK.restarts("Updating blobs of db.album")).isZero();
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void sourcesThatDoNotFitAreRefused() {
        assertFails(call("SELECT 1 AS x"), "x");
        assertFails(call("SELECT _ROW_ID FROM `album$row_tracking`"), "at least one blob column");
        assertFails(call("SELECT front FROM album"), "_ROW_ID");
        assertFails(call("SELECT 1 AS _ROW_ID, front FROM album"), "BIGINT column _ROW_ID");
        assertFails(
                call("SELECT _ROW_ID, name FROM `album$row_tracking`"),
                "Column name of table db.album is a STRING");
        assertFails(
                call("SELECT _ROW_ID, name AS front FROM `album$row_tracking`"), "expected bytes");
        assertFails(call("SELECT front FROM album", "key => 'id'"), "columns [id] of the key");
    }

    /** A semicolon in a literal or a comment ends nothing, and one at the end is allowed. */
    @Test
    void semicolonsInLiteralsAndCommentsArePartOfAStatement() throws Exception {
        session.sql(
                call(
                        "SELECT id, CAST('a;b' AS BYTES) AS front FROM few; -- the end;",
                        "source_sqls => 'CREATE TEMPORARY VIEW all_rows AS SELECT id, ''x;y'' AS z"
                                + " FROM album; /* ; */ CREATE TEMPORARY VIEW few AS SELECT id FROM"
                                + " all_rows WHERE z = ''x;y'' AND id < 2;'",
                        "key => 'id'"));

        album.updatedByOthers("front", Map.of(0L, "a;b", 1L, "a;b"));
        assertReads();
    }

    /** As in SQL, null equals nothing: not null either. */
    @Test
    void aKeyThatIsNullMatchesNothing() throws Exception {
        session.sql("INSERT INTO db.album VALUES (12, X'66', CAST(NULL AS STRING), X'62')");

        Row done =
                session.sql(
                                call(
                                        values(
                                                "name, front",
                                                row("CAST(NULL AS STRING)", bytes("for null")),
                                                row("'name-3'", bytes("for name-3"))),
                                        "key => 'name'"))
                        .get(0);

        assertThat(done.getField(0)).isEqualTo(1L);
        album.updatedByOthers("front", Map.of(3L, "for name-3"));
        assertThat(session.sql("SELECT front FROM db.album WHERE name IS NULL"))
                .containsExactly(Row.of((Object) new byte[] {0x66}));
        assertThat(session.sql("SELECT * FROM db.album WHERE id < 12"))
                .containsExactlyInAnyOrderElementsOf(album.rows());
    }

    private static String call(String source, String... more) {
        return Stream.concat(
                        Stream.of(
                                "`table` => 'db.album'",
                                "source => '" + source.replace("'", "''") + "'"),
                        Arrays.stream(more))
                .collect(Collectors.joining(", ", "CALL sys.update_blobs(", ")"));
    }

    /** Rows as a query; the first column is a row id or an id. */
    private static String values(String columns, String... rows) {
        return "SELECT * FROM (VALUES " + String.join(", ", rows) + ") AS v(" + columns + ")";
    }

    private static String row(String... values) {
        return "(" + String.join(", ", values) + ")";
    }

    private static String bytes(String text) {
        return "CAST(x'" + HexFormat.of().formatHex(text.getBytes(UTF_8)) + "' AS BYTES)";
    }

    private void assertFails(String statement, String message) {
        assertThatThrownBy(() -> session.sql("%s", statement))
                .rootCause()
                .hasMessageContaining(message);
    }

    private void assertReads() throws Exception {
        assertThat(session.sql("SELECT * FROM db.album"))
                .containsExactlyInAnyOrderElementsOf(album.rows());
    }

    private long snapshots() throws Exception {
        return (Long) session.sql("SELECT COUNT(*) FROM db.`album$snapshots`").get(0).getField(0);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> paths = Files.walk(warehouse)) {
            return paths.map(Path::toString).sorted().toList();
        }
    }
}
