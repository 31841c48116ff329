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

package org.apache.paimon.blobfallback.update;

import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.write.DeletedRows;
import org.apache.paimon.blobfallback.write.GroupScan;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.Range;

/** Finds the groups that hold the rows of an update and refuses rows that do not exist. */
final class TouchedRows {

    /** Maximum number of row ids in an error message. */
    private static final int MAX_NAMED = 10;

    private TouchedRows() {}

    /**
     * The groups that hold the rows, ordered by row id; no other group is planned.
     *
     * @param rowIds in ascending order; they are iterated twice
     * @throws IllegalArgumentException if a row does not exist or is deleted in the snapshot; it
     *     names the table and the first such row ids
     */
    static List<Group<ManifestEntry>> locate(
            FileStoreTable table, Snapshot snapshot, Iterable<Long> rowIds) {
        List<Group<ManifestEntry>> groups =
                new GroupScan(table).groups(snapshot, Range.toRanges(rowIds));
        DeletedRows deleted = new DeletedRows(table, snapshot, groups);
        List<Long> unknown = new ArrayList<>();
        List<Long> gone = new ArrayList<>();
        int next = 0;
        for (long rowId : rowIds) {
            while (next < groups.size() && groups.get(next).range().to < rowId) {
                next++;
            }
            if (next == groups.size() || groups.get(next).range().from > rowId) {
                unknown.add(rowId);
            } else if (deleted.contains(groups.get(next), rowId)) {
                gone.add(rowId);
            }
        }
        refuse(table, snapshot, unknown, "do not exist");
        refuse(table, snapshot, gone, "are deleted");
        return groups;
    }

    private static void refuse(
            FileStoreTable table, Snapshot snapshot, List<Long> rowIds, String why) {
        if (!rowIds.isEmpty()) {
            throw new IllegalArgumentException(
                    String.format(
                            "%s row ids of the update %s in snapshot %s of table %s: %s%s. Take"
                                    + " row ids from the column _ROW_ID of this snapshot.",
                            rowIds.size(),
                            why,
                            snapshot.id(),
                            table.fullName(),
                            rowIds.subList(0, Math.min(MAX_NAMED, rowIds.size())),
                            rowIds.size() > MAX_NAMED ? " and more" : ""));
        }
    }
}
