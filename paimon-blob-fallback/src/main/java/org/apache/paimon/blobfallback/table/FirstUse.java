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

package org.apache.paimon.blobfallback.table;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs once in each JVM that a table is read with the fallback. */
final class FirstUse {

    private static final Logger LOG = LoggerFactory.getLogger(FirstUse.class);

    /** Maximum number of tables that are logged in a JVM. */
    private static final int MAX_TABLES = 10_000;

    private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

    private FirstUse() {}

    /**
     * Logs the first read of a table.
     *
     * @param name for the log
     * @param location that identifies the table
     */
    static void log(String name, String location) {
        if (isFirst(location)) {
            LOG.info(
                    "Table {} at {} is read with the blob fallback: a row's blob comes from the"
                            + " newest layer that holds one.",
                    name,
                    location);
        }
    }

    /** Whether this is the first call for a location, as long as there are not too many. */
    static boolean isFirst(String location) {
        return SEEN.size() < MAX_TABLES && SEEN.add(location);
    }
}
