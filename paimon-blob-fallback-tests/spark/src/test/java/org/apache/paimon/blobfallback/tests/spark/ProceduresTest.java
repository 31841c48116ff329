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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.paimon.blobfallback.tests.bridge.Descriptor;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.apache.paimon.blobfallback.tests.bridge.SchemaEdit;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Updates and flattens in Spark, by statements and by the Java API, judged by both Paimons. */
class ProceduresTest {

    @RegisterExtension static final SparkExtension SPARK = new SparkExtension();

    private SparkApplication spark;
    private String database;

    private void use(SparkVersion version) throws Exception {
        spark = SPARK.spark(version);
        database = "procedures_" + version.ordinal();
    }

    private Album album(String name) throws Exception {
        return Album.layered(SPARK.writer(), database + "." + name);
    }

    /** W1: the rows of a query become one commit, rows of other groups stay untouched. */
    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void rowsGoToTheirGroupsInOneCommit(SparkVersion version) throws Exception {
        use(version);
        Album album = album("by_row_id");
        long before = snapshots("by_row_id");

        List<List<Object>> result =
                call(
                        "update_blobs",
                        "table => '%1$s.by_row_id', parallelism => 2, source => \"SELECT * FROM"
                                + " VALUES (9L, X'6e39', X''), (0L, X'6e30', X'6630'), (3L,"
                                + " NULL, X'6633') AS t(_ROW_ID, back, front)\"");

        assertThat(result).hasSize(1);
        assertThat(result.get(0).subList(0, 2)).isEqualTo(List.of(3L, 2L));
        assertThat((Long) result.get(0).get(2)).isPositive();
        assertThat(snapshots("by_row_id")).isEqualTo(before + 1);
        Map<Long, String> back = new HashMap<>();
        back.put(9L, "n9");
        back.put(0L, "n0");
        back.put(3L, null);
        album.updatedByOthers("back", back)
                .updatedByOthers("front", Map.of(9L, "", 0L, "f0", 3L, "f3"));
        assertBothRead("by_row_id", album);
    }

    /** W7: rows are found by normal columns; what finds no row is left out. */
    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void aKeyFindsTheRows(SparkVersion version) throws Exception {
        use(version);
        Album album = album("by_key");

        List<List<Object>> result =
                call(
                        "update_blobs",
                        "table => '%1$s.by_key', key => 'name, id', source => \"SELECT * FROM VALUES"
                                + " (7, X'6b37', 'name-7'), (8, X'6b38', 'name-8'), (8,"
                                + " X'00', 'name-9'), (99, X'00', 'name-99') AS t(id, front,"
                                + " name)\"");

        assertThat(result.get(0).get(0)).isEqualTo(2L);
        album.updatedByOthers("front", Map.of(7L, "k7", 8L, "k8"));
        assertBothRead("by_key", album);
    }

    /** W7: a key is the column of now, not the one that had its name when the rows were written. */
    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void aKeyIsTheColumnThatHasItsNameNow(SparkVersion version) throws Exception {
        use(version);
        album("renamed");
        SPARK.writer()
                .alter(
                        database + ".renamed",
                        List.of(
                                SchemaEdit.of(SchemaEdit.Kind.RENAME_COLUMN, "name", "title"),
                                SchemaEdit.of(SchemaEdit.Kind.ADD_COLUMN, "name", "STRING")));

        assertThat(
                        call(
                                "update_blobs",
                                "table => '%1$s.renamed', key => 'name', source => \"SELECT 'name-3'"
                                        + " AS name, X'00' AS front\""))
                .isEqualTo(List.of(List.of(0L, 0L, 0L)));
        assertThat(
                        call(
                                        "update_blobs",
                                        "table => '%1$s.renamed', key => 'title', source =>"
                                                + " \"SELECT 'name-3' AS title, X'41' AS front\"")
                                .get(0)
                                .get(0))
                .isEqualTo(1L);
        assertThat(
                        Album.texts(
                                SPARK.reader()
                                        .read(
                                                ReadRequest.all(database + ".renamed")
                                                        .columns("id", "front"))))
                .contains(List.of(3, "A"));
    }

    /** A source that is not the same each time is refused, and leaves nothing. */
    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void aSourceThatChangesIsRefused(SparkVersion version) throws Exception {
        use(version);
        Album album = album("changing");
        List<Path> before = files("changing");

        assertThat(
                        failure(
                                "update_blobs",
                                "table => '%1$s.changing', source => \"SELECT _ROW_ID, back AS front"
                                        + " FROM paimon.%1$s.changing WHERE"
                                        + " java_method('java.lang.System', 'setProperty',"
                                        + " concat('changing-', id), 'seen') = 'null'\""))
                .contains("gave other rows when it was read for the values");

        assertThat(files("changing")).isEqualTo(before);
        assertBothRead("changing", album);
    }

