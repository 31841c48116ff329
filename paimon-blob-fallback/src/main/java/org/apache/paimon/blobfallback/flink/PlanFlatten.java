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

import java.util.List;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;
import org.apache.paimon.blobfallback.update.BlobFlatten;
import org.apache.paimon.utils.Range;

/** Hands out the groups of a table in batches, neighbours together. */
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
        List<Range> groups = flatten.groups();
        // A few groups are for all tasks, rather than for one commit of one task.
        int fairShare = (groups.size() + parallelism - 1) / parallelism;
        int size = Math.max(1, Math.min(groupsPerCommit, fairShare));
        for (int from = 0; from < groups.size(); from += size) {
            batches.collect(
                    RowIdRanges.encode(groups.subList(from, Math.min(groups.size(), from + size))));
        }
    }
}
