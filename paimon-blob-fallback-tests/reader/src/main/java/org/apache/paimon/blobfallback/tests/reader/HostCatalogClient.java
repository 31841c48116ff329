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

package org.apache.paimon.blobfallback.tests.reader;

import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.CatalogClient;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.options.Options;

/** Works on a catalog of the Paimon on the class path. */
abstract class HostCatalogClient extends CatalogClient<Catalog> {

    @Override
    protected Catalog newCatalog(Map<String, String> options) {
        return CatalogFactory.createCatalog(CatalogContext.create(Options.fromMap(options)));
    }
}
