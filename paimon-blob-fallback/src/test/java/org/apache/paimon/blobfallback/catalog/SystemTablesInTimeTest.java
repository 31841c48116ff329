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

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.blobfallback.testtable.TableRows;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.options.Options;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * R21: system tables at another time, with the cache of tables on and off.
 *
 * <p>Two rows and a layer, then a column is added in front, one is dropped, one is renamed and one
 * has got another type. No commit comes after that.
 */
class SystemTablesInTimeTest {

    private static final Identifier T = Identifier.create("db", "t");

    private static final SchemaChange[] CHANGES = {
        SchemaChange.addColumn("extra", DataTypes.STRING(), null, SchemaChange.Move.first("extra")),
        SchemaChange.dropColumn("gone"),
        SchemaChange.renameColumn("id", "key"),
        SchemaChange.updateColumnType("n", DataTypes.BIGINT())
    };

    @TempDir java.nio.file.Path warehouse;

    private LayeredTable table;
    private Catalog catalog;

    @BeforeEach
    void write() throws Exception {
        open("false");
        catalog.createDatabase("db", true);
        Schema.Builder columns =
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("pic", DataTypes.BLOB())
                        .column("gone", DataTypes.STRING())
                        .column("n", DataTypes.INT());
        catalog.createTable(T, LayeredTable.options(columns).build(), false);
        table =
                LayeredTable.at(
                        LocalFileIO.create(), ((FileStoreTable) catalog.getTable(T)).location());
        table.append(table.stock().rowType(), List.of(row(0), row(1)));
        table.layer("pic").file(0, PLACEHOLDER, "new").commit();
        table.stock().createTag("before");
        table.alter(CHANGES);
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    /** What Flink does with a hint, and with the options of a job. */
    @ParameterizedTest
    @CsvSource({
        "scan.snapshot-id, 2, true",
        "scan.snapshot-id, 2, false",
        "scan.tag-name, before, true",
        "scan.version, before, false",
        "scan.version, 2, true"
    })
    void aRowTypeThatWasAskedForIsKept(String option, String value, boolean cached)
            throws Exception {
        open("" + cached);
        for (String name : List.of("row_tracking", "ro", "audit_log")) {
            Table now = catalog.getTable(new Identifier("db", "t$" + name));
            RowType planned = now.rowType();
            Table then = now.copy(Map.of(option, value)).copy(Map.of());

            assertThat(then.rowType()).as(name).isEqualTo(planned);
            assertThat(TableRows.of(then).columns("extra", "key", "pic", "n").rows())
                    .as(name)
                    .containsExactly(
                            Arrays.asList(null, 0, "old0", 10L),
                            Arrays.asList(null, 1, "new", 11L));
        }
        Table ids = catalog.getTable(new Identifier("db", "t$row_tracking"));
        ids.rowType();
        assertThat(TableRows.of(ids.copy(Map.of(option, value))).columns("_ROW_ID", "key").rows())
                .containsExactly(List.of(0L, 0), List.of(1L, 1));
    }

    /** What Flink does for FOR SYSTEM_TIME AS OF. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRowTypeThatWasNotAskedForIsThatOfThePointInTime(boolean cached) throws Exception {
        open("" + cached);
        for (String name : List.of("row_tracking", "ro", "audit_log")) {
            Table then =
                    catalog.getTable(new Identifier("db", "t$" + name))
                            .copy(Map.of("scan.snapshot-id", "2"));
            RowType planned = then.rowType();
            Table again = then.copy(Map.of());

            assertThat(again.rowType()).as(name).isEqualTo(planned);
            assertThat(TableRows.of(again).columns("id", "pic", "gone", "n").rows())
                    .as(name)
                    .containsExactly(
                            List.of(0, "old0", "gone0", 10), List.of(1, "new", "gone1", 11));
        }
    }

    @Test
    void aPairOfBranchesKeepsItsRowTypeToo() throws Exception {
        table.stock().createBranch("other", "before");
        new SchemaManager(LocalFileIO.create(), table.path(), "other").commitChanges(CHANGES);
        table.alter(SchemaChange.setOption("scan.fallback-branch", "other"));
        Table now = catalog.getTable(new Identifier("db", "t$row_tracking"));
        RowType planned = now.rowType();
        Table then = now.copy(Map.of("scan.snapshot-id", "2")).copy(Map.of());

        assertThat(then.rowType()).isEqualTo(planned);
        assertThat(TableRows.of(then).columns("_ROW_ID", "key", "pic").rows())
                .containsExactly(List.of(0L, 0, "old0"), List.of(1L, 1, "new"));
    }

    @Test
    void aTableThatHasLostItsBlobColumnReadsAtATag() throws Exception {
        table.alter(SchemaChange.dropColumn("pic"));
        open("true");

        assertThat(
                        TableRows.of(catalog.getTable(T).copy(Map.of("scan.tag-name", "before")))
                                .columns("id", "pic")
                                .rows())
                .containsExactly(List.of(0, "old0"), List.of(1, "new"));
    }

    private void open(String cached) throws Exception {
        if (catalog != null) {
            catalog.close();
        }
        Map<String, String> options = new HashMap<>();
        options.put("metastore", "blob-fallback");
        options.put("blob-fallback.enabled", "true");
        options.put("cache-enabled", cached);
        options.put("warehouse", warehouse.toUri().toString());
        catalog = CatalogFactory.createCatalog(CatalogContext.create(Options.fromMap(options)));
    }

    private static GenericRow row(int id) {
        return GenericRow.of(
                id, LayeredTable.blob("old" + id), LayeredTable.string("gone" + id), 10 + id);
    }
}
