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

package org.apache.paimon.blobfallback.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.layers.JoinedGroups;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.operation.FileStoreScan;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.Range;

/** Finds the groups of a table's snapshot that hold certain row ids, and no others. */
public final class GroupScan {

    private final FileStoreTable table;

    public GroupScan(FileStoreTable table) {
        this.table = table;
    }

    /**
     * The groups that hold at least one of the row ids, ordered by row id, with their normal files
     * only.
     *
     * @param rowIds ranges of row ids, both ends included
     * @throws IllegalStateException if two normal files overlap without spanning the same row ids
     */
    public List<Group<ManifestEntry>> groups(Snapshot snapshot, List<Range> rowIds) {
        if (rowIds.isEmpty()) {
            return new ArrayList<>();
        }
        return join(
                        table,
                        snapshot,
                        entries(
                                table.store()
                                        .newScan()
                                        .withSnapshot(snapshot)
                                        .withRowRanges(rowIds)
                                        .withDataFileNameFilter(Group::isNormalFile)))
                .stream()
                .flatMap(joined -> joined.groups().stream())
                .collect(Collectors.toList());
    }

    /**
     * Whether a snapshot has at least one of some files.
     *
     * @param files names and row ids, both ends included
     */
    public boolean hasAnyOf(Snapshot snapshot, Map<String, Range> files) {
        return count(snapshot, files) > 0;
    }

    /**
     * Whether a snapshot has each of some files.
     *
     * @param files names and row ids, both ends included
     */
    public boolean hasAllOf(Snapshot snapshot, Map<String, Range> files) {
        return count(snapshot, files) == files.size();
    }

    private int count(Snapshot snapshot, Map<String, Range> files) {
        return files.isEmpty()
                ? 0
                : table.store()
                        .newScan()
                        .withSnapshot(snapshot)
                        .withRowRanges(new ArrayList<>(files.values()))
                        .withDataFileNameFilter(files::containsKey)
                        .plan()
                        .files()
                        .size();
    }

    /** The files with row ids that a scan finds. */
    public static List<ManifestEntry> entries(FileStoreScan scan) {
        return scan.dropStats().plan().files().stream()
                .filter(entry -> entry.file().firstRowId() != null)
                .collect(Collectors.toList());
    }

    /**
     * Sorts files of a snapshot into groups, and these into joined groups.
     *
     * @throws IllegalStateException if two normal files overlap without spanning the same row ids;
     *     it names both
     */
    public static List<JoinedGroups<ManifestEntry>> join(
            FileStoreTable table, Snapshot snapshot, List<ManifestEntry> entries) {
        try {
            return JoinedGroups.ofEntries(entries);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(
                    String.format(
                            "Snapshot %s of table %s: %s",
                            snapshot.id(), table.fullName(), e.getMessage()),
                    e);
        }
    }
}