    /** A Dataset by row id and one by key; a descriptor stands for the bytes that it names. */
    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void aDatasetBecomesAnUpdate(SparkVersion version) throws Exception {
        use(version);
        Album album = album("dataset");
        String table = "paimon." + database + ".dataset";

        spark.rows(
                SparkRequest.of(SparkRequest.Kind.UPDATE, table)
                        .where("SELECT _ROW_ID, back AS front FROM " + table + " WHERE id = 1"));
        spark.sql("SET `spark.paimon.blob-as-descriptor`=true");
        try {
            spark.rows(
                    SparkRequest.of(SparkRequest.Kind.UPDATE, table)
                            .columns("id")
                            .where("SELECT id, front AS back FROM " + table + " WHERE id > 7"));
        } finally {
            spark.sql("RESET `spark.paimon.blob-as-descriptor`");
        }

        album.updatedByOthers("front", Map.of(1L, "second back-1"))
                .updatedByOthers("back", Map.of(8L, "front-8", 9L, "front-9"));
        assertBothRead("dataset", album);
    }

    /** A blob larger than the heap of Spark's JVM comes by a descriptor, and goes on by one. */
    @ParameterizedTest
    @EnumSource(names = "SPARK_3_5")
    void aBlobLargerThanTheMemoryIsADescriptor(SparkVersion version) throws Exception {
        use(version);
        album("large");
        Path source = SPARK.warehouse().resolve("large.bin");
        long length = 5L << 28;
        try (RandomAccessFile sparse = new RandomAccessFile(source.toFile(), "rw")) {
            sparse.setLength(length);
            sparse.write(raw("first"));
            sparse.seek(length - 4);
            sparse.write(raw("last"));
        }

        List<List<Object>> result =
                call(
                        "update_blobs",
                        "table => '%1$s.large', source => \"SELECT 4L AS _ROW_ID, "
                                + DescriptorLiteral.of(
                                        new Descriptor(source.toUri().toString(), 0, length))
                                + " AS front\"");

        assertThat((Long) result.get(0).get(2)).isGreaterThan(length);
        Descriptor written =
                (Descriptor)
                        spark.rows(
                                        SparkRequest.table("paimon." + database + ".large")
                                                .with("blob-as-descriptor", "true")
                                                .columns("front")
                                                .where("id = 4")
                                                .asDescriptors())
                                .get(0)
                                .get(0);
        assertThat(written.length()).isEqualTo(length);
        try (InputStream expected = Files.newInputStream(source);
                InputStream actual =
                        Files.newInputStream(Path.of(URI.create(written.uri()).getPath()))) {
            actual.skipNBytes(written.offset());
            byte[] bytes = new byte[1 << 20];
            for (long position = 0; position < length; position += bytes.length) {
                assertThat(actual.readNBytes(bytes.length))
                        .as("at %s", position)
                        .isEqualTo(expected.readNBytes(bytes.length));
            }
        }
        spark.sql("DROP TABLE paimon." + database + ".large");
        Files.delete(source);
    }

