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

package org.apache.paimon.blobfallback.tests.update;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.Blob;
import org.apache.paimon.options.Options;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** W7: an update finds the rows that its predicate selects, in a global index or not. */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
class IndexedUpdateTest {

    @TempDir private Path warehouse;

    @ParameterizedTest
    @ValueSource(strings = {"fast", "full"})
    void rowsAppendedAfterAGlobalIndexAreFound(String mode) throws Exception {
        Map<String, String> options =
                Map.of(
                        "warehouse", warehouse.toString(),
                        "metastore", "blob-fallback",
                        "cache-enabled", "false");
        try (PaimonRuntime runtime2 = Runtimes.paimon2();
                PaimonWriter writer2 = runtime2.find(PaimonWriter.class);
                Catalog plugin =
                        CatalogFactory.createCatalog(
                                CatalogContext.create(Options.fromMap(options)))) {
            writer2.open(warehouse.toString(), Map.of());
            writer2.createTable(
                    "db.t",
                    TableDefinition.of("id", "INT", "pic", "BLOB")
                            .with("scalar-index.search-mode", mode));
            append(writer2, 0);
            append(writer2, 1);
            writer2.indexGlobally("db.t", "id", "btree");
            append(writer2, 2);
            append(writer2, 3);

            FileStoreTable table = (FileStoreTable) plugin.getTable(Identifier.create("db", "t"));
            PredicateBuilder where = new PredicateBuilder(table.rowType());
            try (BlobUpdate update = BlobFallback.newUpdateBuilder(table).newUpdate()) {
                Blob value = Blob.fromData(new byte[] {1});
                assertThat(update.setWhere(where.equal(0, 2), "pic", value)).isEqualTo(1);
                assertThat(update.setWhere(where.greaterOrEqual(0, 1), "pic", value)).isEqualTo(3);
            }
        }
    }

    private static void append(PaimonWriter writer, int id) throws Exception {
        byte[] picture = ("p" + id).getBytes(StandardCharsets.UTF_8);
        writer.append("db.t", List.of(List.of(id, picture)));
    }
}
