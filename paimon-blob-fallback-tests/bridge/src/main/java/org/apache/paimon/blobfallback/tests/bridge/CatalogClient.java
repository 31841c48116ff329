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

package org.apache.paimon.blobfallback.tests.bridge;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;

/**
 * What works on a Paimon's catalog, from opening to closing it. It names no Paimon, since one is
 * compiled against the host and another against Paimon 2.0.
 *
 * @param <C> the catalog as that Paimon has it
 */
public abstract class CatalogClient<C extends AutoCloseable> implements Closeable {

    private C catalog;

    /** Makes a catalog; the options name the warehouse. */
    protected abstract C newCatalog(Map<String, String> options);

    /** Opens a catalog; the options must name the warehouse. */
    public void open(Map<String, String> catalogOptions) {
        catalog = newCatalog(catalogOptions);
    }

    /** The catalog, of use between opening and closing. */
    protected final C catalog() {
        return catalog;
    }

    /** Closes the catalog, if one was opened. */
    @Override
    public void close() throws IOException {
        if (catalog == null) {
            return;
        }
        try {
            catalog.close();
        } catch (Exception e) {
            throw new IOException("Cannot close the catalog.", e);
        }
    }
}
