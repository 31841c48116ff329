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

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.metrics.Counter;

/**
 * What a task has done, counted under one name as a metric, which shows the progress of the job,
 * and as an accumulator, from which the call makes its result.
 */
final class Tally {

    private final Map<String, Counter> metrics = new HashMap<>();
    private final Map<String, LongCounter> accumulators = new HashMap<>();

    Tally(RuntimeContext context, String... names) {
        for (String name : names) {
            LongCounter accumulator = new LongCounter();
            context.addAccumulator(name, accumulator);
            accumulators.put(name, accumulator);
            metrics.put(name, context.getMetricGroup().counter(name));
        }
    }

    void add(String name, long count) {
        accumulators.get(name).add(count);
        metrics.get(name).inc(count);
    }

    /** The sum over all tasks; 0 if none of them ran. */
    static long total(JobExecutionResult result, String name) {
        Long total = result.getAccumulatorResult(name);
        return total == null ? 0 : total;
    }
}
