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

package org.apache.paimon.blobfallback.read;

import java.io.IOException;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.layers.PlannedRows;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.globalindex.IndexedSplit;
import org.apache.paimon.globalindex.IndexedSplitRecordReader;
import org.apache.paimon.mergetree.compact.ConcatRecordReader;
import org.apache.paimon.operation.SplitRead;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.reader.ReaderSupplier;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.IncrementalSplit;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.Range;

/**
 * Reads splits of a data-evolution table group by group, ascending by row id; a group's files are
 * opened when the read reaches it. Filters are ignored unless a subclass applies them, as the host
 * ignores them for such tables too.
 */
abstract class GroupedSplitRead implements SplitRead<InternalRow> {

    private RowType readType;

    /**
     * @param readType columns to read unless {@link #withReadType} is called
     */
    GroupedSplitRead(RowType readType) {
        this.readType = readType;
    }

    @Override
    public SplitRead<InternalRow> forceKeepDelete() {
        return this;
    }

    @Override
    public SplitRead<InternalRow> withIOManager(@Nullable IOManager ioManager) {
        return this;
    }

    @Override
    public SplitRead<InternalRow> withReadType(RowType readType) {
        this.readType = readType;
        return this;
    }

    @Override
    public SplitRead<InternalRow> withFilter(@Nullable Predicate predicate) {
        return this;
    }

    /**
     * Opens a split.
     *
     * @param split a {@link DataSplit}, an {@link IndexedSplit}, whose scores stay with its rows,
     *     or an {@link IncrementalSplit}, whose added files are read
     * @throws IllegalArgumentException if the split is of another kind, or its files are
     *     inconsistent
     */
    @Override
    public RecordReader<InternalRow> createReader(Split split) throws IOException {
        if (split instanceof MaskedSplit) {
            return createReader(((MaskedSplit) split).split());
        }
        if (split instanceof IndexedSplit) {
            IndexedSplit indexed = (IndexedSplit) split;
            IndexedSplitRecordReader.Info info =
                    IndexedSplitRecordReader.readInfo(readType, indexed);
            return new IndexedSplitRecordReader(
                    ConcatRecordReader.create(
                            readers(indexed.dataSplit(), indexed.rowRanges(), info.actualReadType)),
                    info);
        }
        if (split instanceof DataSplit) {
            DataSplit files = (DataSplit) split;
            return ConcatRecordReader.create(readers(files, PlannedRows.of(files), readType));
        }
        if (split instanceof IncrementalSplit) {
            return ConcatRecordReader.create(
                    readers(filesAdded((IncrementalSplit) split), null, readType));
        }
        throw new IllegalArgumentException(
                "Expected a split of data files, found " + split.getClass().getName());
    }

    /**
     * The files added between two tags; files removed in between return no rows, as in Paimon 2.0.
     */
    private static DataSplit filesAdded(IncrementalSplit split) {
        DataSplit.Builder files =
                DataSplit.builder()
                        .withSnapshot(split.snapshotId())
                        .withPartition(split.partition())
                        .withBucket(split.bucket())
                        // Paths of files depend on partition and bucket.
                        .withBucketPath("")
                        .withTotalBuckets(split.totalBuckets())
                        .withDataFiles(split.afterFiles());
        if (split.afterDeletionFiles() != null) {
            files.withDataDeletionFiles(split.afterDeletionFiles());
        }
        return files.build();
    }

    /**
     * The readers of a split's groups.
     *
     * @param rowRanges row ids to read; null for all
     * @param readType columns to read
     */
    abstract List<ReaderSupplier<InternalRow>> readers(
            DataSplit split, @Nullable List<Range> rowRanges, RowType readType);
}
