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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.paimon.globalindex.DataEvolutionBatchScan;
import org.apache.paimon.globalindex.GlobalIndexResult;
import org.apache.paimon.globalindex.GlobalIndexScanner;
import org.apache.paimon.globalindex.IndexedSplit;
import org.apache.paimon.globalindex.ScoreGetter;
import org.apache.paimon.globalindex.ScoredGlobalIndexResult;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.DataTableBatchScan;
import org.apache.paimon.table.source.InnerTableScan;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.utils.Range;
import org.apache.paimon.utils.RowRangeIndex;

/**
 * The host's batch scan with row ranges that are taken over all files of a split. The host takes
 * them from the first row id of the first file to the last row id of the last file, which leaves
 * out rows where a newer file covers only a part of its group.
 */
final class FallbackBatchScan extends DataEvolutionBatchScan {

    private final FileStoreTable table;
    private final DataTableBatchScan batchScan;

    @Nullable private Integer limit;
    @Nullable private Predicate filter;
    @Nullable private RowRangeIndex pushedRowRanges;
    @Nullable private GlobalIndexResult globalIndexResult;

    FallbackBatchScan(FileStoreTable table, DataTableBatchScan batchScan) {
        super(table, batchScan);
        this.table = table;
        this.batchScan = batchScan;
    }

    /** The host takes row ids out of the filter and comes back with them as row ranges. */
    @Override
    public InnerTableScan withFilter(@Nullable Predicate predicate) {
        super.withFilter(predicate);
        if (predicate != null) {
            List<Predicate> onColumns =
                    PredicateBuilder.excludePredicateWithFields(
                            PredicateBuilder.splitAnd(predicate),
                            Collections.singleton(SpecialFields.ROW_ID.name()));
            this.filter = onColumns.isEmpty() ? null : PredicateBuilder.and(onColumns);
        }
        return this;
    }

    /** Kept back until it is known whether row ranges take rows away from the planned files. */
    @Override
    public InnerTableScan withLimit(int limit) {
        this.limit = limit;
        return this;
    }

    @Override
    public InnerTableScan withRowRanges(@Nullable List<Range> rowRanges) {
        super.withRowRanges(rowRanges);
        if (rowRanges != null) {
            this.pushedRowRanges = RowRangeIndex.create(rowRanges);
        }
        return this;
    }

    @Override
    public InnerTableScan withRowRangeIndex(@Nullable RowRangeIndex rowRangeIndex) {
        super.withRowRangeIndex(rowRangeIndex);
        if (rowRangeIndex != null) {
            this.pushedRowRanges = rowRangeIndex;
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
        RowRangeIndex rowRanges = pushedRowRanges;
        ScoreGetter scores = null;
        if (rowRanges == null) {
            GlobalIndexResult found =
                    globalIndexResult != null ? globalIndexResult : searchGlobalIndex();
            if (found == null) {
                if (limit != null) {
                    batchScan.withLimit(limit);
                }
                return batchScan.plan();
            }
            rowRanges = RowRangeIndex.create(found.results().toRangeList());
            if (found instanceof ScoredGlobalIndexResult) {
                scores = ((ScoredGlobalIndexResult) found).scoreGetter();
            }
        }
        List<Split> splits = new ArrayList<>();
        for (Split split : batchScan.withRowRangeIndex(rowRanges).plan().splits()) {
            splits.add(restrict((DataSplit) split, rowRanges, scores));
        }
        return () -> splits;
    }

    @Nullable
    private GlobalIndexResult searchGlobalIndex() {
        if (filter == null || !table.coreOptions().globalIndexEnabled()) {
            return null;
        }
        Optional<GlobalIndexScanner> scanner =
                GlobalIndexScanner.create(
                        table,
                        batchScan.snapshotReader().manifestsReader().partitionFilter(),
                        filter);
        if (!scanner.isPresent()) {
            return null;
        }
        try (GlobalIndexScanner open = scanner.get()) {
            return open.scan(filter).orElse(null);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Failed to search the global index of table " + table.fullName(), e);
        }
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
