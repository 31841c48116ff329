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
import java.util.List;
import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.plan.index.GlobalIndexSearch;
import org.apache.paimon.globalindex.DataEvolutionBatchScan;
import org.apache.paimon.globalindex.GlobalIndexResult;
import org.apache.paimon.globalindex.IndexedSplit;
import org.apache.paimon.globalindex.ScoreGetter;
import org.apache.paimon.globalindex.ScoredGlobalIndexResult;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.partition.PartitionPredicate;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.TopN;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.DataTableBatchScan;
import org.apache.paimon.table.source.DataTableScan;
import org.apache.paimon.table.source.InnerTableScan;
import org.apache.paimon.table.source.QueryAuthSplit;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.Range;
import org.apache.paimon.utils.RowRangeIndex;

/**
 * The host's batch scan, but with row ranges that are intersected with all files of a split. The
 * host intersects them with the range from the first row id of the first file to the last row id of
 * the last file, which leaves out rows if a newer file covers only a part of its group.
 */
public final class FallbackBatchScan extends DataEvolutionBatchScan {

    private final FileStoreTable table;
    private final FallbackSnapshotReader snapshotReader;
    private final DataTableBatchScan batchScan;
    private final QueryRules rules;

    private boolean forRead;
    private boolean wholeGroups;
    @Nullable private Integer limit;
    @Nullable private Predicate filter;
    private boolean filtersRowIds;
    @Nullable private RowRangeIndex pushedRowRanges;
    @Nullable private GlobalIndexResult globalIndexResult;

    /**
     * @param table that is planned
     * @param snapshotReader plans its files
     */
    public FallbackBatchScan(FileStoreTable table, FallbackSnapshotReader snapshotReader) {
        this(table, snapshotReader, new QueryRules(table));
    }

    private FallbackBatchScan(
            FileStoreTable table, FallbackSnapshotReader snapshotReader, QueryRules rules) {
        this(
                table,
                snapshotReader,
                rules,
                new DataTableBatchScan(
                        table.schema(),
                        table.schemaManager(),
                        table.coreOptions(),
                        snapshotReader,
                        rules));
    }

    private FallbackBatchScan(
            FileStoreTable table,
            FallbackSnapshotReader snapshotReader,
            QueryRules rules,
            DataTableBatchScan batchScan) {
        super(table, batchScan);
        this.table = table;
        this.snapshotReader = snapshotReader;
        this.batchScan = batchScan;
        this.rules = rules;
    }

    /**
     * Leaves groups whole, for a caller that does not keep the class of a split. Other plans for a
     * read cut groups that are larger than {@code source.split.target-size}; plans without {@link
     * #withReadType}, which are not for a read, do not.
     */
    public FallbackBatchScan withWholeGroups() {
        this.wholeGroups = true;
        return this;
    }

    @Override
    public InnerTableScan withReadType(@Nullable RowType readType) {
        rules.withReadType(readType);
        this.forRead = true;
        return super.withReadType(readType);
    }

    /**
     * Row ids of the filter become row ids to read. The host loses conditions on other columns when
     * it extracts row ids from an {@code OR}.
     */
    @Override
    public InnerTableScan withFilter(@Nullable Predicate predicate) {
        if (predicate == null) {
            return this;
        }
        RowIdFilter.rowIds(predicate).ifPresent(this::withRowRanges);
        this.filtersRowIds = RowIdFilter.namesRowId(predicate);
        this.filter = RowIdFilter.withoutRowIds(predicate);
        if (filter != null && !rules.mayExist()) {
            batchScan.withFilter(filter);
        }
        return this;
    }

    /** Applied only when it is known whether row ranges remove rows from the planned files. */
    @Override
    public InnerTableScan withLimit(int limit) {
        this.limit = limit;
        return this;
    }

    /** Leaves out no file: the host compares files as if each had its own rows. */
    @Override
    public InnerTableScan withTopN(@Nullable TopN topN) {
        return this;
    }

    @Override
    public DataTableScan withShard(int indexOfThisSubtask, int numberOfParallelSubtasks) {
        batchScan.withShard(indexOfThisSubtask, numberOfParallelSubtasks);
        return this;
    }

    /** Row ranges from several sources are intersected. */
    @Override
    public InnerTableScan withRowRanges(@Nullable List<Range> rowRanges) {
        return rowRanges == null ? this : withRowRangeIndex(RowRangeIndex.create(rowRanges));
    }

