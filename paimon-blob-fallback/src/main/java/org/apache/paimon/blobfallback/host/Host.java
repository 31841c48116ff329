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
import org.apache.paimon.table.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the host can do by itself, which decides what is left for the plugin.
 *
 * <p>This is decided by the classes that the host has, not by its version, which is missing from
 * some jars that Paimon is packed into. Neither this class nor its callers touch anything that a
 * host of another version may lack until they know the answer.
 */
public final class Host {

    private static final Logger LOG = LoggerFactory.getLogger(Host.class);

    /** Only a host that has blob columns has this class. */
    private static final String BLOB_CLASS = "org.apache.paimon.data.Blob";

    /** Only a host that reads partial blob updates has this class. */
    private static final String PLACEHOLDER_CLASS = "org.apache.paimon.data.BlobPlaceholder";

    private static final boolean HAS_BLOBS = has(BLOB_CLASS);
    private static final boolean KNOWS_PLACEHOLDERS = has(PLACEHOLDER_CLASS);

    static {
        if (KNOWS_PLACEHOLDERS) {
            LOG.info(
                    "This Paimon ({}) reads partial blob updates itself: the blob-fallback plugin"
                            + " steps aside and its options are ignored.",
                    version());
        }
    }

    private Host() {}

    /**
     * Whether the plugin is needed.
     *
     * @return false if the host knows placeholders itself, so that the plugin steps aside
     * @throws IllegalStateException if the host has no blob columns; it names the versions that are
     *     supported
     */
    public static boolean needsFallback() {
        if (!HAS_BLOBS) {
            throw new IllegalStateException(
                    String.format(
                            "The blob-fallback plugin supports Apache Paimon 1.4, and steps aside on"
                                    + " 2.0 and later. This is Apache Paimon %s, which has no blob"
                                    + " columns (class %s is missing).",
                            version(), BLOB_CLASS));
        }
        return !KNOWS_PLACEHOLDERS;
    }

    /**
     * Checks that the plugin is needed.
     *
     * @param operation the requested operation, as the start of a sentence
     * @throws IllegalStateException if the host knows placeholders itself, or has no blob columns
     */
    public static void requireFallback(String operation) {
        if (!needsFallback()) {
            throw new IllegalStateException(
                    String.format(
                            "%s is not available on Apache Paimon %s, which reads and writes partial"
                                    + " blob updates itself: the blob-fallback plugin steps aside"
                                    + " there.",
                            operation, version()));
        }
    }

    private static boolean has(String className) {
        try {
            Class.forName(className, false, Table.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static String version() {
        @Nullable Package host = Table.class.getPackage();
        String version = host == null ? null : host.getImplementationVersion();
        return version == null ? "of unknown version" : version;
    }
}