    /** W4: what is wrong with a row is an error that names it, and leaves nothing. */
    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void wrongRowsAreNamedBeforeAnythingIsWritten(SparkVersion version) throws Exception {
        use(version);
        album("wrong");
        List<Path> before = files("wrong");

        assertFails(
                "SELECT * FROM VALUES (4L, X'00'), (5L, X'00'), (4L, X'01') AS"
                        + " t(_ROW_ID, front)",
                "The source of an update of table procedures_%d.wrong has two rows for _ROW_ID 4,"
                        + " expected one.");
        assertFails(
                "SELECT 4711L AS _ROW_ID, X'00' AS front",
                "of table procedures_%d.wrong: [4711]. Take row ids from the column _ROW_ID");
        assertFails(
                "SELECT CAST(NULL AS BIGINT) AS _ROW_ID, X'00' AS front",
                "procedures_%d.wrong has a row whose _ROW_ID is null.");
        assertFails(
                "SELECT 4 AS _ROW_ID, X'00' AS front",
                "procedures_%d.wrong needs a BIGINT column _ROW_ID and not a INT, found the"
                        + " columns [_ROW_ID, front].");
        assertFails(
                "SELECT 4L AS _ROW_ID, 'text' AS front",
                "Column front of the source of an update of table procedures_%d.wrong is STRING,"
                        + " expected bytes.");
        assertFails(
                "SELECT 4L AS _ROW_ID, X'00' AS pic",
                "has no column pic; its blob columns are [front, back].");
        assertFails(
                "SELECT nothing FROM nowhere",
                "Argument source of an update of table procedures_%d.wrong cannot be planned:");
        assertThat(
                        failure(
                                "update_blobs",
                                "table => '%1$s.wrong', key => 'front', source => \"SELECT 1 AS id,"
                                        + " X'00' AS front\""))
                .contains(
                        "Column front of the key is not a normal column of table "
                                + database
                                + ".wrong");

        assertThat(files("wrong")).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void aKeyOfSeveralRowsIsRefused(SparkVersion version) throws Exception {
        use(version);
        Album album = album("twins");
        SPARK.writer().append(database + ".twins", List.of(Arrays.asList(3, null, "twin", null)));

        assertThat(
                        failure(
                                "update_blobs",
                                "table => '%1$s.twins', key => 'id', source => \"SELECT 3 AS id,"
                                        + " X'00' AS front\""))
                .contains(
                        "The key [id] = [3] matches 2 rows of table "
                                + database
                                + ".twins, expected one: choose a key that tells rows apart, or"
                                + " update by _ROW_ID.");
        assertThat(
                        Album.texts(
                                spark.sql(
                                        "SELECT front FROM paimon."
                                                + database
                                                + ".twins WHERE name = 'name-3'")))
                .isEqualTo(album.rows("front").subList(3, 4));
    }

    /** ARRAY and MAP columns take whole new values, of which each element may be null. */
    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void arraysAndMapsAreUpdated(SparkVersion version) throws Exception {
        use(version);
        String table = database + ".collections";
        SPARK.writer()
                .createTable(
                        table,
                        TableDefinition.of(
                                "id",
                                "INT",
                                "a",
                                "ARRAY<BLOB>",
                                "m",
                                "MAP<STRING, BLOB>",
                                "n",
                                "MAP<INT, BLOB>"));
        SPARK.writer()
                .append(
                        table,
                        List.of(
                                List.of(
                                        0,
                                        List.of(raw("a")),
                                        Map.of("k", raw("m")),
                                        Map.of(1, raw("n"))),
                                List.of(
                                        1,
                                        List.of(raw("b")),
                                        Map.of("l", raw("o")),
                                        Map.of(2, raw("p")))));

        call(
                "update_blobs",
                "table => '%1$s.collections', source => \"SELECT 1L AS _ROW_ID, array(X'78',"
                        + " NULL) AS a, map('x', X'79', 'y', NULL) AS m, map(7, X'7a') AS"
                        + " n\"");

        List<Object> row = SPARK.reader().read(ReadRequest.all(table)).get(1);
        assertThat((List<?>) row.get(1)).hasSize(2);
        assertThat(((List<?>) row.get(1)).get(0)).isEqualTo(raw("x"));
        assertThat(((List<?>) row.get(1)).get(1)).isNull();
        assertThat(((Map<?, ?>) row.get(2)).get("x")).isEqualTo(raw("y"));
        assertThat(((Map<?, ?>) row.get(2)).containsKey("y")).isTrue();
        assertThat(((Map<?, ?>) row.get(3)).get(7)).isEqualTo(raw("z"));
        assertThat(
                        Album.texts(
                                spark.sql(
                                        "SELECT a[0], m['x'], n[7], size(a) FROM paimon."
                                                + table
                                                + " WHERE id = 1")))
                .isEqualTo(List.of(List.of("x", "y", "z", 2)));
    }

    /** F7: each type of key that Spark has. */
    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void mapsWithKeysOfEveryTypeAreUpdated(SparkVersion version) throws Exception {
        use(version);
        String table = database + ".keys";
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("BOOLEAN", "TRUE");
        keys.put("TINYINT", "1Y");
        keys.put("SMALLINT", "2S");
        keys.put("INT", "3");
        keys.put("BIGINT", "4L");
        keys.put("DATE", "DATE '2026-11-30'");
        keys.put("DECIMAL(10, 2)", "CAST(1.25 AS DECIMAL(10, 2))");
        keys.put("DECIMAL(30, 2)", "CAST(-1.28 AS DECIMAL(30, 2))");
        keys.put("STRING", "'five'");
        keys.put("BYTES", "X'010203'");
        List<SchemaEdit> edits = new ArrayList<>();
        List<String> values = new ArrayList<>();
        List<String> selected = new ArrayList<>();
        keys.forEach(
                (type, key) -> {
                    String column = "m" + values.size();
                    edits.add(
                            SchemaEdit.of(
                                    SchemaEdit.Kind.ADD_COLUMN, column, "MAP<" + type + ", BLOB>"));
                    values.add("map(" + key + ", X'78') AS " + column);
                    selected.add("map_values(" + column + ")[0]");
                    selected.add("map_keys(" + column + ")[0] = " + key);
                });
        SPARK.writer().createTable(table, TableDefinition.of("id", "INT", "pic", "BLOB"));
        SPARK.writer().append(table, List.of(Arrays.asList(0, null), Arrays.asList(1, null)));
        SPARK.writer().alter(table, edits);

        call(
                "update_blobs",
                "table => '%1$s.keys', source => \"SELECT 1L AS _ROW_ID, "
                        + String.join(", ", values)
                        + "\"");

        List<Object> expected = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            expected.add("x");
            expected.add(true);
        }
        assertThat(
                        Album.texts(
                                spark.sql(
                                        "SELECT "
                                                + String.join(", ", selected)
                                                + " FROM paimon."
                                                + table
                                                + " WHERE id = 1")))
                .containsExactly(expected);
    }

