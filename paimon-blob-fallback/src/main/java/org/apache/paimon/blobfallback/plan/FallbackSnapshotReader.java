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
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.Snapshot;
import org.apache.paimon.index.IndexFileHandler;
import org.apache.paimon.operation.FileStoreScan;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.PlanImpl;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.SplitGenerator;
import org.apache.paimon.table.source.snapshot.SnapshotReader;
import org.apache.paimon.table.source.snapshot.SnapshotReaderImpl;
import org.apache.paimon.utils.ChangelogManager;
import org.apache.paimon.utils.DVMetaCache;
import org.apache.paimon.utils.FileStorePathFactory;
import org.apache.paimon.utils.RowRangeIndex;
import org.apache.paimon.utils.SnapshotManager;

/**
 * The host's snapshot reader, except that its splits count their rows correctly and that it can
 * search an index for the rows to read, in the snapshot that it reads.
 */
public final class FallbackSnapshotReader extends SnapshotReaderImpl {

    private final FallbackFileStoreScan scan;

    @Nullable private Snapshot snapshot;
    @Nullable private Function<Snapshot, Optional<RowRangeIndex>> rowSearch;
    @Nullable private RowRangeIndex foundRows;

    /** Takes the arguments of the host's own snapshot reader. */
    public FallbackSnapshotReader(
            FallbackFileStoreScan scan,
            TableSchema schema,
            CoreOptions options,
            SnapshotManager snapshotManager,
            ChangelogManager changelogManager,
            SplitGenerator splitGenerator,
            BiConsumer<FileStoreScan, Predicate> nonPartitionFilterConsumer,
            FileStorePathFactory pathFactory,
            String tableName,
            IndexFileHandler indexFileHandler,
            @Nullable DVMetaCache deletionVectorCache) {
        super(
                scan,
                schema,
                options,
                snapshotManager,
                changelogManager,
                splitGenerator,
                nonPartitionFilterConsumer,
                pathFactory,
                tableName,
                indexFileHandler,
                deletionVectorCache);
        this.scan = scan;
    }

    @Override
    public SnapshotReader withSnapshot(long snapshotId) {
        return withSnapshot(snapshotManager().snapshot(snapshotId));
    }

    @Override
    public SnapshotReader withSnapshot(Snapshot snapshot) {
        this.snapshot = snapshot;
        return super.withSnapshot(snapshot);
    }

    /**
     * Makes the next {@link #read} search for the rows to read first.
     *
     * @param search is given the snapshot that is read, and finds row ids, or nothing if all rows
     *     are to be read
     */
    void searchRows(Function<Snapshot, Optional<RowRangeIndex>> search) {
        this.rowSearch = search;
    }

    /** The rows that the search has found; null if all are read. */
    @Nullable
    RowRangeIndex foundRows() {
        return foundRows;
    }

    @Override
    public Plan read() {
        if (rowSearch != null) {
            if (snapshot == null) {
                withSnapshot(snapshotManager().latestSnapshot());
            }
            this.foundRows = rowSearch.apply(snapshot).orElse(null);
            if (foundRows != null) {
                withRowRangeIndex(foundRows);
            }
        }
        Plan plan = super.read();
        List<Split> splits = new ArrayList<>(plan.splits().size());
        for (Split split : plan.splits()) {
            splits.add(new GroupedDataSplit((DataSplit) split, scan.plannedFieldIds()));
        }
        return new PlanImpl(plan.watermark(), plan.snapshotId(), splits);
    }
}
