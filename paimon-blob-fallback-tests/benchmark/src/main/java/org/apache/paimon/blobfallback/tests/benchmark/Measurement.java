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

package org.apache.paimon.blobfallback.tests.benchmark;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs JMH for one contestant.
 *
 * @param forks JVMs to start, one after the other; 0 for this one
 * @param warmUpMillis how long each JVM does, before it counts, what is measured
 * @param repeats how often each JVM then does it
 * @param divisor rows of the scenario are divided by it
 */
record Measurement(int forks, int warmUpMillis, int repeats, int divisor) {

    private static final String MASTER_DIR = "paimon.master.dir";

    /** The time of each read of a scenario, in milliseconds. */
    List<Double> read(Scenario scenario, Contestant contestant) throws RunnerException {
        boolean remote = scenario.storage().behaviour().requestMicros() > 0;
        ChainedOptionsBuilder options =
                options(ReadBenchmark.class, contestant)
                        .param("scenario", scenario.name())
                        .param("divisor", Integer.toString(divisor))
                        // There is nothing to warm up where the time is spent waiting.
                        .param("warmUpMillis", Integer.toString(remote ? 0 : warmUpMillis))
                        .measurementIterations(remote ? 1 : repeats);
        return run(options);
    }

    /** The time of each update, in milliseconds. */
    List<Double> update(TableShape table, int touched, Contestant contestant)
            throws RunnerException {
        return run(
                options(UpdateBenchmark.class, contestant)
                        .param("rows", Integer.toString(table.rows()))
                        .param("touched", Integer.toString(touched))
                        .param("warmUpMillis", Integer.toString(warmUpMillis))
                        .measurementIterations(repeats));
    }

    private ChainedOptionsBuilder options(Class<?> benchmark, Contestant contestant) {
        String[] master =
                System.getProperty(MASTER_DIR) == null
                        ? new String[0]
                        : new String[] {property(MASTER_DIR)};
        return new OptionsBuilder()
                .jvmArgsPrepend(master)
                .include(benchmark.getName() + "[.]")
                .param("contestant", contestant.name())
                .forks(forks)
                .warmupIterations(0)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .jvmArgsAppend(
                        "-Xms3g",
                        "-Xmx3g",
                        // A page that is touched for the first time would cost more than a read.
                        "-XX:+AlwaysPreTouch",
                        property("tests.dir"),
                        property(Warehouse.PROPERTY),
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    }

    private static List<Double> run(ChainedOptionsBuilder options) throws RunnerException {
        List<Double> times = new ArrayList<>();
        for (RunResult result : new Runner(options.build()).run()) {
            for (BenchmarkResult fork : result.getBenchmarkResults()) {
                for (IterationResult iteration : fork.getIterationResults()) {
                    times.add(iteration.getPrimaryResult().getScore());
                }
            }
        }
        return times;
    }

    private static String property(String key) {
        return "-D" + key + "=" + System.getProperty(key);
    }
}
