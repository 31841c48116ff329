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

import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.catalog.AbstractCatalog;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.DelegateCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.fs.Path;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.AppendOnlyFileStoreTable;
import org.apache.paimon.table.CatalogEnvironment;
import org.apache.paimon.table.FileStoreTable;

/**
 * Loads tables that have deletion vectors and data evolution, which Paimon 1.4 refuses to load at
 * all: it validates the schema of each table it loads.
 */
final class DeletionVectorTables {

    private final AbstractCatalog catalog;
    private final CatalogContext context;

    private DeletionVectorTables(AbstractCatalog catalog, CatalogContext context) {
        this.catalog = catalog;
        this.context = context;
    }

    /**
     * Loads a table as the catalog would, without the validation.
     *
     * @param catalog that has refused the table; one that keeps schemas in the table's folder
     * @param context of the catalog
     * @return empty if this is not such a table, so that the refusal has another reason
     */
    static Optional<FileStoreTable> load(
            Catalog catalog, CatalogContext context, Identifier identifier) {
        Catalog root = DelegateCatalog.rootCatalog(catalog);
        if (!(root instanceof AbstractCatalog)) {
            return Optional.empty();
        }
        return new DeletionVectorTables((AbstractCatalog) root, context).load(identifier);
    }

    private Optional<FileStoreTable> load(Identifier identifier) {
        Path path =
                catalog.getTableLocation(
                        new Identifier(identifier.getDatabaseName(), identifier.getTableName()));
        TableSchema schema =
                catalog.tableSchemaInFileSystem(path, identifier.getBranchNameOrDefault())
                        .orElse(null);
        if (!hasBoth(schema)) {
            return Optional.empty();
        }
        CatalogEnvironment environment =
                new CatalogEnvironment(
                        identifier,
                        null,
                        catalog.catalogLoader(),
                        catalog.lockFactory().orElse(null),
                        catalog.lockContext().orElse(null),
                        context,
                        catalog.supportsVersionManagement(),
                        catalog.supportsPartitionModification());
        return Optional.of(
                new AppendOnlyFileStoreTable(catalog.fileIO(), path, schema, environment));
    }

    private static boolean hasBoth(@Nullable TableSchema schema) {
        if (schema == null || !schema.primaryKeys().isEmpty()) {
            return false;
        }
        CoreOptions options = new CoreOptions(schema.options());
        return options.dataEvolutionEnabled() && options.deletionVectorsEnabled();
    }
}
