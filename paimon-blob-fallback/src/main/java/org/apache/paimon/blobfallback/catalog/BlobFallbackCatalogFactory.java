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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.host.Host;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.blobfallback.table.TableDefaults;
import org.apache.paimon.blobfallback.table.UnknownOptions;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.options.CatalogOptions;
import org.apache.paimon.options.ConfigOption;
import org.apache.paimon.options.Options;
import org.apache.paimon.utils.InstantiationUtil;

/**
 * Makes the catalog of {@code metastore = blob-fallback}: any other catalog of the host ({@code
 * blob-fallback.metastore}), with its tables wrapped.
 */
public final class BlobFallbackCatalogFactory implements CatalogFactory {

    @Override
    public String identifier() {
        return BlobFallbackOptions.METASTORE_IDENTIFIER;
    }

    /**
     * Makes the catalog.
     *
     * @param context whose options are passed on to the delegate, except the two metastores
     * @return the delegate itself where the host is Paimon 2.0 or later, which needs no plugin
     * @throws IllegalArgumentException if the delegate would be this catalog itself, or one of the
     *     plugin's options has a value that it does not allow
     * @throws IllegalStateException if the host is older than Paimon 1.4
     */
    @Override
    public Catalog create(CatalogContext context) {
        boolean needsFallback = Host.needsFallback();
        Options options = context.options();
        String delegate = options.get(BlobFallbackOptions.METASTORE);
        if (identifier().equals(delegate)) {
            throw new IllegalArgumentException(
                    String.format(
                            "Option '%s' must name the metastore of the delegate, for example '%s',"
                                    + " found '%s'.",
                            BlobFallbackOptions.METASTORE.key(),
                            BlobFallbackOptions.METASTORE.defaultValue(),
                            delegate));
        }
        CatalogContext delegateContext = delegateContext(context, delegate);
        if (!needsFallback) {
            return CatalogFactory.createUnwrappedCatalog(
                    delegateContext, getClass().getClassLoader());
        }
        checkOptions(options.toMap());
        Catalog wrapped =
                CatalogFactory.createUnwrappedCatalog(delegateContext, getClass().getClassLoader());
        Catalog catalog = new BlobFallbackCatalog(wrapped, delegateContext, options.toMap());
        return takeOverCache(options)
                ? new BlobFallbackCachingCatalog(catalog, new Options(options.toMap()))
                : catalog;
    }

    /** Checks them before a catalog is opened that would have to be closed. */
    private static void checkOptions(Map<String, String> options) {
        TableDefaults.of(options);
        List<ConfigOption<?>> known = new ArrayList<>(BlobFallbackOptions.ofTables());
        known.add(BlobFallbackOptions.METASTORE);
        known.add(BlobFallbackOptions.CACHE_TAKEN_OVER);
        UnknownOptions.warn("a catalog", options, known);
    }

    /**
     * Whether to cache tables. If so, it changes the options, which the host reads afterwards, so
     * that the host does not put its own cache on top, which would hide the plugin's system tables.
     * An internal option notes this, since the same options may create another catalog later.
     */
    private static boolean takeOverCache(Options options) {
        boolean cached =
                options.getOptional(BlobFallbackOptions.CACHE_TAKEN_OVER)
                        .orElse(options.get(CatalogOptions.CACHE_ENABLED));
        if (cached) {
            options.set(BlobFallbackOptions.CACHE_TAKEN_OVER, true);
            options.set(CatalogOptions.CACHE_ENABLED, false);
        }
        return cached;
    }

    /** A context is copied as a whole, since only it can access the I/O loaders in it. */
    private static CatalogContext delegateContext(CatalogContext context, String delegate) {
        CatalogContext copy;
        try {
            copy =
                    InstantiationUtil.clone(
                            context, BlobFallbackCatalogFactory.class.getClassLoader());
        } catch (IOException e) {
            throw new UncheckedIOException("Failed to copy the context of the catalog.", e);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("Failed to copy the context of the catalog.", e);
        }
        copy.options().set(CatalogOptions.METASTORE, delegate);
        copy.options().remove(BlobFallbackOptions.METASTORE.key());
        return copy;
    }
}
