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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.paimon.blobfallback.inspect.BlobLayersTable;
import org.apache.paimon.catalog.CachingCatalog;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.system.FilesTable;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.utils.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The system table {@code $blob_layers} in the plugin's catalog, with the cache on and off. */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
class BlobLayersInCatalogTest {

    @TempDir private Path warehouse;

    private CatalogContext context(String cacheEnabled) {
        Map<String, String> options = new HashMap<>();
        options.put("warehouse", warehouse.toUri().toString());
        options.put("metastore", "blob-fallback");
        if (cacheEnabled != null) {
            options.put("cache-enabled", cacheEnabled);
        }
        return CatalogContext.create(Options.fromMap(options));
    }

    private static Catalog open(CatalogContext context) throws Exception {
        Catalog catalog = CatalogFactory.createCatalog(context);
        catalog.createDatabase("db", true);
        catalog.createTable(
                Identifier.create("db", "t"),
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("b", DataTypes.BLOB())
                        .option("bucket", "-1")
                        .option("row-tracking.enabled", "true")
                        .option("data-evolution.enabled", "true")
                        .build(),
                true);
        return catalog;
    }

    private static Table table(Catalog catalog, String name) throws Exception {
        return catalog.getTable(Identifier.create("db", name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void tableIsFoundWithTheCacheOnAndOff(String cacheEnabled) throws Exception {
        try (Catalog catalog = open(context(cacheEnabled))) {
            ((FileStoreTable) table(catalog, "t")).createBranch("side");

            assertThat(table(catalog, "t$blob_layers")).isInstanceOf(BlobLayersTable.class);
            assertThat(table(catalog, "t$BLOB_LAYERS").name()).isEqualTo("t$blob_layers");
            assertThat(table(catalog, "t$branch_side$blob_layers"))
                    .isInstanceOf(BlobLayersTable.class);
            assertThat(table(catalog, "t$files")).isInstanceOf(FilesTable.class);
            for (String absent : new String[] {"t$nothing", "absent$blob_layers"}) {
                assertThatThrownBy(() -> table(catalog, absent))
                        .isInstanceOf(Catalog.TableNotExistException.class);
            }
        }
    }

    @Test
    void tablesAreCachedUnlessTheUserSaysOtherwise() throws Exception {
        try (Catalog cached = open(context(null));
                Catalog uncached = open(context("false"))) {
            assertThat(cached).isInstanceOf(CachingCatalog.class);
            assertThat(table(cached, "t")).isSameAs(table(cached, "t"));
            assertThat(uncached).isInstanceOf(BlobFallbackCatalog.class);
            assertThat(table(uncached, "t")).isNotSameAs(table(uncached, "t"));
        }
    }

    @Test
    void catalogsOfOneContextAreAlike() throws Exception {
        CatalogContext context = context(null);
        open(context).close();

        try (Catalog second = open(context)) {
            assertThat(second).isInstanceOf(CachingCatalog.class);
            assertThat(table(second, "t$blob_layers")).isInstanceOf(BlobLayersTable.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void catalogThatIsMadeAgainInAnotherJvmKnowsTheTableToo(String cacheEnabled) throws Exception {
        try (Catalog catalog = open(context(cacheEnabled));
                Catalog again = InstantiationUtil.clone(catalog.catalogLoader()).load()) {
            assertThat(again).hasSameClassAs(catalog);
            assertThat(table(again, "t$blob_layers")).isInstanceOf(BlobLayersTable.class);
        }
    }
}
