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

package org.apache.paimon.blobfallback.table;

import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.read.view.ViewCatalog;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;

/**
 * The catalog that a table came from, opened again with the same options and so the same rights.
 */
final class TableViewCatalog implements ViewCatalog {

    private final String tableName;
    @Nullable private final CatalogContext context;

    TableViewCatalog(String tableName, @Nullable CatalogContext context) {
        this.tableName = tableName;
        this.context = context;
    }

    @Override
    public Catalog open() throws IOException {
        if (context == null) {
            throw new IOException(
                    "Table "
                            + tableName
                            + " was not opened by a catalog, which its blob views point into.");
        }
        return CatalogFactory.createCatalog(context, getClass().getClassLoader());
    }

    @Override
    public Table table(Catalog catalog, Identifier identifier)
            throws Catalog.TableNotExistException {
        Table table = catalog.getTable(identifier);
        return table instanceof FileStoreTable
                ? BlobFallbackTable.wrap((FileStoreTable) table, TableDefaults.NONE)
                : table;
    }
}
