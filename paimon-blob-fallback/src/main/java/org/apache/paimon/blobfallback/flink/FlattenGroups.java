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
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.paimon.blobfallback.engine.FlattenedBatch;
import org.apache.paimon.blobfallback.update.BlobFlatten;

/**
 * Flattens batches of groups, each in one commit, or only measures them. Returns for each the
 * number of groups that were flattened.
 */
final class FlattenGroups extends AbstractStreamOperator<Long>
        implements OneInputStreamOperator<long[], Long> {

    static final String GROUPS_DONE = "groupsDone";
    static final String LAYERS_BEFORE = "layersBefore";
    static final String BYTES_KEPT = "bytesKept";
    static final String BYTES_DROPPED = "bytesDropped";
    static final String BYTES_READ = "bytesRead";
    static final String BYTES_WRITTEN = "bytesWritten";

    private static final long serialVersionUID = 1L;

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
    public void open() throws Exception {
        super.open();
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

    @Override
    public void processElement(StreamRecord<long[]> batch) throws IOException {
        FlattenedBatch done = FlattenedBatch.of(flatten, tableName, batch.getValue(), dryRun);
        tally.add(GROUPS_DONE, done.groups());
        tally.add(LAYERS_BEFORE, done.layers());
        tally.add(BYTES_KEPT, done.bytesKept());
        tally.add(BYTES_DROPPED, done.bytesDropped());
        tally.add(BYTES_READ, done.bytesRead());
        tally.add(BYTES_WRITTEN, done.bytesWritten());
        output.collect(new StreamRecord<>(done.groups()));
    }
}
