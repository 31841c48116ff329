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

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.options.ConfigOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of options that have the plugin's prefix but are not known, which are most likely
 * misspelled. Like the host, the plugin ignores them, since a newer version may know them.
 */
public final class UnknownOptions {

    private static final Logger LOG = LoggerFactory.getLogger(UnknownOptions.class);

    /** Maximum number of warnings in a JVM. */
    private static final int MAX_WARNINGS = 1_000;

    private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

    private UnknownOptions() {}

    /**
     * Logs each unknown option with the plugin's prefix, once in each JVM. Values are not logged.
     *
     * @param owner whose options these are, such as {@code table db.t}
     * @param options all of its options
     * @param known options that have a meaning there
     */
    public static void warn(
            String owner, Map<String, String> options, List<ConfigOption<?>> known) {
        for (String key : options.keySet()) {
            if (key.startsWith(BlobFallbackOptions.PREFIX)) {
                String message = problem(key, known);
                if (message != null && WARNED.size() < MAX_WARNINGS && WARNED.add(owner + key)) {
                    LOG.warn("Of {}: {}", owner, message);
                }
            }
        }
    }

    /** What is wrong with a key that has the plugin's prefix; null if nothing is. */
    @Nullable
    static String problem(String key, List<ConfigOption<?>> known) {
        List<String> keys = known.stream().map(ConfigOption::key).collect(Collectors.toList());
        if (keys.contains(key)) {
            return null;
        }
        String nearest = keys.get(0);
        for (String candidate : keys) {
            if (distance(key, candidate) < distance(key, nearest)) {
                nearest = candidate;
            }
        }
        return String.format(
                "the option '%s' is not known there and does nothing. The nearest that is known is"
                        + " '%s'.",
                key, nearest);
    }

    /** The edit distance of two texts: how many letters must be inserted, removed or replaced. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int changed = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
