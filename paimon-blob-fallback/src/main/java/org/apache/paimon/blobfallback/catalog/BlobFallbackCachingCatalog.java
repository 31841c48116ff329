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
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.Table;

/**
 * The host's cache of tables, which knows the plugin's system tables. The host's own makes system
 * tables itself, without asking the catalog behind it, and says of those that it does not know that
 * they do not exist.
 */
@SuppressWarnings("try") // The host's close() may throw any exception, an interrupt among them.
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
        if (!BlobSystemTables.contains(identifier)) {
            return super.getTable(identifier);
        }
        Table table =
                BlobSystemTables.load(
                        identifier, super.getTable(BlobSystemTables.origin(identifier)));
        if (table == null) {
            throw new TableNotExistException(identifier);
        }
        return table;
    }
}
