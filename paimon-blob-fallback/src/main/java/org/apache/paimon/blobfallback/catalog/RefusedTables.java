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

import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.BlobFallbackOptions;
import org.apache.paimon.blobfallback.format.BlobColumns;
import org.apache.paimon.blobfallback.table.DeletionVectorTables;
import org.apache.paimon.catalog.AbstractCatalog;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.DelegateCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.factories.FactoryException;
import org.apache.paimon.fs.Path;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.CatalogEnvironment;
import org.apache.paimon.table.FileStoreTable;

/**
 * What becomes of tables that Paimon 1.4 refuses to load, as it validates the schema of each table
 * that it loads: those with deletion vectors and data evolution are loaded without the validation,
 * and where the reason is another feature of Paimon 2.0 the message names it.
 */
final class RefusedTables {

    private final AbstractCatalog catalog;
    private final CatalogContext context;

    private RefusedTables(AbstractCatalog catalog, CatalogContext context) {
        this.catalog = catalog;
        this.context = context;
    }

    /**
     * Loads a table as the catalog would, without the validation.
     *
     * @param catalog that has refused the table; one that keeps schemas in the table's folder
     * @param context of the catalog
     * @param refusal of the catalog
     * @throws RuntimeException the refusal, or one that names the feature that it is about
     */
    static FileStoreTable load(
            Catalog catalog,
            CatalogContext context,
            Identifier identifier,
            RuntimeException refusal) {
        Catalog root = DelegateCatalog.rootCatalog(catalog);
        if (!(root instanceof AbstractCatalog)) {
            throw refusal;
        }
        return new RefusedTables((AbstractCatalog) root, context).load(identifier, refusal);
    }

    private FileStoreTable load(Identifier identifier, RuntimeException refusal) {
        Path path =
                catalog.getTableLocation(
                        new Identifier(identifier.getDatabaseName(), identifier.getTableName()));
        TableSchema schema =
                catalog.tableSchemaInFileSystem(path, identifier.getBranchNameOrDefault())
                        .orElse(null);
        if (schema == null) {
            throw refusal;
        }
        if (!schema.primaryKeys().isEmpty() && hasBlobColumn(schema)) {
            throw new UnsupportedOperationException(
                    String.format(
                            "Table %s has a primary key and blob columns, which are managed blobs"
                                    + " of Paimon 2.0. Paimon 1.4 cannot read them, nor can '%s';"
                                    + " read the table with Paimon 2.0.",
                            identifier.getFullName(), BlobFallbackOptions.METASTORE_IDENTIFIER),
                    refusal);
        }
        if (refusal instanceof FactoryException) {
            throw new UnsupportedOperationException(
                    String.format(
                            "Table %s is written in the format '%s' ('%s'), which this Paimon does"
                                    + " not have. Paimon 2.0 has added 'row', 'mosaic' and 'vortex';"
                                    + " read the table with it.",
                            identifier.getFullName(),
                            new CoreOptions(schema.options()).fileFormatString(),
                            CoreOptions.FILE_FORMAT.key()),
                    refusal);
        }
        DeletionVectorTables tables = new DeletionVectorTables(catalog.fileIO(), path);
        if (!tables.areRefused(schema)) {
            throw refusal;
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
        return tables.create(schema, environment);
    }

    private static boolean hasBlobColumn(TableSchema schema) {
        return schema.fields().stream().anyMatch(field -> BlobColumns.isBlobColumn(field.type()));
    }
}
