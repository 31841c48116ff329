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

package org.apache.paimon.blobfallback.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.layers.FileColumns;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.layers.JoinedGroups;
import org.apache.paimon.blobfallback.read.rows.RowSelection;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.BucketEntry;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFile;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.manifest.PartitionEntry;
import org.apache.paimon.operation.BucketSelectConverter;
import org.apache.paimon.operation.DataEvolutionFileStoreScan;
import org.apache.paimon.operation.FileStoreScan;
import org.apache.paimon.operation.ManifestsReader;
import org.apache.paimon.predicate.PredicateVisitor;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.source.ScanMode;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.Range;
import org.apache.paimon.utils.RangeHelper;
import org.apache.paimon.utils.RowRangeIndex;
import org.apache.paimon.utils.SnapshotManager;

/**
 * Plans reads of a data-evolution table without losing rows together with columns that are not
 * read.
 *
 * <p>The host leaves out each file without a wanted column, and compares columns by name. Then rows
 * that are in no other file are missing, and so are renamed columns. Here columns are matched by
 * field id, and a normal file is kept if the files of the wanted columns do not cover all rows, or
 * if rows may be deleted, since deletion vectors belong to it.
 *
 * <p>For all ranges of normal files that a blob file joins, the host uses the statistics of one,
 * and it reads statistics of an older type of a column as those of the current type. Here each
 * range of normal files is evaluated with its own statistics, and a blob file is kept if any range
 * that it has rows of is kept.
 */
public final class FallbackFileStoreScan extends DataEvolutionFileStoreScan {

    private final boolean deletionVectorsEnabled;
    private final FileColumns fileColumns;

    @Nullable private Set<Integer> wantedFieldIds;
    @Nullable private Long rowLimit;
    private boolean dropsStats;

    /**
     * Takes the arguments of the host's own scan.
     *
     * @param tableName for messages
     */
    public FallbackFileStoreScan(
            String tableName,
            ManifestsReader manifestsReader,
            BucketSelectConverter bucketSelectConverter,
            SnapshotManager snapshotManager,
            SchemaManager schemaManager,
            TableSchema schema,
            ManifestFile.Factory manifestFileFactory,
            Integer scanManifestParallelism,
            boolean deletionVectorsEnabled) {
        super(
                manifestsReader,
                bucketSelectConverter,
                snapshotManager,
                schemaManager,
                schema,
                manifestFileFactory,
                scanManifestParallelism,
                deletionVectorsEnabled);
        this.deletionVectorsEnabled = deletionVectorsEnabled;
        this.fileColumns = new FileColumns(tableName, schemaManager, schema);
    }

    /** Rules of a query may be on any column, and the read needs those columns too. */
    @Override
    public FileStoreScan withReadType(@Nullable RowType readType) {
        if (readType != null && !CoreOptions.fromMap(schema.options()).queryAuthEnabled()) {
            Set<Integer> ids = new HashSet<>();
            for (DataField field : readType.getFields()) {
                if (!SpecialFields.isSystemField(field.id())) {
                    ids.add(field.id());
                }
            }
            if (!ids.isEmpty()) {
                this.wantedFieldIds = ids;
            }
        }
        return this;
    }

    /**
     * Lets a plan without a filter end at a number of rows. The host counts rows by the longest of
     * the files whose row ids overlap, which is wrong if a blob file spans several ranges.
     */
    @Override
    public FileStoreScan withLimit(long limit) {
        this.rowLimit = limit;
        return this;
    }

    @Override
    public FileStoreScan dropStats() {
        this.dropsStats = true;
        return this;
    }

    @Override
    public FileStoreScan keepStats() {
        this.dropsStats = false;
        return this;
    }

