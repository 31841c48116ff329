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

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.index.IndexFileHandler;
import org.apache.paimon.operation.FileStoreScan;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.PlanImpl;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.SplitGenerator;
import org.apache.paimon.table.source.snapshot.SnapshotReaderImpl;
import org.apache.paimon.utils.ChangelogManager;
import org.apache.paimon.utils.DVMetaCache;
import org.apache.paimon.utils.FileStorePathFactory;
import org.apache.paimon.utils.SnapshotManager;

/** The host's snapshot reader, whose splits count their rows right. */
final class FallbackSnapshotReader extends SnapshotReaderImpl {

    /** Takes what the host's own snapshot reader takes. */
    FallbackSnapshotReader(
            FileStoreScan scan,
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
    }

    @Override
    public Plan read() {
        Plan plan = super.read();
        List<Split> splits = new ArrayList<>(plan.splits().size());
        for (Split split : plan.splits()) {
            splits.add(new GroupedDataSplit((DataSplit) split));
        }
        return new PlanImpl(plan.watermark(), plan.snapshotId(), splits);
    }
}
