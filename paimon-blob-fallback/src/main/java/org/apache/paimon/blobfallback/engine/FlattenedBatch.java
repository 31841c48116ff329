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

package org.apache.paimon.blobfallback.engine;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.paimon.blobfallback.update.BlobFlatten;
import org.apache.paimon.blobfallback.update.BlobFlattenTask;
import org.apache.paimon.utils.Range;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the flatten of a batch of groups has done, or would do. */
public final class FlattenedBatch {

    private static final Logger LOG = LoggerFactory.getLogger(FlattenedBatch.class);

    private final Set<Range> groups = new HashSet<>();
    private long layers;
    private long bytesKept;
    private long bytesDropped;
    private long bytesRead;
    private long bytesWritten;

    private FlattenedBatch() {}

    /**
     * Flattens a batch of groups in one commit, or only measures it.
     *
     * @param tableName for the log
     * @param batch as {@link FlattenBatches} makes it
     * @param dryRun whether to change nothing
     * @throws IOException as {@link BlobFlatten#run(List)}
     */
    public static FlattenedBatch of(
            BlobFlatten flatten, String tableName, long[] batch, boolean dryRun)
            throws IOException {
        FlattenedBatch done = new FlattenedBatch();
        List<Range> groups = RowIdRanges.decode(batch);
        long readBefore = flatten.bytesRead();
        long writtenBefore = flatten.bytesWritten();
        List<BlobFlattenTask> tasks = dryRun ? flatten.plan(groups) : flatten.run(groups);
        tasks.forEach(done::add);
        done.bytesRead = flatten.bytesRead() - readBefore;
        done.bytesWritten = flatten.bytesWritten() - writtenBefore;
        if (!dryRun && !tasks.isEmpty()) {
            done.log(tableName, groups.get(0).from, groups.get(groups.size() - 1).to);
        }
        return done;
    }

    private void add(BlobFlattenTask task) {
        groups.add(task.rowIds());
        layers += task.layerCount();
        bytesKept += task.bytesKept();
        bytesDropped += task.bytesDropped();
    }

    private void log(String tableName, long firstRowId, long lastRowId) {
        LOG.info(
                "Flattened {} groups of table {} in one commit, row ids {} to {}: {} layers"
                        + " before, {} bytes kept, {} bytes dropped; {} bytes read, {} bytes"
                        + " written.",
                groups(),
                tableName,
                firstRowId,
                lastRowId,
                layers,
                bytesKept,
                bytesDropped,
                bytesRead,
                bytesWritten);
    }

    /** Number of groups. */
    public long groups() {
        return groups.size();
    }

    /** Number of layers before. */
    public long layers() {
        return layers;
    }

    /** Bytes of the entries that are kept. */
    public long bytesKept() {
        return bytesKept;
    }

    /** Bytes of the replaced files that are not kept. */
    public long bytesDropped() {
        return bytesDropped;
    }

    /** Bytes that were read of blob files. */
    public long bytesRead() {
        return bytesRead;
    }

    /** Bytes of the files that were written. */
    public long bytesWritten() {
        return bytesWritten;
    }
}
