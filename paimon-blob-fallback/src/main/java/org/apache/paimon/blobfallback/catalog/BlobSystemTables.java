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

import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.inspect.BlobLayersTable;
import org.apache.paimon.blobfallback.table.BlobFallbackTable;
import org.apache.paimon.catalog.CatalogLoader;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.system.PartitionsTable;
import org.apache.paimon.table.system.SystemTableLoader;

/** The system tables of the plugin's catalog: its own, and the host's on wrapped tables. */
final class BlobSystemTables {

    private BlobSystemTables() {}

    /** The identifier of the table that a system table is about. */
    static Identifier origin(Identifier systemTable) {
        return new Identifier(
                systemTable.getDatabaseName(),
                systemTable.getTableName(),
                systemTable.getBranchName());
    }

    private static boolean contains(Identifier identifier) {
        return BlobLayersTable.NAME.equalsIgnoreCase(identifier.getSystemTableName());
    }

    /**
     * Opens a system table.
     *
     * @param origin the table that it is about
     * @param catalog that the table is of
     * @return null if there is no such system table, or that table has no data files
     */
    @Nullable
    static Table load(Identifier identifier, Table origin, CatalogLoader catalog) {
        if (!(origin instanceof FileStoreTable)) {
            return null;
        }
        if (PartitionsTable.PARTITIONS.equalsIgnoreCase(identifier.getSystemTableName())) {
            return new PartitionsTable(
                    BlobFallbackTable.ofCatalog((FileStoreTable) origin, catalog));
        }
        return contains(identifier)
                ? new BlobLayersTable((FileStoreTable) origin)
                : SystemTableLoader.load(
                        identifier.getSystemTableName(),
                        BlobFallbackTable.underSystemTable((FileStoreTable) origin));
    }
}
