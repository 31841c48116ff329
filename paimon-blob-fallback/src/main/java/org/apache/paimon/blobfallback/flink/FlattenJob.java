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

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.update.BlobFlatten;

/**
 * Flattens with as many tasks as the job has.
 *
 * <p>One task plans and hands out batches of groups; the others flatten each batch in a commit of
 * its own. So only ranges of row ids are in flight: a lost task loses at most the batch that it was
 * working on, and a restarted job plans again and finds that committed groups are flat.
 */
final class FlattenJob {

    private final String tableName;
    private final BlobFlatten flatten;
    private final boolean dryRun;
    private final int groupsPerCommit;

    FlattenJob(String tableName, BlobFlatten flatten, boolean dryRun, int groupsPerCommit) {
        this.tableName = tableName;
        this.flatten = flatten;
        this.dryRun = dryRun;
        this.groupsPerCommit = groupsPerCommit;
    }

    /** Runs the job and returns the row that the procedure returns. */
    Row run(BatchJob job) throws Exception {
        job.environment()
                .fromSequence(1, 1)
                .setParallelism(1)
                .name("Start")
                .flatMap(new PlanFlatten(flatten, job.parallelism(), groupsPerCommit))
                .returns(PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO)
                .setParallelism(1)
                .name("Plan groups of " + tableName)
                .rebalance()
                .transform(
                        (dryRun ? "Measure groups of " : "Flatten groups of ") + tableName,
                        Types.LONG,
                        new FlattenGroups(tableName, flatten, dryRun))
                .setParallelism(job.parallelism())
                .sinkTo(new DiscardingSink<>())
                .setParallelism(job.parallelism())
                .name("End");
        JobExecutionResult result =
                job.run(
                        (dryRun ? "Measuring blob layers of " : "Flattening blob layers of ")
                                + tableName);
        return Row.of(
                Tally.total(result, FlattenGroups.GROUPS_DONE),
                Tally.total(result, FlattenGroups.LAYERS_BEFORE),
                Tally.total(result, FlattenGroups.BYTES_KEPT),
                Tally.total(result, FlattenGroups.BYTES_DROPPED));
    }
}
