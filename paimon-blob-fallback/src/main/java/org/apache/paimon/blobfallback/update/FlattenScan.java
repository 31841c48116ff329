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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.operation.FileStoreScan;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataField;
import org.apache.paimon.utils.Range;
import org.apache.paimon.utils.RangeHelper;

/** Finds the bunches of a table's snapshot. */
final class FlattenScan {

    /** Files that are taken into memory at once: a fraction of a gigabyte. */
    private static final long FILES_AT_ONCE = 100_000;

    private final FileStoreTable table;
    private final Map<Integer, DataField> columns = new HashMap<>();
    private final Map<Long, TableSchema> schemas = new HashMap<>();

    /**
     * @param columns whose bunches are wanted
     */
    FlattenScan(FileStoreTable table, List<DataField> columns) {
        this.table = table;
        columns.forEach(column -> this.columns.put(column.id(), column));
    }

    /**
     * The bunches of some partitions, those of a group next to each other, groups ordered by row
     * id. They are found slice by slice as they are gone through, so that the files of a large
     * table are never all in memory.
     *
     * @param partitions as specs, null for all
     */
    Iterable<List<FlattenBunch>> partitions(
            Snapshot snapshot, @Nullable List<Map<String, String>> partitions) {
        return () ->
                new GroupSlices(
                        table,
                        snapshot,
                        FILES_AT_ONCE,
                        scan -> partitions == null ? scan : scan.withPartitionsFilter(partitions),
                        group -> bunchesOf(snapshot, group));
    }

    /**
     * As {@link #partitions}, for the groups that hold some row ids. They are complete, though the
     * row ids may be a part of a group only: what a bunch lacks would be taken for a gap.
     *
     * @param rowIds ranges, both ends included
     */
    List<List<FlattenBunch>> groups(Snapshot snapshot, List<Range> rowIds) {
        if (rowIds.isEmpty()) {
            return new ArrayList<>();
        }
        List<Range> scanned = Range.sortAndMergeOverlap(rowIds, true);
        while (true) {
            List<List<FlattenBunch>> groups =
                    bunches(
                            snapshot,
                            table.store().newScan().withSnapshot(snapshot).withRowRanges(scanned));
            List<Range> found = new ArrayList<>(scanned);
            groups.forEach(group -> found.add(group.get(0).group().range()));
            List<Range> whole = Range.sortAndMergeOverlap(found, true);
            if (whole.equals(scanned)) {
                return groups;
            }
            scanned = whole;
        }
    }

    private List<List<FlattenBunch>> bunches(Snapshot snapshot, FileStoreScan scan) {
        List<List<FlattenBunch>> groups = new ArrayList<>();
        for (List<ManifestEntry> group : entriesByGroup(scan)) {
            List<FlattenBunch> bunches = bunchesOf(snapshot, group);
            if (!bunches.isEmpty()) {
                groups.add(bunches);
            }
        }
        return groups;
    }

    /** What a scan finds, the files whose row ids overlap together, in the order of row ids. */
    static List<List<ManifestEntry>> entriesByGroup(FileStoreScan scan) {
        List<ManifestEntry> files = new ArrayList<>();
        for (ManifestEntry entry : scan.dropStats().plan().files()) {
            if (entry.file().firstRowId() != null) {
                files.add(entry);
            }
        }
        return new RangeHelper<ManifestEntry>(entry -> entry.file().nonNullRowIdRange())
                .mergeOverlappingRanges(files);
    }

    /** The bunches of a group by its files; none if it has none of the columns. */
    List<FlattenBunch> bunchesOf(Snapshot snapshot, List<ManifestEntry> entries) {
        List<ManifestEntry> normalFiles = new ArrayList<>();
        Map<Integer, List<DataFileMeta>> blobFiles = new LinkedHashMap<>();
        for (ManifestEntry entry : entries) {
            if (GroupScan.isNormalFile(entry.file().fileName())) {
                normalFiles.add(entry);
            } else if (BlobFileLayout.isBlobFile(entry.file().fileName())) {
                Integer fieldId = fieldId(entry.file());
                if (columns.containsKey(fieldId)) {
                    blobFiles
                            .computeIfAbsent(fieldId, ignored -> new ArrayList<>())
                            .add(entry.file());
                }
            }
        }
        if (blobFiles.isEmpty()) {
            return new ArrayList<>();
        }
        RowGroup group = GroupScan.group(table, snapshot, entries, normalFiles);
        List<FlattenBunch> bunches = new ArrayList<>();
        blobFiles.forEach(
                (fieldId, files) ->
                        bunches.add(new FlattenBunch(table, group, columns.get(fieldId), files)));
        return bunches;
    }

    /** Null if the file's schema has no such column. */
    @Nullable
    private Integer fieldId(DataFileMeta file) {
        TableSchema schema =
                schemas.computeIfAbsent(file.schemaId(), table.schemaManager()::schema);
        for (DataField field : schema.fields()) {
            if (file.writeCols().contains(field.name())) {
                return field.id();
            }
        }
        return null;
    }
}
