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

package org.apache.paimon.blobfallback.flink;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.paimon.blobfallback.update.BlobFlatten;
import org.apache.paimon.blobfallback.update.BlobFlattenTask;
import org.apache.paimon.utils.Range;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Flattens batches of groups, each in one commit, or only measures them. */
final class FlattenGroups extends RichMapFunction<long[], Long> {

    static final String GROUPS_DONE = "groupsDone";
    static final String LAYERS_BEFORE = "layersBefore";
    static final String BYTES_KEPT = "bytesKept";
    static final String BYTES_DROPPED = "bytesDropped";
    static final String BYTES_READ = "bytesRead";
    static final String BYTES_WRITTEN = "bytesWritten";

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(FlattenGroups.class);

    private final String tableName;
    private final BlobFlatten flatten;
    private final boolean dryRun;

    private transient Tally tally;

    FlattenGroups(String tableName, BlobFlatten flatten, boolean dryRun) {
        this.tableName = tableName;
        this.flatten = flatten;
        this.dryRun = dryRun;
    }

    @Override
    public void open(OpenContext context) {
        tally =
                new Tally(
                        getRuntimeContext(),
                        GROUPS_DONE,
                        LAYERS_BEFORE,
                        BYTES_KEPT,
                        BYTES_DROPPED,
                        BYTES_READ,
                        BYTES_WRITTEN);
    }

    /** Returns the number of groups that were flattened. */
    @Override
    public Long map(long[] batch) throws IOException {
        List<Range> groups = RowIdRanges.decode(batch);
        long readBefore = flatten.bytesRead();
        long writtenBefore = flatten.bytesWritten();
        List<BlobFlattenTask> tasks = dryRun ? flatten.plan(groups) : flatten.run(groups);
        Set<Range> done = new HashSet<>();
        long layers = 0;
        long kept = 0;
        long dropped = 0;
        for (BlobFlattenTask task : tasks) {
            done.add(task.rowIds());
            layers += task.layerCount();
            kept += task.bytesKept();
            dropped += task.bytesDropped();
        }
        tally.add(GROUPS_DONE, done.size());
        tally.add(LAYERS_BEFORE, layers);
        tally.add(BYTES_KEPT, kept);
        tally.add(BYTES_DROPPED, dropped);
        long read = flatten.bytesRead() - readBefore;
        long written = flatten.bytesWritten() - writtenBefore;
        tally.add(BYTES_READ, read);
        tally.add(BYTES_WRITTEN, written);
        if (!dryRun && !tasks.isEmpty()) {
            LOG.info(
                    "Flattened {} groups of table {} in one commit, row ids {} to {}: {} layers"
                            + " before, {} bytes kept, {} bytes dropped; {} bytes read, {} bytes"
                            + " written.",
                    done.size(),
                    tableName,
                    groups.get(0).from,
                    groups.get(groups.size() - 1).to,
                    layers,
                    kept,
                    dropped,
                    read,
                    written);
        }
        return (long) done.size();
    }
}
