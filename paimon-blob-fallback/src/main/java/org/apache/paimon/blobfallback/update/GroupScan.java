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

import static org.apache.paimon.types.VectorType.isVectorStoreFile;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.Range;
import org.apache.paimon.utils.RangeHelper;

/** Finds the groups of a table's snapshot that hold certain row ids, and no others. */
final class GroupScan {

    private final FileStoreTable table;

    GroupScan(FileStoreTable table) {
        this.table = table;
    }

    /**
     * The groups that hold at least one of the row ids, ordered by row id.
     *
     * @param rowIds ranges of row ids, both ends included
     * @throws IllegalStateException if two normal files overlap without spanning the same row ids
     */
    List<RowGroup> groups(Snapshot snapshot, List<Range> rowIds) {
        if (rowIds.isEmpty()) {
            return new ArrayList<>();
        }
        List<ManifestEntry> normalFiles =
                table
                        .store()
                        .newScan()
                        .withSnapshot(snapshot)
                        .withRowRanges(rowIds)
                        .withDataFileNameFilter(GroupScan::isNormalFile)
                        .dropStats()
                        .plan()
                        .files()
                        .stream()
                        .filter(entry -> entry.file().firstRowId() != null)
                        .collect(Collectors.toList());

        RangeHelper<ManifestEntry> ranges =
                new RangeHelper<>(entry -> entry.file().nonNullRowIdRange());
        List<RowGroup> groups = new ArrayList<>();
        for (List<ManifestEntry> files : ranges.mergeOverlappingRanges(normalFiles)) {
            groups.add(group(table, snapshot, files, files));
        }
        return groups;
    }

    /**
     * Whether a snapshot has at least one of some files.
     *
     * @param files names and row ids, both ends included
     */
    boolean hasAnyOf(Snapshot snapshot, Map<String, Range> files) {
        return count(snapshot, files) > 0;
    }

    /**
     * Whether a snapshot has each of some files.
     *
     * @param files names and row ids, both ends included
     */
    boolean hasAllOf(Snapshot snapshot, Map<String, Range> files) {
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

    /**
     * A group by its files.
     *
     * @param files all of its files that are known
     * @param normalFiles its normal files among them
     * @throws IllegalStateException if it has no normal files, or they do not span the same row ids
     */
    static RowGroup group(
            FileStoreTable table,
            Snapshot snapshot,
            List<ManifestEntry> files,
            List<ManifestEntry> normalFiles) {
        if (normalFiles.isEmpty()
                || !new RangeHelper<ManifestEntry>(entry -> entry.file().nonNullRowIdRange())
                        .areAllRangesSame(normalFiles)) {
            throw new IllegalStateException(
                    String.format(
                            "Snapshot %d of table %s has a group whose normal files do not all span"
                                    + " the same row ids, or that has none: %s",
                            snapshot.id(), table.fullName(), files));
        }
        return new RowGroup(normalFiles);
    }

    static boolean isNormalFile(String fileName) {
        return !BlobFileLayout.isBlobFile(fileName) && !isVectorStoreFile(fileName);
    }
}
