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

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.layers.PlannedRows;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.utils.Range;

/**
 * One of several splits of the same files, with a range of their rows. It is a {@link DataSplit}
 * and not the host's indexed split for row ranges, since engines expect data splits of a table.
 */
final class PartialDataSplit extends GroupedDataSplit implements PlannedRows {

    private static final long serialVersionUID = 1L;

    private final Range rows;

    /**
     * @param split with all rows of its files
     * @param rows row ids, both ends included
     */
    PartialDataSplit(GroupedDataSplit split, Range rows) {
        super(split);
        this.rows = rows;
        assign(notRawConvertible(split));
    }

    /** Engines may regroup the files of a raw-convertible split. */
    private static DataSplit notRawConvertible(DataSplit split) {
        DataSplit.Builder builder =
                DataSplit.builder()
                        .withSnapshot(split.snapshotId())
                        .withPartition(split.partition())
                        .withBucket(split.bucket())
                        .withBucketPath(split.bucketPath())
                        .withTotalBuckets(split.totalBuckets())
                        .withDataFiles(split.dataFiles())
                        .isStreaming(split.isStreaming())
                        .rawConvertible(false);
        split.deletionFiles().ifPresent(builder::withDataDeletionFiles);
        return builder.build();
    }

    @Override
    public List<Range> rowRanges() {
        return Collections.singletonList(rows);
    }

    /** Deleted rows included. */
    @Override
    public long rowCount() {
        long count = 0;
        for (Group<DataFileMeta> group : Group.ofFiles(dataFiles())) {
            Range range = Range.intersection(group.range(), rows);
            count += range == null ? 0 : range.count();
        }
        return count;
    }

    /** Empty if rows may be deleted: a deletion vector only has the count of its whole group. */
    @Override
    public OptionalLong mergedRowCount() {
        boolean mayBeDeleted =
                deletionFiles()
                        .map(files -> files.stream().anyMatch(Objects::nonNull))
                        .orElse(false);
        return mayBeDeleted ? OptionalLong.empty() : OptionalLong.of(rowCount());
    }

    @Override
    public boolean equals(Object other) {
        return super.equals(other) && rows.equals(((PartialDataSplit) other).rows);
    }

    @Override
    public int hashCode() {
        return 31 * super.hashCode() + rows.hashCode();
    }
}
