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
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs JMH for one contestant and one scenario.
 *
 * @param forks JVMs to start, one after the other; 0 for this one
 * @param warmups reads of each JVM that do not count
 * @param reads reads of each JVM that count
 * @param divisor rows of the scenario are divided by it
 */
record Measurement(int forks, int warmups, int reads, int divisor) {

    /** The time of each read that counts, in milliseconds. */
    List<Double> run(Scenario scenario, Contestant contestant) throws RunnerException {
        boolean remote = scenario.storage().behaviour().requestMicros() > 0;
        OptionsBuilder options = new OptionsBuilder();
        options.include(ReadBenchmark.class.getName() + ".read$")
                .param("scenario", scenario.name())
                .param("contestant", contestant.name())
                .param("divisor", Integer.toString(divisor))
                .forks(forks)
                // There is nothing to warm up where the time is spent waiting.
                .warmupIterations(remote ? Math.min(1, warmups) : warmups)
                .measurementIterations(remote ? 1 : reads)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .jvmArgsAppend(
                        "-Xms3g",
                        "-Xmx3g",
                        property("tests.dir"),
                        property(Warehouse.PROPERTY),
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
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