    /** A dry run changes nothing; afterwards the host reads the table without the plugin. */
    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void layersAreFlattened(SparkVersion version) throws Exception {
        use(version);
        Album album = album("flat");
        List<Path> before = files("flat");

        List<List<Object>> dry =
                call("flatten_blob_layers", "table => '%1$s.flat', dry_run => true");
        assertThat(files("flat")).isEqualTo(before);
        List<List<Object>> done =
                call("flatten_blob_layers", "'%1$s.flat', NULL, 'front, back', 2");

        assertThat(dry.get(0).subList(0, 2)).isEqualTo(List.of(2L, 7L));
        assertThat(done).isEqualTo(dry);
        assertThat(call("flatten_blob_layers", "table => '%1$s.flat', min_layers => 2"))
                .as("the older name of the argument")
                .isEqualTo(call("flatten_blob_layers", "table => '%1$s.flat', least_layers => 2"));
        assertThat(call("flatten_blob_layers", "table => '%1$s.flat'"))
                .isEqualTo(List.of(List.of(0L, 0L, 0L, 0L)));
        assertBothRead("flat", album);
        try (PaimonRuntime host = Runtimes.host();
                PaimonReader reader = host.find(PaimonReader.class)) {
            reader.open(Map.of("warehouse", SPARK.warehouse().toString()));
            assertThat(Album.texts(reader.read(ReadRequest.all(database + ".flat"))))
                    .as("the host without the plugin")
                    .containsExactlyInAnyOrderElementsOf(album.rows());
        }
    }

    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void callsThatDoNotFitAreRefused(SparkVersion version) throws Exception {
        use(version);
        album("calls");

        assertThat(failure("flatten_blob_layers", "tabel => '%1$s.calls'"))
                .contains(
                        "Procedure sys.flatten_blob_layers has the arguments [table, partitions,"
                                + " columns, min_layers, dry_run, parallelism,"
                                + " groups_per_commit, least_layers], found an argument 'tabel'.");
        assertThat(failure("flatten_blob_layers", "table => 'calls'"))
                .contains(
                        "Argument table must name a table of this catalog as 'database.table',"
                                + " found 'calls'.");
        assertThat(failure("flatten_blob_layers", "table => '%1$s.none'"))
                .contains("Catalog paimon has no table " + database + ".none.");
        assertThat(failure("flatten_blob_layers", "table => '%1$s.calls', parallelism => 0"))
                .contains("Argument parallelism must be positive, found 0.");
        assertThat(failure("update_blobs", "table => '%1$s.calls'"))
                .contains("Argument source must be a query, found 'null'.");
    }

    private List<List<Object>> call(String procedure, String arguments) throws Exception {
        return spark.sql(statement(procedure, arguments));
    }

    private String failure(String procedure, String arguments) throws Exception {
        return spark.failure(SparkRequest.sql(statement(procedure, arguments)));
    }

    private String statement(String procedure, String arguments) {
        return "CALL paimon.sys." + procedure + "(" + String.format(arguments, database) + ")";
    }

    private void assertFails(String source, String message) throws Exception {
        assertThat(failure("update_blobs", "table => '%1$s.wrong', source => \"" + source + "\""))
                .contains(String.format(message, Integer.parseInt(database.split("_")[1])));
    }

    private void assertBothRead(String name, Album album) throws Exception {
        assertThat(Album.texts(spark.sql("SELECT * FROM paimon." + database + "." + name)))
                .as("Spark")
                .containsExactlyInAnyOrderElementsOf(album.rows());
        assertThat(Album.texts(SPARK.reader().read(ReadRequest.all(database + "." + name))))
                .as("Paimon 2.0")
                .containsExactlyInAnyOrderElementsOf(album.rows());
    }

    private long snapshots(String name) throws Exception {
        return SPARK.writer().latestSnapshot(database + "." + name);
    }

    private List<Path> files(String name) throws Exception {
        Path bucket = SPARK.warehouse().resolve(database + ".db").resolve(name).resolve("bucket-0");
        try (Stream<Path> files = Files.list(bucket)) {
            return files.sorted().toList();
        }
    }

    private static byte[] raw(String text) {
        return text.getBytes(UTF_8);
    }
}