    @Override
    public Iterator<ManifestEntry> readManifestEntries(
            List<ManifestFileMeta> manifests, boolean useSequential) {
        if (!countsRows() || !ManifestFileMeta.allContainsRowId(manifests)) {
            return super.readManifestEntries(manifests, useSequential);
        }
        List<ManifestEntry> entries = new ArrayList<>();
        long rows = 0;
        RangeHelper<ManifestFileMeta> ranges =
                new RangeHelper<>(manifest -> new Range(manifest.minRowId(), manifest.maxRowId()));
        for (List<ManifestFileMeta> overlapping : ranges.mergeOverlappingRanges(manifests)) {
            List<ManifestEntry> read = new ArrayList<>();
            super.readManifestEntries(overlapping, useSequential).forEachRemaining(read::add);
            for (List<ManifestEntry> joined : JoinedGroups.overlapping(read)) {
                entries.addAll(joined);
                for (Group<ManifestEntry> group : Group.ofEntries(joined)) {
                    rows += group.range().count();
                }
                if (rows >= rowLimit) {
                    return entries.iterator();
                }
            }
        }
        return entries.iterator();
    }

    /** Whether each row of a file is a row of the read, so that rows can be counted by files. */
    private boolean countsRows() {
        return rowLimit != null
                && rowLimit > 0
                && scanMode == ScanMode.ALL
                && inputFilter == null
                && rowRangeIndex == null
                && !deletionVectorsEnabled;
    }

    /** The host counts a row once for each file that holds a part of it. */
    @Override
    public List<PartitionEntry> readPartitionEntries() {
        List<PartitionEntry> entries = super.readPartitionEntries();
        return scanMode == ScanMode.ALL ? RowCounts.ofPartitions(entries, liveFiles()) : entries;
    }

    /** As {@link #readPartitionEntries}. */
    @Override
    public List<BucketEntry> readBucketEntries() {
        List<BucketEntry> entries = super.readBucketEntries();
        return scanMode == ScanMode.ALL ? RowCounts.ofBuckets(entries, liveFiles()) : entries;
    }

    /** All files that are counted, regardless of a limit. */
    private Iterator<ManifestEntry> liveFiles() {
        Long limit = rowLimit;
        this.rowLimit = null;
        try {
            return readFileIterator();
        } finally {
            this.rowLimit = limit;
        }
    }

    /**
     * Ids of the columns whose files are all planned: those that are read, and those that the
     * filter is on, since a read evaluates the filter before it reads blobs. Null for all columns.
     */
    @Nullable
    Set<Integer> plannedFieldIds() {
        if (wantedFieldIds == null || inputFilter == null) {
            return wantedFieldIds;
        }
        Set<Integer> ids = new HashSet<>(wantedFieldIds);
        Set<String> names = PredicateVisitor.collectFieldNames(inputFilter);
        for (DataField field : schema.fields()) {
            if (names.contains(field.name())) {
                ids.add(field.id());
            }
        }
        return ids;
    }

    @Override
    protected boolean postFilterManifestEntriesEnabled() {
        return inputFilter != null || wantedFieldIds != null;
    }

    @Override
    protected List<ManifestEntry> postFilterManifestEntries(List<ManifestEntry> entries) {
        List<ManifestEntry> kept = entries;
        if (inputFilter != null) {
            kept = new ArrayList<>();
            for (List<ManifestEntry> group : JoinedGroups.overlapping(entries)) {
                kept.addAll(filter(group));
            }
        }
        Set<Integer> planned = plannedFieldIds();
        if (planned != null) {
            List<ManifestEntry> passed = kept;
            kept = new ArrayList<>();
            for (List<ManifestEntry> group : JoinedGroups.overlapping(passed)) {
                kept.addAll(prune(group, planned));
            }
        }
        if (dropsStats) {
            kept.replaceAll(this::dropStats);
        }
        return kept;
    }

