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

import org.apache.paimon.catalog.CachingCatalog;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogLoader;
import org.apache.paimon.catalog.CatalogUtils;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.Table;

/**
 * The host's cache of tables, except that it creates system tables as the plugin's catalog does.
 * The host's own cache creates them without asking the catalog under it.
 */
@SuppressWarnings(
        "try") // The host's close() may throw any exception, InterruptedException included.
final class BlobFallbackCachingCatalog extends CachingCatalog {

    private final Options options;

    /**
     * @param wrapped the plugin's catalog; closed with this one
     * @param options of the cache
     */
    BlobFallbackCachingCatalog(Catalog wrapped, Options options) {
        super(wrapped, options);
        this.options = options;
    }

    @Override
    public CatalogLoader catalogLoader() {
        CatalogLoader loader = wrapped.catalogLoader();
        Options cacheOptions = options;
        return () -> new BlobFallbackCachingCatalog(loader.load(), cacheOptions);
    }

    @Override
    public Table getTable(Identifier identifier) throws TableNotExistException {
        if (CatalogUtils.isSystemDatabase(identifier.getDatabaseName())
                || !identifier.isSystemTable()) {
            return super.getTable(identifier);
        }
        Table table =
                BlobSystemTables.load(
                        identifier,
                        super.getTable(BlobSystemTables.origin(identifier)),
                        catalogLoader());
        if (table == null) {
            throw new TableNotExistException(identifier);
        }
        return table;
    }
}
