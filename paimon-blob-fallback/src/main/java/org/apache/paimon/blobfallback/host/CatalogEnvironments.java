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

package org.apache.paimon.blobfallback.host;

import javax.annotation.Nullable;
import org.apache.paimon.catalog.AbstractCatalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogLoader;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.table.CatalogEnvironment;

/** Creates what the host's tables know of their catalog. */
public final class CatalogEnvironments {

    private CatalogEnvironments() {}

    /**
     * The environment that a catalog would have given to a table.
     *
     * @param context of the catalog
     */
    public static CatalogEnvironment of(
            AbstractCatalog catalog, Identifier identifier, CatalogContext context) {
        return new CatalogEnvironment(
                identifier,
                null,
                catalog.catalogLoader(),
                catalog.lockFactory().orElse(null),
                catalog.lockContext().orElse(null),
                context,
                catalog.supportsVersionManagement(),
                catalog.supportsPartitionModification());
    }

    /**
     * An environment with another catalog, which only lists partitions and modifies nothing.
     *
     * @param catalog null for the same environment
     */
    public static CatalogEnvironment with(
            CatalogEnvironment environment, @Nullable CatalogLoader catalog) {
        return catalog == null
                ? environment
                : new CatalogEnvironment(
                        environment.identifier(),
                        environment.uuid(),
                        catalog,
                        environment.lockFactory(),
                        environment.lockContext(),
                        environment.catalogContext(),
                        environment.supportsVersionManagement(),
                        false);
    }
}