    /**
     * Leaves out ranges of normal files without a row that passes, and blob files that have rows of
     * no other range.
     */
    private List<ManifestEntry> filter(List<ManifestEntry> group) {
        Map<Range, List<DataFileMeta>> filesByRange = new HashMap<>();
        for (ManifestEntry entry : group) {
            if (Group.isNormalFile(entry.file().fileName())) {
                filesByRange
                        .computeIfAbsent(
                                entry.file().nonNullRowIdRange(), range -> new ArrayList<>())
                        .add(entry.file());
            }
        }
        if (filesByRange.isEmpty()) {
            return group;
        }
        List<Range> ranges = new ArrayList<>();
        for (List<Range> overlapping :
                new RangeHelper<Range>(range -> range)
                        .mergeOverlappingRanges(new ArrayList<>(filesByRange.keySet()))) {
            // Files that overlap in part are refused by the read.
            if (overlapping.size() > 1 || mayPass(filesByRange.get(overlapping.get(0)))) {
                ranges.addAll(overlapping);
            }
        }
        RowRangeIndex rows = RowRangeIndex.create(ranges);
        List<ManifestEntry> kept = new ArrayList<>();
        for (ManifestEntry entry : group) {
            Range range = entry.file().nonNullRowIdRange();
            if (rows.intersects(range.from, range.to)) {
                kept.add(entry);
            }
        }
        return kept;
    }

    private boolean mayPass(List<DataFileMeta> normalFiles) {
        return new RangeStatistics(schema, this::scanTableSchema, normalFiles).mayPass(inputFilter);
    }

    private List<ManifestEntry> prune(List<ManifestEntry> group, Set<Integer> columns) {
        if (group.size() == 1) {
            return group;
        }
        List<ManifestEntry> kept = new ArrayList<>();
        Map<Range, ManifestEntry> anchors = new HashMap<>();
        Set<Range> withNormalFile = new HashSet<>();
        for (ManifestEntry entry : group) {
            boolean normal = Group.isNormalFile(entry.file().fileName());
            if (normal) {
                anchors.merge(
                        entry.file().nonNullRowIdRange(),
                        entry,
                        BinaryOperator.minBy(Group.oldestFirst(ManifestEntry::file)));
            }
            if (holdsAny(entry.file(), columns)) {
                kept.add(entry);
                if (normal) {
                    withNormalFile.add(entry.file().nonNullRowIdRange());
                }
            }
        }
        if (deletionVectorsEnabled) {
            anchors.values().removeAll(kept);
            kept.addAll(anchors.values());
        } else if (!withNormalFile.isEmpty() || !holdExactly(anchors.keySet(), kept)) {
            anchors.keySet().removeAll(withNormalFile);
            kept.addAll(anchors.values());
        }
        return kept.isEmpty() ? group.subList(0, 1) : kept;
    }

    /**
     * Whether some files hold exactly the selected rows of some ranges of normal files. Without
     * normal files each row of a file counts as a row of the table.
     */
    private boolean holdExactly(Set<Range> ranges, List<ManifestEntry> entries) {
        List<Range> rows = Range.sortAndMergeOverlap(new ArrayList<>(ranges), true);
        for (ManifestEntry entry : entries) {
            if (!entry.file().nonNullRowIdRange().exclude(rows).isEmpty()) {
                return false;
            }
        }
        for (Range range : rows) {
            if (!covered(range, entries)) {
                return false;
            }
        }
        return true;
    }

    /** Whether each selected row of a range is in one of some files. */
    private boolean covered(Range range, List<ManifestEntry> entries) {
        List<Range> ranges = new ArrayList<>();
        for (ManifestEntry entry : entries) {
            ranges.add(entry.file().nonNullRowIdRange());
        }
        for (Range selected :
                RowSelection.of(
                                range,
                                rowRangeIndex == null
                                        ? null
                                        : rowRangeIndex.intersectedRanges(range.from, range.to))
                        .ranges()) {
            if (!selected.exclude(ranges).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private boolean holdsAny(DataFileMeta file, Set<Integer> columns) {
        Set<Integer> written = fileColumns.writtenFieldIds(file);
        for (Integer id : columns) {
            if (written.contains(id)) {
                return true;
            }
        }
        return false;
    }
}
