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

package org.apache.paimon.blobfallback.tests.s3;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.ObjectStore;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.apache.paimon.blobfallback.tests.reader.TableReader;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.options.Options;
import org.apache.paimon.s3.S3Loader;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A warehouse on S3 and the Paimons that use it, the same for all tests. */
final class Bucket implements BeforeAllCallback {

    private Running running;

    @Override
    public void beforeAll(ExtensionContext context) {
        running =
                context.getRoot()
                        .getStore(ExtensionContext.Namespace.create(Bucket.class))
                        .getOrComputeIfAbsent(Bucket.class, key -> start(), Running.class);
    }

    private static Running start() {
        try {
            PaimonRuntime storeRuntime = Runtimes.objectStore();
            ObjectStore store = storeRuntime.find(ObjectStore.class);
            return new Running(
                    storeRuntime, store, store.start(), Runtimes.paimon2With(s3FileSystem()));
        } catch (Exception e) {
            throw new IllegalStateException("The object store of the tests did not start.", e);
        }
    }

    ObjectStore store() {
        return running.store;
    }

    /** Paimon 2.0 as a writer; the caller closes it. */
    PaimonWriter paimon2Writer() throws Exception {
        PaimonWriter writer = running.paimon2.find(PaimonWriter.class);
        writer.open(running.options.get("warehouse"), running.options);
        return writer;
    }

    /** Paimon 2.0 as a reader; the caller closes it. */
    PaimonReader paimon2Reader() throws Exception {
        PaimonReader reader = running.paimon2.find(PaimonReader.class);
        reader.open(options("cache-enabled", "false"));
        return reader;
    }

    /**
     * The host with the plugin as a reader; the caller closes it.
     *
     * @param more options of the catalog, each key followed by its value
     */
    PaimonReader pluginReader(String... more) {
        TableReader reader = new TableReader();
        reader.open(pluginOptions(more));
        return reader;
    }

    /** The plugin's catalog; the caller closes it. */
    Catalog pluginCatalog() {
        return CatalogFactory.createCatalog(
                CatalogContext.create(Options.fromMap(pluginOptions())));
    }

    /** The host without the plugin, in a class loader that the caller closes. */
    static PaimonRuntime stockHost() throws Exception {
        return Runtimes.hostWith(s3FileSystem());
    }

    /** Options of a catalog without the plugin. */
    Map<String, String> options(String... more) {
        Map<String, String> all = new HashMap<>(running.options);
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return all;
    }

    private Map<String, String> pluginOptions(String... more) {
        Map<String, String> all = options(more);
        all.put("metastore", "blob-fallback");
        all.put("blob-fallback.enabled", "true");
        all.put("cache-enabled", "false");
        return all;
    }

    /** The host's S3 file system, which Paimon 2.0 can use too. */
    private static Path s3FileSystem() throws URISyntaxException {
        return Path.of(S3Loader.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private record Running(
            PaimonRuntime storeRuntime,
            ObjectStore store,
            Map<String, String> options,
            PaimonRuntime paimon2)
            implements ExtensionContext.Store.CloseableResource {

        @Override
        public void close() throws Exception {
            paimon2.close();
            store.close();
            storeRuntime.close();
        }
    }
}
