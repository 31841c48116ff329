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

package org.apache.paimon.blobfallback.catalog;

import static org.apache.paimon.blobfallback.testtable.BlobLayer.PLACEHOLDER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.paimon.blobfallback.format.io.BlobReadOptions;
import org.apache.paimon.blobfallback.format.io.BlobReadTable;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.blobfallback.table.BlobFallbackTable;
import org.apache.paimon.blobfallback.testio.CapturedLog;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.blobfallback.testtable.TableRows;
import org.apache.paimon.catalog.CachingCatalog;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.CatalogLoader;
import org.apache.paimon.catalog.DelegateCatalog;
import org.apache.paimon.catalog.FileSystemCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.options.Options;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.FallbackReadFileStoreTable;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.utils.InstantiationUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The catalog as a user opens it, over the file system's. */
@SuppressWarnings("try") // The host's own closeables throw Exception.
class BlobFallbackCatalogTest {

    private static final Identifier T = Identifier.create("db", "t");
    private static final String ENABLED = "blob-fallback.enabled";

    @TempDir java.nio.file.Path warehouse;

    private final List<Catalog> opened = new ArrayList<>();

    @AfterEach
    void closeCatalogs() throws Exception {
        for (Catalog catalog : opened) {
            catalog.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tablesAreHandedOutWrapped(boolean cache) throws Exception {
        Catalog catalog = open(Map.of("cache-enabled", "" + cache, ENABLED, "true"));
        createWithLayers(catalog);

        assertThat(catalog.getTable(T)).isInstanceOf(BlobFallbackTable.class);
        assertThat(pics(catalog.getTable(T))).containsExactly("new", "pic1", null);
        assertThat(catalog.listTableDetails("db"))
                .singleElement()
                .isInstanceOf(BlobFallbackTable.class);
        assertThat(catalog.listTableDetailsPaged("db", null, null, null, null).getElements())
                .singleElement()
                .isInstanceOf(BlobFallbackTable.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void systemTablesThatReadRowsReadThroughThePlugin(boolean cache) throws Exception {
        Catalog catalog = open(Map.of("cache-enabled", "" + cache, ENABLED, "true"));
        createWithLayers(catalog);

        for (String system : List.of("ro", "row_tracking", "audit_log")) {
            Table table = catalog.getTable(new Identifier("db", "t$" + system));
            assertThat(pics(table)).as(system).containsExactly("new", "pic1", null);
        }
        assertThat(
                        TableRows.of(catalog.getTable(new Identifier("db", "t$row_tracking")))
                                .columns("_ROW_ID", "pic", "_SEQUENCE_NUMBER", "id")
                                .rows())
                .startsWith(List.of(0L, "new", 1L, 0));
        assertThat(
                        TableRows.of(catalog.getTable(new Identifier("db", "t$audit_log")))
                                .columns("rowkind", "pic")
                                .rows())
                .startsWith(List.of("+I", "new"));
        assertThat(binlogPics(catalog.getTable(new Identifier("db", "t$binlog"))))
                .containsExactly("new", "pic1", null);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void partitionsCountTheirRowsOnce(boolean cache) throws Exception {
        Catalog catalog = open(Map.of("cache-enabled", "" + cache, ENABLED, "true"));
        createWithLayers(catalog);

        assertThat(stock().listPartitions(T))
                .singleElement()
                .satisfies(partition -> assertThat(partition.recordCount()).isEqualTo(12));
        assertThat(catalog.listPartitions(T))
                .singleElement()
                .satisfies(
                        partition -> {
                            assertThat(partition.recordCount()).isEqualTo(3);
                            assertThat(partition.fileCount()).isEqualTo(4);
                        });
        assertThat(catalog.listPartitionsPaged(T, null, null, null).getElements())
                .singleElement()
                .satisfies(partition -> assertThat(partition.recordCount()).isEqualTo(3));
        assertThat(
                        TableRows.of(catalog.getTable(new Identifier("db", "t$partitions")))
                                .columns("record_count", "file_count")
                                .rows())
                .containsExactly(List.of(3L, 4L));
    }

    @Test
    void partitionsOfTwoBranchesCountTheirRowsOnce() throws Exception {
        Catalog catalog = open(Map.of(ENABLED, "true"));
        createWithLayers(catalog);
        FileStoreTable table = (FileStoreTable) catalog.getTable(T);
        table.createTag("start", 1);
        table.createBranch("other", "start");
        catalog.alterTable(T, SchemaChange.setOption("scan.fallback-branch", "other"), false);

        assertThat(catalog.getTable(T)).isInstanceOf(FallbackReadFileStoreTable.class);
        assertThat(
                        TableRows.of(catalog.getTable(new Identifier("db", "t$partitions")))
                                .columns("record_count", "file_count")
                                .rows())
                .containsExactly(List.of(3L, 4L));
    }

    @Test
    void partitionsOfATableThatHasSomeCountTheirOwnRows() throws Exception {
        Catalog catalog = open(Map.of(ENABLED, "true"));
        catalog.createDatabase("db", true);
        catalog.createTable(T, LayeredTable.schema().partitionKeys("id").build(), false);
        at(catalog).append(0, 1);

        assertThat(catalog.listPartitionsByNames(T, List.of(Map.of("id", "1"))))
                .singleElement()
                .satisfies(partition -> assertThat(partition.recordCount()).isEqualTo(1));
        assertThat(
                        TableRows.of(catalog.getTable(new Identifier("db", "t$partitions")))
                                .columns("partition", "record_count")
                                .rows())
                .containsExactly(List.of("id=0", 1L), List.of("id=1", 1L));
    }

    @Test
    void otherSystemTablesAreTheHosts() throws Exception {
        Catalog catalog = open(Map.of());
        createWithLayers(catalog);

        assertThat(TableRows.of(catalog.getTable(new Identifier("db", "t$snapshots"))).rows())
                .hasSize(2);
        assertThat(TableRows.of(catalog.getTable(new Identifier("db", "t$files"))).rows())
                .hasSize(4);
        assertThat(
                        TableRows.of(catalog.getTable(Identifier.create("sys", "catalog_options")))
                                .rows())
                .contains(List.of("metastore", "blob-fallback"));
        assertThatThrownBy(() -> catalog.getTable(new Identifier("db", "t$nope")))
                .isInstanceOf(Catalog.TableNotExistException.class);
        assertThatThrownBy(() -> catalog.getTable(new Identifier("db", "nope$files")))
                .isInstanceOf(Catalog.TableNotExistException.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void branchesAndTheirSystemTablesReadThroughThePlugin(boolean cache) throws Exception {
        Catalog catalog = open(Map.of("cache-enabled", "" + cache, ENABLED, "true"));
        createWithLayers(catalog);
        catalog.getTable(T).createTag("start", 2);
        catalog.getTable(T).createBranch("side", "start");
        at(catalog).layer("pic").file(1, "main only").commit();
        catalog.invalidateTable(T);

        assertThat(pics(catalog.getTable(T))).containsExactly("new", "main only", null);
        Table side = catalog.getTable(new Identifier("db", "t", "side"));
        assertThat(side).isInstanceOf(BlobFallbackTable.class);
        assertThat(pics(side)).containsExactly("new", "pic1", null);
        assertThat(pics(catalog.getTable(new Identifier("db", "t$branch_side"))))
                .containsExactly("new", "pic1", null);
        assertThat(pics(catalog.getTable(new Identifier("db", "t$branch_side$row_tracking"))))
                .containsExactly("new", "pic1", null);
    }

    @Test
    void aFallbackBranchReadsThroughThePlugin() throws Exception {
        Catalog catalog = open(Map.of(ENABLED, "true"));
        createWithLayers(catalog);
        catalog.getTable(T).createTag("start", 2);
        catalog.getTable(T).createBranch("other", "start");
        catalog.alterTable(T, SchemaChange.setOption("scan.fallback-branch", "other"), false);

        Table pair = catalog.getTable(T);
        assertThat(pair).isInstanceOf(FallbackReadFileStoreTable.class);
        assertThat(pics(pair)).containsExactly("new", "pic1", null);
    }

    /** Dynamic over table over catalog. */
    @Test
    void theStrongestOptionDecides() throws Exception {
        for (String catalogOption : new String[] {null, "false", "true"}) {
            for (String tableOption : new String[] {null, "false", "true"}) {
                for (String dynamicOption : new String[] {null, "false", "true"}) {
                    String expected = "false";
                    for (String o : new String[] {catalogOption, tableOption, dynamicOption}) {
                        expected = o == null ? expected : o;
                    }
                    Catalog catalog =
                            open(catalogOption == null ? Map.of() : Map.of(ENABLED, catalogOption));
                    Identifier name =
                            Identifier.create(
                                    "db", "t_" + catalogOption + tableOption + dynamicOption);
                    catalog.createDatabase("db", true);
                    Schema.Builder schema = LayeredTable.schema();
                    if (tableOption != null) {
                        schema.option(ENABLED, tableOption);
                    }
                    catalog.createTable(name, schema.build(), false);
                    Table table = catalog.getTable(name);
                    if (dynamicOption != null) {
                        table = table.copy(Map.of(ENABLED, dynamicOption));
                    }
                    assertThat(((BlobFallbackTable) table).isEnabled())
                            .as(name.getTableName())
                            .isEqualTo(Boolean.parseBoolean(expected));
                }
            }
        }
    }

    /** Dynamic over table over catalog, for each of the options, wherever the table goes. */
    @Test
    void theReadOptionsOfTheCatalogAreDefaultsOfItsTables() throws Exception {
        Map<String, String> ofCatalog =
                Map.of(
                        "blob-fallback.verify-checksum", "true",
                        "blob-fallback.read.coalesce-gap", "1 kb",
                        "blob-fallback.read.buffer-size", "2 kb",
                        "blob-fallback.read.parallelism", "3",
                        "blob-fallback.reader.index-cache.max-memory", "4 kb");
        Catalog catalog = open(ofCatalog);
        catalog.createDatabase("db", true);
        catalog.createTable(
                T,
                LayeredTable.schema()
                        .option("blob-fallback.read.buffer-size", "5 kb")
                        .option("blob-fallback.read.parallelism", "6")
                        .build(),
                false);
        at(catalog).append(0, 1);
        FileStoreTable table = (FileStoreTable) catalog.getTable(T);
        Map<String, String> dynamic = Map.of("blob-fallback.read.parallelism", "7");
        table.createTag("now", 1);
        table.createBranch("side", "now");

        for (FileStoreTable each :
                List.of(
                        table,
                        table.copyWithLatestSchema(),
                        table.switchToBranch("side"),
                        InstantiationUtil.clone(table, getClass().getClassLoader()),
                        (FileStoreTable) catalog.getTable(new Identifier("db", "t", "side")))) {
            assertThat(readOptions(each)).containsExactly(true, 1024, 5 * 1024, 6, 4096L);
            assertThat(readOptions(each.copy(dynamic)))
                    .containsExactly(true, 1024, 5 * 1024, 7, 4096L);
            assertThat(readOptions(each.copyWithoutTimeTravel(dynamic)))
                    .containsExactly(true, 1024, 5 * 1024, 7, 4096L);
        }
        assertThat(
                        readOptions(
                                table.copy(Map.of("blob-fallback.verify-checksum", "false"))
                                        .copy(dynamic)))
                .containsExactly(false, 1024, 5 * 1024, 7, 4096L);
        assertThat(BlobFallbackOptions.ofTables()).hasSize(ofCatalog.size() + 1);
    }

    private static List<Object> readOptions(FileStoreTable table) {
        BlobReadOptions options = ((BlobReadTable) table).blobReadOptions();
        return List.of(
                options.verifyChecksum(),
                options.coalesceGap(),
                options.bufferSize(),
                options.parallelism(),
                options.indexCacheBytes());
    }

    /** R13: the catalog's option is one that the read obeys. */
    @Test
    void aChecksumIsVerifiedBecauseTheCatalogSaysSo() throws Exception {
        Catalog checking = open(Map.of(ENABLED, "true", "blob-fallback.verify-checksum", "true"));
        createWithLayers(checking);
        flipAByteOf("new");

        assertThatThrownBy(() -> pics(checking.getTable(T)))
                .hasMessageContaining("CRC")
                .hasMessageContaining(".blob");
        assertThat(pics(open(Map.of(ENABLED, "true")).getTable(T)))
                .containsExactly("oew", "pic1", null);
    }

    private void flipAByteOf(String payload) throws IOException {
        try (Stream<java.nio.file.Path> files = Files.walk(warehouse)) {
            for (java.nio.file.Path file :
                    files.filter(path -> path.toString().endsWith(".blob")).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                String text = new String(bytes, StandardCharsets.ISO_8859_1);
                if (text.contains(payload)) {
                    bytes[text.indexOf(payload)] ^= 1;
                    Files.write(file, bytes);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "enabled | perhaps | 'perhaps' for key 'blob-fallback.enabled'",
                "verify-checksum | 1 | '1' for key 'blob-fallback.verify-checksum'",
                "read.parallelism | 0 | 'blob-fallback.read.parallelism' is 0, expected 1 to 32",
                "read.parallelism | 33 | 'blob-fallback.read.parallelism' is 33, expected 1 to 32",
                "read.parallelism | many | 'many' for key 'blob-fallback.read.parallelism'",
                "read.buffer-size | 0 b | 'blob-fallback.read.buffer-size' is 0 bytes, expected 1 to"
                        + " 2147483647",
                "read.buffer-size | 2 gb | 'blob-fallback.read.buffer-size' is 2147483648 bytes,"
                        + " expected 1 to 2147483647",
                "read.coalesce-gap | 2 gb | 'blob-fallback.read.coalesce-gap' is 2147483648 bytes,"
                        + " expected 0 to 2147483647",
                "read.coalesce-gap | wide | 'wide' for key 'blob-fallback.read.coalesce-gap'"
            })
    void aWrongValueIsNamedWithItsOptionAndRange(String name, String value, String problem)
            throws Exception {
        String key = "blob-fallback." + name;
        assertThatThrownBy(() -> open(Map.of(key, value)))
                .as("among the catalog's options")
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);

        Catalog catalog = open(Map.of());
        catalog.createDatabase("db", true);
        catalog.createTable(T, LayeredTable.schema().option(key, value).build(), false);
        assertThatThrownBy(() -> catalog.getTable(T).newReadBuilder().newRead())
                .as("among the table's options")
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Table db.t: ")
                .hasMessageContaining(problem);
        assertThat(catalog.getTable(T).options())
                .as("can still be mended")
                .containsEntry(key, value);
        catalog.alterTable(T, SchemaChange.removeOption(key), false);
        assertThat(pics(catalog.getTable(T))).isEmpty();
    }

    @Test
    void aMisspelledOptionIsAWarning() throws Exception {
        String log =
                CapturedLog.of(
                        "warn",
                        () -> {
                            Catalog catalog = open(Map.of("blob-fallback.metastor", "filesystem"));
                            createWithLayers(catalog);
                            Map<String, String> hint =
                                    Map.of(
                                            "blob-fallback.enabled",
                                            "true",
                                            "blob-fallback.verify-checksums",
                                            "1");
                            assertThat(pics(catalog.getTable(T).copy(hint)))
                                    .containsExactly("new", "pic1", null);
                        });

        assertThat(log.lines().map(line -> line.substring(line.indexOf(" - ") + 3)))
                .containsExactlyInAnyOrder(
                        "Of a catalog: the option 'blob-fallback.metastor' is not known there and"
                                + " does nothing. The nearest that is known is"
                                + " 'blob-fallback.metastore'.",
                        "Of table db.t at "
                                + at(open(Map.of())).path()
                                + ": the option 'blob-fallback.verify-checksums' is not known there"
                                + " and does nothing. The nearest that is known is"
                                + " 'blob-fallback.verify-checksum'.");
    }

    @Test
    void theCatalogTravelsByItsLoader() throws Exception {
        Catalog catalog = open(Map.of(ENABLED, "true", "case-sensitive", "true"));
        createWithLayers(catalog);
        CatalogLoader loader =
                InstantiationUtil.clone(catalog.catalogLoader(), getClass().getClassLoader());

        try (Catalog loaded = loader.load()) {
            assertThat(DelegateCatalog.rootCatalog(loaded)).isInstanceOf(FileSystemCatalog.class);
            assertThat(unwrapped(loaded)).isInstanceOf(BlobFallbackCatalog.class);
            assertThat(loaded.options()).isEqualTo(catalog.options());
            assertThat(pics(loaded.getTable(T))).containsExactly("new", "pic1", null);
        }
    }

    @Test
    void changesOfTablesAreDoneByTheDelegate() throws Exception {
        Catalog catalog = open(Map.of());
        Catalog stock = stock();
        createWithLayers(catalog);
        assertThat(stock.listTables("db")).containsExactly("t");

        catalog.alterTable(T, SchemaChange.addColumn("note", DataTypes.STRING()), false);
        assertThat(stock.getTable(T).rowType().getFieldNames()).contains("note");
        catalog.renameTable(T, Identifier.create("db", "u"), false);
        assertThat(stock.listTables("db")).containsExactly("u");
        Identifier u = Identifier.create("db", "u");
        catalog.dropTable(u, false);
        assertThat(stock.listTables("db")).isEmpty();
        catalog.createDatabase("other", false, Collections.emptyMap());
        assertThat(catalog.listDatabases()).containsExactlyInAnyOrder("db", "other");
        catalog.dropDatabase("other", false, true);
        assertThat(stock.listDatabases()).containsExactly("db");
    }

    @Test
    void tablesWithNothingToDoAreTheHostsOwn() throws Exception {
        Catalog catalog = open(Map.of("cache-enabled", "false"));
        catalog.createDatabase("db", true);
        catalog.createTable(
                T,
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .primaryKey("id")
                        .option("bucket", "1")
                        .build(),
                false);
        assertThat(catalog.getTable(T).getClass()).isEqualTo(stock().getTable(T).getClass());
    }

    @Test
    void aCatalogBeforeItselfIsRefused() {
        assertThatThrownBy(() -> open(Map.of("blob-fallback.metastore", "blob-fallback")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'blob-fallback.metastore'")
                .hasMessageContaining("for example 'filesystem', found 'blob-fallback'");
    }

    @Test
    void aMetastoreThatDoesNotExistIsNamed() {
        assertThatThrownBy(() -> open(Map.of("blob-fallback.metastore", "no-such")))
                .hasStackTraceContaining("no-such");
    }

    private Catalog open(Map<String, String> more) {
        Map<String, String> options = new HashMap<>(more);
        options.put("metastore", "blob-fallback");
        options.put("warehouse", warehouse.toUri().toString());
        Catalog catalog =
                CatalogFactory.createCatalog(CatalogContext.create(Options.fromMap(options)));
        opened.add(catalog);
        return catalog;
    }

    private Catalog stock() {
        Catalog catalog =
                CatalogFactory.createCatalog(
                        CatalogContext.create(
                                Options.fromMap(
                                        Map.of(
                                                "warehouse",
                                                warehouse.toUri().toString(),
                                                "cache-enabled",
                                                "false"))));
        opened.add(catalog);
        return catalog;
    }

    private static Catalog unwrapped(Catalog catalog) {
        return catalog instanceof CachingCatalog caching ? caching.wrapped() : catalog;
    }

    private static void createWithLayers(Catalog catalog) throws Exception {
        catalog.createDatabase("db", true);
        catalog.createTable(T, LayeredTable.schema().build(), false);
        at(catalog).append(0, 2).layer("pic").file(0, "new", PLACEHOLDER, null).commit();
    }

    private static LayeredTable at(Catalog catalog) throws Exception {
        return LayeredTable.at(
                LocalFileIO.create(), ((FileStoreTable) catalog.getTable(T)).location());
    }

    private static List<Object> pics(Table table) throws Exception {
        return TableRows.of(table).columns("pic").values();
    }

    private static List<String> binlogPics(Table table) throws Exception {
        List<String> pics = new ArrayList<>();
        ReadBuilder builder = table.newReadBuilder();
        int position = table.rowType().getFieldIndex("pic");
        try (RecordReader<InternalRow> reader =
                builder.newRead().createReader(builder.newScan().plan())) {
            reader.forEachRemaining(
                    row -> {
                        InternalArray versions = row.getArray(position);
                        assertThat(versions.size()).isEqualTo(1);
                        pics.add(
                                versions.isNullAt(0)
                                        ? null
                                        : new String(versions.getBlob(0).toData()));
                    });
        }
        return pics;
    }
}
