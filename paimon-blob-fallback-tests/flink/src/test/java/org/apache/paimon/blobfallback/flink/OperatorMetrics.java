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

import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/**
 * A metric reporter of the tests' cluster, as users have one: it sees the counters of operators.
 */
public final class OperatorMetrics implements MetricReporter, MetricReporterFactory {

    private static final ConcurrentLinkedQueue<Seen> SEEN = new ConcurrentLinkedQueue<>();

    private record Seen(String operator, String name, Counter counter) {}

    /** Forgets what was seen so far. */
    static void reset() {
        SEEN.clear();
    }

    /** The sum of a counter over all tasks of an operator, those that have ended included. */
    static long sum(String operator, String name) {
        return SEEN.stream()
                .filter(seen -> seen.operator.equals(operator) && seen.name.equals(name))
                .mapToLong(seen -> seen.counter.getCount())
                .sum();
    }

    @Override
    public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
        Map<String, String> variables = group.getAllVariables();
        if (metric instanceof Counter counter && variables.containsKey("<operator_name>")) {
            SEEN.add(new Seen(variables.get("<operator_name>"), name, counter));
        }
    }

    @Override
    public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {
        // What a task has counted is of interest after its end.
    }

    @Override
    public MetricReporter createMetricReporter(Properties properties) {
        return this;
    }

    @Override
    public void open(MetricConfig config) {
        // Nothing is sent anywhere.
    }

    @Override
    public void close() {
        reset();
    }
}
