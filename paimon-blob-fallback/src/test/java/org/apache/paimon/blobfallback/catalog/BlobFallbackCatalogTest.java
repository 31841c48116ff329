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

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.table.BlobFallbackTable;
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

    @Test
    void otherSystemTablesAreTheHosts() throws Exception {
        Catalog catalog = open(Map.of());
        createWithLayers(catalog);

        assertThat(TableRows.of(catalog.getTable(new Identifier("db", "t$snapshots"))).rows())
                .hasSize(2);
        assertThat(TableRows.of(catalog.getTable(new Identifier("db", "t$files"))).rows())
                .hasSize(4);
        assertThat(catalog.getTable(Identifier.create("sys", "catalog_options"))).isNotNull();
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
    void whatIsDoneToTablesIsDoneByTheCatalogBehind() throws Exception {
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
                .hasMessageContaining("such as 'filesystem'");
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
