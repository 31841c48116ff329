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

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.options.Options;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.snapshot.TimeTravelUtil;

/**
 * The schema of a table at another point in time, where a system table reads it.
 *
 * <p>An engine asks a system table for its row type, plans with that, and only then copies the
 * table with the options of a hint or a job. The host gives the copy the schema of that point in
 * time, but the engine still takes columns by position. So a table keeps its schema once its row
 * type has been asked for. Before that, as with {@code FOR SYSTEM_TIME AS OF}, it changes its
 * schema.
 */
final class PlannedSchema implements Serializable {

    private static final long serialVersionUID = 1L;

    private volatile boolean askedFor;

    /** Notes that a caller has asked for the row type. */
    void askFor() {
        askedFor = true;
    }

    boolean isAskedFor() {
        return askedFor;
    }

    /** That of a copy: a caller who knows the table's row type knows it as well. */
    @Nullable
    static PlannedSchema after(
            @Nullable PlannedSchema planned, TableSchema before, TableSchema after) {
        if (planned == null) {
            return null;
        }
        PlannedSchema copy = new PlannedSchema();
        copy.askedFor = planned.askedFor && before.fields().equals(after.fields());
        return copy;
    }

    /**
     * Equivalent options without {@code scan.version}, which the host supports only where it
     * changes the schema.
     *
     * @throws RuntimeException if there is no such version
     */
    static Map<String, String> withoutVersion(FileStoreTable table, Map<String, String> options) {
        if (options.get(CoreOptions.SCAN_VERSION.key()) == null) {
            return options;
        }
        Map<String, String> result = new HashMap<>(options);
        Options version = new Options();
        version.set(CoreOptions.SCAN_VERSION, result.remove(CoreOptions.SCAN_VERSION.key()));
        TimeTravelUtil.tryTravelToSnapshot(version, table.snapshotManager(), table.tagManager());
        result.putAll(version.toMap());
        result.put(CoreOptions.SCAN_VERSION.key(), null);
        return result;
    }
}
