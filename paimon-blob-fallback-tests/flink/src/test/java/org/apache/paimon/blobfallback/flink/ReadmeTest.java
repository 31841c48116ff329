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

import java.io.ByteArrayOutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.data.InternalRow;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What README.md tells a user to type is right. */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
class ReadmeTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    @TempDir Path folder;

    private Readme readme;
    private Path warehouse;
    private Album album;
    private FlinkCluster.Session session;

    @BeforeEach
    void writeTheUsersTable() throws Exception {
        readme = Readme.read();
        warehouse = folder.resolve("warehouse");
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            album = Album.layered(writer, "my_db.my_table");
        }
        session = FLINK.batch();
    }

    @Test
    void aHintReads() throws Exception {
        run("flink-catalog");
        assertReads(run("flink-hint"));
    }

    @Test
    void theTableOptionReadsAndTheCheckFails() throws Exception {
        run("flink-catalog");
        assertReads(run("flink-table-option"));
        assertThatThrownBy(() -> run("flink-check"))
                .rootCause()
                .hasMessageContaining("blob-fallback.enabled")
                .hasMessageContaining(".blob");
    }

    @Test
    void theCatalogOptionReads() throws Exception {
        assertReads(run("flink-all-tables"));
    }

    @Test
    void aLineOfSqlTellsWhatToFlatten() throws Exception {
        run("flink-catalog");

        assertThat(run("flink-layers"))
                .extracting(row -> row.getField("column_name"))
                .containsExactlyInAnyOrder("front", "back");
    }

    @Test
    void theCallFlattens() throws Exception {
        run("flink-catalog");

        assertThat(run("flink-flatten"))
                .singleElement()
                .extracting(row -> row.getField(0))
                .isEqualTo(3L);
        assertThat(run("flink-layers")).as("what is left to flatten").isEmpty();

        Judges.assertStockHostReads(warehouse, "my_db.my_table", album.rows());
    }

    @Test
    void theCallsUpdate() throws Exception {
        run("flink-catalog");
        run("flink-table-option");

        assertThat(run("flink-update"))
                .singleElement()
                .extracting(row -> row.getField(0))
                .isEqualTo(2L);

        Map<Long, String> nulls = new HashMap<>();
        nulls.put(0L, null);
        nulls.put(1L, null);
        album.updatedByOthers("front", Map.of(7L, "back-7")).updatedByOthers("back", nulls);
        Judges.assertPaimon2Reads(PAIMON2, warehouse, "my_db.my_table", album.rows());
    }

    @Test
    void theJavaServiceReads() throws Exception {
        assertReads(runJava(readme.block("java")));
    }

    @Test
    void theJavaServiceUpdatesAndFlattens() throws Exception {
        Path picture = folder.resolve("picture.png");
        Files.writeString(picture, "picture");
        String table =
                "Table table = catalog.getTable(Identifier.create(\"my_db\", \"my_table\"));\n";

        runJava(
                table
                        + readme.block("java-update")
                                .replace("/path/to/picture.png", picture.toString()));

        Map<Long, String> noBack = new HashMap<>();
        noBack.put(2L, null);
        album.updatedByOthers("front", Map.of(7L, "picture", 5L, "\u0001\u0002\u0003"))
                .updatedByOthers("back", noBack);
        Judges.assertPaimon2Reads(PAIMON2, warehouse, "my_db.my_table", album.rows());

        runJava(table + readme.block("java-flatten"));

        Judges.assertStockHostReads(warehouse, "my_db.my_table", album.rows());
    }

    @Test
    void theJavaServiceReadsSingleRows() throws Exception {
        String table =
                "Table table = catalog.getTable(Identifier.create(\"my_db\", \"my_table\"));\n";
        Object[] fronts = new Object[2];
        for (Row row : album.rows()) {
            if (row.getField(0).equals(7)) {
                fronts[0] = row.getField(1);
            } else if (row.getField(0).equals(2)) {
                fronts[1] = row.getField(1);
            }
        }

        assertThat(shownBy(table + readme.block("java-reader")))
                .isEqualTo(shown(7, fronts[0], 2, fronts[1]));
        Readme page = Readme.read("docs/single-rows.md");
        assertThat(page.names("java")).containsExactly("java-single-rows", "java-parts");
        assertThat(shownBy(page.block("java-single-rows")))
                .isEqualTo(shown(7, fronts[0], 2, fronts[1], 7, fronts[0]));
        byte[] front = (byte[]) fronts[0];
        assertThat(shownBy(page.block("java-parts")))
                .isEqualTo(shown(7, Arrays.copyOf(front, 3), 7, front));
    }

    /** Runs code on the user's catalog and returns the blobs that it shows. */
    private List<String> shownBy(String body) throws Exception {
        List<String> shown = new ArrayList<>();
        try (Catalog catalog = createCatalog()) {
            runJava(
                    body,
                    catalog,
                    row -> shown.add(row.getLong(0) + ": " + Arrays.toString(row.getBinary(1))));
        }
        return shown;
    }

    /** Row ids and blobs in turn; nulls are not shown. */
    private static List<String> shown(Object... rows) {
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < rows.length; i += 2) {
            if (rows[i + 1] != null) {
                shown.add(rows[i] + ": " + Arrays.toString((byte[]) rows[i + 1]));
            }
        }
        return shown;
    }

    /** Each block that is marked as tested is one of the above. */
    @Test
    void noBlockIsLeftOut() {
        assertThat(readme.names("sql"))
                .containsExactly(
                        "flink-catalog",
                        "flink-table-option",
                        "flink-hint",
                        "flink-all-tables",
                        "flink-check",
                        "flink-layers",
                        "flink-flatten",
                        "flink-update");
        assertThat(readme.names("java"))
                .containsExactly("java", "java-flatten", "java-reader", "java-update");
        for (String language : List.of("sql", "java")) {
            assertThat(readme.text().lines().filter(line -> line.strip().equals("```" + language)))
                    .hasSameSizeAs(readme.names(language));
        }
    }

    /** Runs the statements of a block and returns the rows of the last. */
    private List<Row> run(String block) throws Exception {
        List<Row> rows = List.of();
        for (String statement : readme.statements(block, warehouse)) {
            rows = session.sql(statement);
        }
        return rows;
    }

    private void assertReads(List<Row> rows) {
        assertThat(rows).containsExactlyInAnyOrderElementsOf(album.rows());
    }

    private static Row copy(InternalRow row) {
        return Row.of(row.getInt(0), blob(row, 1), row.getString(2).toString(), blob(row, 3));
    }

    private static byte[] blob(InternalRow row, int position) {
        return row.isNullAt(position) ? null : row.getBlob(position).toData();
    }

    /** Runs code on the user's catalog and returns the rows that it uses. */
    private List<Row> runJava(String body) throws Exception {
        List<Row> rows = new ArrayList<>();
        try (Catalog catalog = createCatalog()) {
            runJava(body, catalog, row -> rows.add(copy(row)));
        }
        return rows;
    }

    private Catalog createCatalog() {
        return CatalogFactory.createCatalog(
                CatalogContext.create(new org.apache.paimon.fs.Path(warehouse.toString())));
    }

    /** Runs code as the body of a method, with the imports that an IDE would add. */
    private void runJava(String body, Catalog catalog, Consumer<InternalRow> consumer)
            throws Exception {
        Path home = Files.createTempDirectory(folder, "java");
        Path classes = Files.createDirectories(home.resolve("classes"));
        Path source = Files.createDirectories(home.resolve("source")).resolve("Service.java");
        Files.writeString(
                source,
                """
                import java.io.InputStream;
                import java.util.Collections;
                import java.util.function.Consumer;
                import org.apache.paimon.blobfallback.BlobFallback;
                import org.apache.paimon.blobfallback.serve.BlobReader;
                import org.apache.paimon.blobfallback.serve.BlobRow;
                import org.apache.paimon.blobfallback.update.BlobFlatten;
                import org.apache.paimon.blobfallback.update.BlobUpdate;
                import org.apache.paimon.catalog.Catalog;
                import org.apache.paimon.catalog.Identifier;
                import org.apache.paimon.data.Blob;
                import org.apache.paimon.data.GenericRow;
                import org.apache.paimon.data.InternalRow;
                import org.apache.paimon.predicate.PredicateBuilder;
                import org.apache.paimon.reader.RecordReader;
                import org.apache.paimon.table.Table;
                import org.apache.paimon.table.source.ReadBuilder;
                import org.apache.paimon.utils.IOUtils;

                public class Service {
                    private static Consumer<InternalRow> consumer;

                    private static void use(InternalRow row) {
                        consumer.accept(row);
                    }

                    private static void show(long rowId, byte[] blob) {
                        consumer.accept(GenericRow.of(rowId, blob));
                    }

                    public static void run(Catalog catalog, Consumer<InternalRow> rows)
                            throws Exception {
                        consumer = rows;
                        %s
                    }
                }
                """
                        .formatted(body));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        int status =
                compiler.run(
                        null,
                        messages,
                        messages,
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        classes.toString(),
                        source.toString());
        assertThat(status).as(messages.toString(StandardCharsets.UTF_8)).isZero();
        try (URLClassLoader loader =
                new URLClassLoader(
                        new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            loader.loadClass("Service")
                    .getMethod("run", Catalog.class, Consumer.class)
                    .invoke(null, catalog, consumer);
        }
    }
}
