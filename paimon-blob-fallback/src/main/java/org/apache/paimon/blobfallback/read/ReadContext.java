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

package org.apache.paimon.blobfallback.read;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.format.io.BlobReadMetrics;
import org.apache.paimon.blobfallback.format.io.BlobReadOptions;
import org.apache.paimon.blobfallback.layers.FileColumns;
import org.apache.paimon.blobfallback.read.view.ViewCatalog;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.utils.FileStorePathFactory;

/** The properties of a table that a read needs. */
public final class ReadContext {

    /** Paimon 2.0's option that names the columns that point to blobs of other tables. */
    static final String BLOB_VIEW_FIELD = "blob-view-field";

    /** Paimon 2.0's option whether a read resolves them. */
    static final String BLOB_VIEW_RESOLVE = "blob-view.resolve.enabled";

    private final String tableName;
    private final FileIO fileIO;
    private final TableSchema schema;
    private final CoreOptions options;
    private final BlobReadOptions blobOptions;
    private final BlobReadMetrics metrics = new BlobReadMetrics();
    private final FileStorePathFactory pathFactory;
    private final ViewCatalog viewCatalog;
    private final Set<String> viewColumns = new HashSet<>();
    private final FileColumns fileColumns;

    /**
     * @param tableName for messages
     * @param fileIO opens the table's files
     * @param schemaManager knows the schemas that files were written with
     * @param schema the table is read with
     * @param options of the table
     * @param blobOptions how to read blob files
     * @param pathFactory has the paths of the table's files
     * @param viewCatalog that the table's blob views point into
     */
    public ReadContext(
            String tableName,
            FileIO fileIO,
            SchemaManager schemaManager,
            TableSchema schema,
            CoreOptions options,
            BlobReadOptions blobOptions,
            FileStorePathFactory pathFactory,
            ViewCatalog viewCatalog) {
        this.tableName = tableName;
        this.fileIO = fileIO;
        this.schema = schema;
        this.options = options;
        this.blobOptions = blobOptions;
        this.pathFactory = pathFactory;
        this.viewCatalog = viewCatalog;
        String views = schema.options().get(BLOB_VIEW_FIELD);
        if (views != null) {
            Arrays.stream(views.split(",")).map(String::trim).forEach(viewColumns::add);
        }
        this.fileColumns = new FileColumns(tableName, schemaManager, schema);
    }

    /** The table's name, for messages. */
    public String tableName() {
        return tableName;
    }

    /** Opens the table's files. */
    public FileIO fileIO() {
        return fileIO;
    }

    /** The schema that the table is read with. */
    public TableSchema schema() {
        return schema;
    }

    /** The table's options. */
    public CoreOptions options() {
        return options;
    }

    /** How to read blob files. */
    public BlobReadOptions blobOptions() {
        return blobOptions;
    }

    /** The cost of the read so far. */
    public BlobReadMetrics metrics() {
        return metrics;
    }

    /** The paths of the table's files. */
    public FileStorePathFactory pathFactory() {
        return pathFactory;
    }

    /** The catalog that the table's blob views point into. */
    ViewCatalog viewCatalog() {
        return viewCatalog;
    }

    /** Whether a column holds blob views, by its name. */
    boolean isView(String column) {
        return viewColumns.contains(column);
    }

    /** Whether a read resolves blob views. */
    boolean resolvesViews() {
        return !"false".equalsIgnoreCase(schema.options().get(BLOB_VIEW_RESOLVE));
    }

    /** The columns that files hold. */
    FileColumns fileColumns() {
        return fileColumns;
    }
}
