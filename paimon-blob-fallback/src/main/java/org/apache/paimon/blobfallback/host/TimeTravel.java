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

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.options.ConfigOption;
import org.apache.paimon.options.FallbackKey;
import org.apache.paimon.table.FallbackReadFileStoreTable;
import org.apache.paimon.table.FileStoreTable;

/**
 * Removes or replaces the options by which a table is read at another point in time. They may be
 * options of the table itself, and must not be combined with those that the plugin sets. Copies
 * keep their schema.
 */
public final class TimeTravel {

    /** Options that name a point in time. */
    private static final List<ConfigOption<?>> POINTS =
            Arrays.asList(
                    CoreOptions.SCAN_TIMESTAMP,
                    CoreOptions.SCAN_TIMESTAMP_MILLIS,
                    CoreOptions.SCAN_WATERMARK,
                    CoreOptions.SCAN_SNAPSHOT_ID,
                    CoreOptions.SCAN_TAG_NAME,
                    CoreOptions.SCAN_VERSION);

    /** Options with which a scan gives something else than the whole table at one point in time. */
    private static final List<ConfigOption<?>> CHANGES =
            Arrays.asList(
                    CoreOptions.SCAN_MODE,
                    CoreOptions.SCAN_FILE_CREATION_TIME_MILLIS,
                    CoreOptions.SCAN_CREATION_TIME_MILLIS,
                    CoreOptions.INCREMENTAL_BETWEEN,
                    CoreOptions.INCREMENTAL_BETWEEN_TIMESTAMP,
                    CoreOptions.INCREMENTAL_BETWEEN_SCAN_MODE,
                    CoreOptions.INCREMENTAL_BETWEEN_TAG_TO_SNAPSHOT,
                    CoreOptions.INCREMENTAL_TO_AUTO_TAG,
                    CoreOptions.STREAM_SCAN_MODE,
                    CoreOptions.CONSUMER_ID);

    private TimeTravel() {}

    /** The table as it is now. Of a table of two branches, this is its own branch. */
    public static FileStoreTable none(FileStoreTable table) {
        Map<String, String> options = new HashMap<>();
        remove(POINTS, table, options);
        remove(CHANGES, table, options);
        return own(table).copyWithoutTimeTravel(options);
    }

    /**
     * The whole table at the point in time that its options name, or now. Of a table of two
     * branches, this is its own branch.
     */
    public static FileStoreTable toPoint(FileStoreTable table) {
        Map<String, String> options = new HashMap<>();
        remove(CHANGES, table, options);
        return options.isEmpty() ? own(table) : own(table).copyWithoutTimeTravel(options);
    }

    /**
     * The table at a snapshot, regardless of its options. Of a table of two branches, this is its
     * own branch.
     */
    public static FileStoreTable toSnapshot(FileStoreTable table, long snapshotId) {
        return none(table)
                .copyWithoutTimeTravel(
                        Collections.singletonMap(
                                CoreOptions.SCAN_SNAPSHOT_ID.key(), String.valueOf(snapshotId)));
    }

    private static FileStoreTable own(FileStoreTable table) {
        return table instanceof FallbackReadFileStoreTable
                ? ((FallbackReadFileStoreTable) table).wrapped()
                : table;
    }

    /** A null in the options of a copy removes an option. */
    private static void remove(
            List<ConfigOption<?>> options, FileStoreTable table, Map<String, String> changes) {
        for (ConfigOption<?> option : options) {
            remove(option.key(), table, changes);
            for (FallbackKey other : option.fallbackKeys()) {
                remove(other.getKey(), table, changes);
            }
        }
    }

    private static void remove(String key, FileStoreTable table, Map<String, String> changes) {
        if (table.schema().options().containsKey(key)) {
            changes.put(key, null);
        }
    }
}
