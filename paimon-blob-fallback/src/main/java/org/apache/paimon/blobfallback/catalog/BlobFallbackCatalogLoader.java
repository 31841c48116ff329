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

import java.util.HashMap;
import java.util.Map;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogLoader;

/** Makes the plugin's catalog again, in another JVM. */
final class BlobFallbackCatalogLoader implements CatalogLoader {

    private static final long serialVersionUID = 1L;

    private final CatalogLoader wrapped;
    private final CatalogContext wrappedContext;
    private final HashMap<String, String> options;

    /**
     * @param wrapped makes the delegate
     * @param wrappedContext of the delegate
     * @param options of the plugin's catalog
     */
    BlobFallbackCatalogLoader(
            CatalogLoader wrapped, CatalogContext wrappedContext, Map<String, String> options) {
        this.wrapped = wrapped;
        this.wrappedContext = wrappedContext;
        this.options = new HashMap<>(options);
    }

    @Override
    public Catalog load() {
        return new BlobFallbackCatalog(wrapped.load(), wrappedContext, options);
    }
}