    @Override
    public InnerTableScan withRowRangeIndex(@Nullable RowRangeIndex rowRangeIndex) {
        super.withRowRangeIndex(rowRangeIndex);
        if (rowRangeIndex != null) {
            this.pushedRowRanges =
                    pushedRowRanges == null
                            ? rowRangeIndex
                            : RowRangeIndex.create(
                                    Range.and(pushedRowRanges.ranges(), rowRangeIndex.ranges()));
        }
        return this;
    }

    @Override
    public DataEvolutionBatchScan withGlobalIndexResult(@Nullable GlobalIndexResult result) {
        super.withGlobalIndexResult(result);
        if (result != null) {
            this.globalIndexResult = result;
        }
        return this;
    }

    @Override
    public Plan plan() {
        if (filter != null && rules.mayExist()) {
            this.filter = rules.withoutMasked(filter);
            if (filter != null) {
                batchScan.withFilter(filter);
            }
        }
        RowRangeIndex rowRanges = pushedRowRanges;
        ScoreGetter scores = null;
        if (rowRanges == null && globalIndexResult != null) {
            rowRanges = RowRangeIndex.create(globalIndexResult.results().toRangeList());
            if (globalIndexResult instanceof ScoredGlobalIndexResult) {
                scores = ((ScoredGlobalIndexResult) globalIndexResult).scoreGetter();
            }
        }
        List<Split> planned;
        if (rowRanges == null) {
            planned = planByIndex();
            rowRanges = snapshotReader.foundRows();
        } else {
            planned = batchScan.withRowRangeIndex(rowRanges).plan().splits();
        }
        if (rowRanges == null) {
            CoreOptions options = table.coreOptions();
            if (forRead && !wholeGroups && options.blobSplitByFileSize()) {
                planned =
                        new SplitCutter(options.splitTargetSize(), options.splitOpenFileCost())
                                .cut(planned);
            }
            List<Split> whole = planned;
            return () -> whole;
        }
        List<Split> splits = new ArrayList<>();
        for (Split split : planned) {
            if (split instanceof QueryAuthSplit) {
                QueryAuthSplit ruled = (QueryAuthSplit) split;
                splits.add(
                        new QueryAuthSplit(
                                restrict((DataSplit) ruled.split(), rowRanges, scores),
                                ruled.authResult()));
            } else {
                splits.add(restrict((DataSplit) split, rowRanges, scores));
            }
        }
        return () -> splits;
    }

    /** Plans the rows that a global index finds, if there is one for the filter. */
    private List<Split> planByIndex() {
        // Rules may remove rows, and then the limit would not be reached.
        if (limit != null && !filtersRowIds && !rules.mayExist()) {
            batchScan.withLimit(limit);
        }
        // With a filter on partitions, the host applies the limit before rows are left out.
        if (filter != null && (limit == null || snapshotReader.hasNonPartitionFilter())) {
            PartitionPredicate partitions = snapshotReader.manifestsReader().partitionFilter();
            snapshotReader.searchRows(
                    snapshot ->
                            new GlobalIndexSearch(table, partitions, filter)
                                    .rowIds(snapshot)
                                    .map(RowRangeIndex::create));
        }
        return batchScan.plan().splits();
    }

    private static IndexedSplit restrict(
            DataSplit split, RowRangeIndex rowRanges, @Nullable ScoreGetter scores) {
        List<Range> selected = new ArrayList<>();
        for (DataFileMeta file : split.dataFiles()) {
            Range range = file.nonNullRowIdRange();
            selected.addAll(rowRanges.intersectedRanges(range.from, range.to));
        }
        selected = Range.sortAndMergeOverlap(selected, true);
        float[] scoresOfRows = scores == null ? null : scores(selected, scores);
        return split.deletionFiles().isPresent()
                ? new DeletionIndexedSplit(split, selected, scoresOfRows)
                : new IndexedSplit(split, selected, scoresOfRows);
    }

    private static float[] scores(List<Range> ranges, ScoreGetter scores) {
        float[] result = new float[Math.toIntExact(ranges.stream().mapToLong(Range::count).sum())];
        int next = 0;
        for (Range range : ranges) {
            for (long rowId = range.from; rowId <= range.to; rowId++) {
                result[next++] = scores.score(rowId);
            }
        }
        return result;
    }
}
