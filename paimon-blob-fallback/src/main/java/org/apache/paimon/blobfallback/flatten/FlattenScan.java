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

package org.apache.paimon.blobfallback.flatten;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.layers.Bunch;
import org.apache.paimon.blobfallback.layers.FileColumns;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.layers.JoinedGroups;
import org.apache.paimon.blobfallback.write.GroupScan;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.operation.FileStoreScan;
import org.apache.paimon.partition.PartitionPredicate;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataField;
import org.apache.paimon.utils.Range;

/**
 * Finds the bunches of a table's snapshot.
 *
 * <p>It fails with an {@link IllegalStateException} if the files of the snapshot do not form
 * groups.
 */
public final class FlattenScan {

    /** Number of files that are in memory at a time; they take a fraction of a gigabyte. */
    private static final long FILES_AT_ONCE = 100_000;

    private final FileStoreTable table;
    private final Map<Integer, DataField> columns = new HashMap<>();
    private final FileColumns fileColumns;

    /**
     * @param columns whose bunches are wanted
     */
    public FlattenScan(FileStoreTable table, List<DataField> columns) {
        this.table = table;
        this.fileColumns = new FileColumns(table.fullName(), table.schemaManager(), table.schema());
        columns.forEach(column -> this.columns.put(column.id(), column));
    }

    /**
     * The bunches of some partitions, with those that share files together, ordered by row id. They
     * are planned slice by slice during the iteration, so that the files of a large table are never
     * all in memory.
     *
     * @param partitions null for all
     */
    public Iterable<JoinedBunches> partitions(
            Snapshot snapshot, @Nullable PartitionPredicate partitions) {
        return () ->
                new GroupSlices(
                        table,
                        snapshot,
                        FILES_AT_ONCE,
                        scan -> partitions == null ? scan : scan.withPartitionFilter(partitions),
                        groups -> bunches(snapshot, groups));
    }

    /**
     * As {@link #partitions}, for the groups that hold some row ids and groups that are joined with
     * them. The groups are complete even if only some of their row ids are given, since missing
     * files of a bunch would be treated as a gap.
     *
     * @param rowIds ranges, both ends included
     * @param partitions null for all
     */
    public List<JoinedBunches> groups(
            Snapshot snapshot, List<Range> rowIds, @Nullable PartitionPredicate partitions) {
        if (rowIds.isEmpty()) {
            return new ArrayList<>();
        }
        List<Range> scanned = Range.sortAndMergeOverlap(rowIds, true);
        while (true) {
            FileStoreScan scan =
                    table.store().newScan().withSnapshot(snapshot).withRowRanges(scanned);
            List<JoinedBunches> found = new ArrayList<>();
            for (JoinedGroups<ManifestEntry> groups :
                    GroupScan.join(
                            table,
                            snapshot,
                            GroupScan.entries(
                                    partitions == null
                                            ? scan
                                            : scan.withPartitionFilter(partitions)))) {
                found.add(bunches(snapshot, groups));
            }
            List<Range> rows = new ArrayList<>(scanned);
            found.forEach(bunches -> rows.add(bunches.range()));
            List<Range> whole = Range.sortAndMergeOverlap(rows, true);
            if (whole.equals(scanned)) {
                return found;
            }
            scanned = whole;
        }
    }

    /** The bunches of joined groups; groups without any of the columns have none. */
    JoinedBunches bunches(Snapshot snapshot, JoinedGroups<ManifestEntry> joined) {
        List<FlattenBunch> bunches = new ArrayList<>();
        List<Group<ManifestEntry>> groups = joined.groups();
        for (int i = 0; i < groups.size(); i++) {
            Group<ManifestEntry> group = groups.get(i);
            for (Bunch bunch : group.bunches(fileColumns, columns::containsKey)) {
                checkHasNormalFiles(snapshot, group);
                bunches.add(
                        new FlattenBunch(
                                table,
                                group,
                                columns.get(bunch.fieldId()),
                                bunch,
                                i == 0 ? null : groups.get(i - 1).range(),
                                i + 1 == groups.size() ? null : groups.get(i + 1).range()));
            }
        }
        return new JoinedBunches(joined, bunches);
    }

    private void checkHasNormalFiles(Snapshot snapshot, Group<ManifestEntry> group) {
        if (group.normalFiles().isEmpty()) {
            throw new IllegalStateException(
                    String.format(
                            "Snapshot %s of table %s has blob files of the row ids %s and no normal"
                                    + " file of them, found %s.",
                            snapshot.id(),
                            table.fullName(),
                            group.range(),
                            group.files().stream()
                                    .map(entry -> entry.file().fileName())
                                    .collect(Collectors.toList())));
        }
    }
}
