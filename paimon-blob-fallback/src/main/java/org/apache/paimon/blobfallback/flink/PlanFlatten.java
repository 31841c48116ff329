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

import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;
import org.apache.paimon.blobfallback.engine.FlattenBatches;
import org.apache.paimon.blobfallback.update.BlobFlatten;

/** Hands out the groups of a table in batches of adjacent groups. */
final class PlanFlatten implements FlatMapFunction<Long, long[]> {

    private static final long serialVersionUID = 1L;

    private final BlobFlatten flatten;
    private final int parallelism;
    private final int groupsPerCommit;

    PlanFlatten(BlobFlatten flatten, int parallelism, int groupsPerCommit) {
        this.flatten = flatten;
        this.parallelism = parallelism;
        this.groupsPerCommit = groupsPerCommit;
    }

    @Override
    public void flatMap(Long start, Collector<long[]> batches) {
        FlattenBatches.of(flatten.groups(), parallelism, groupsPerCommit).forEach(batches::collect);
    }
}
