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

import java.io.IOException;
import java.util.Collections;
import java.util.Set;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.format.column.BlobColumns;
import org.apache.paimon.blobfallback.host.CatalogEnvironments;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.blobfallback.table.DeletionVectorTables;
import org.apache.paimon.catalog.AbstractCatalog;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.DelegateCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.factories.FactoryException;
import org.apache.paimon.fs.Path;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.table.CatalogEnvironment;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataTypeJsonParser;
import org.apache.paimon.utils.JsonSerdeUtil;

/**
 * Loads tables that Paimon 1.4 refuses because it validates the schema of each table that it loads.
 * Tables with deletion vectors and data evolution are loaded without the validation; where the
 * reason is another feature of Paimon 2.0, the message names it.
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
     * @param catalog the one that has refused the table; it keeps schemas in the table's folder
     * @param context of the catalog
     * @param refusal of the catalog
     * @throws RuntimeException the refusal, or an exception that names the feature behind it
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
        TableSchema schema;
        try {
            schema =
                    catalog.tableSchemaInFileSystem(path, identifier.getBranchNameOrDefault())
                            .orElse(null);
        } catch (RuntimeException e) {
            checkTypes(identifier, path, refusal);
            throw refusal;
        }
        if (schema == null) {
            throw refusal;
        }
        if (!schema.primaryKeys().isEmpty() && hasBlobColumn(schema)) {
            throw new UnsupportedOperationException(
                    String.format(
                            hasManagedBlobs(schema)
                                    ? "Table %s has a primary key and blob columns, which are"
                                            + " managed blobs of Paimon 2.0. Paimon 1.4 cannot read"
                                            + " them, nor can '%s'; read the table with Paimon 2.0."
                                    : "Table %s has a primary key, and all its blob columns are kept"
                                            + " as descriptors in its rows. Paimon 1.4 allows BLOB"
                                            + " columns only without a primary key, and '%s' does"
                                            + " not change that; read the table with Paimon 2.0.",
                            identifier.getFullName(),
                            BlobFallbackOptions.METASTORE_IDENTIFIER),
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
        CatalogEnvironment environment = CatalogEnvironments.of(catalog, identifier, context);
        return tables.create(schema, environment);
    }

    private static boolean hasBlobColumn(TableSchema schema) {
        return schema.fields().stream().anyMatch(field -> BlobColumns.isBlobColumn(field.type()));
    }

    /** Whether blobs of the table are in files of their own. */
    private static boolean hasManagedBlobs(TableSchema schema) {
        Set<String> inline = new CoreOptions(schema.options()).blobDescriptorField();
        return schema.fields().stream()
                .anyMatch(
                        field ->
                                BlobColumns.isBlobColumn(field.type())
                                        && !inline.contains(field.name()));
    }

    /**
     * Names the first column whose type the host cannot even parse.
     *
     * @throws UnsupportedOperationException if there is one
     */
    private void checkTypes(Identifier identifier, Path path, RuntimeException refusal) {
        SchemaManager schemas =
                new SchemaManager(catalog.fileIO(), path, identifier.getBranchNameOrDefault());
        JsonNode fields;
        try {
            long latest = Collections.max(schemas.listAllIds());
            fields =
                    JsonSerdeUtil.OBJECT_MAPPER_INSTANCE
                            .readTree(catalog.fileIO().readFileUtf8(schemas.toSchemaPath(latest)))
                            .get("fields");
        } catch (IOException | RuntimeException e) {
            refusal.addSuppressed(e);
            return;
        }
        for (JsonNode field : fields) {
            try {
                DataTypeJsonParser.parseDataField(field);
            } catch (RuntimeException e) {
                throw new UnsupportedOperationException(
                        String.format(
                                "Column %s of table %s is a %s, a type that this Paimon does not"
                                        + " have. Read the table with a Paimon that has it.",
                                field.path("name").asText(),
                                identifier.getFullName(),
                                field.path("type").isTextual()
                                        ? field.path("type").asText()
                                        : field.path("type").toString()),
                        refusal);
            }
        }
    }
}
