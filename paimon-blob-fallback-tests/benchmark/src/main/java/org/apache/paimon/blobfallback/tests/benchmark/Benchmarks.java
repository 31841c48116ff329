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

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Compares both Paimons and prints the ratios.
 *
 * <p>Arguments: a regular expression for the names of the scenarios, the number of rounds, and a
 * file for the results as comma separated values.
 */
public final class Benchmarks {

    private Benchmarks() {}

    public static void main(String[] arguments) throws Exception {
        String names = arguments.length > 0 ? arguments[0] : ".*";
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 2;
        List<String> lines = run(names, rounds, new Measurement(1, 4, 8, 1), System.out);
        if (arguments.length > 2) {
            Files.write(Path.of(arguments[2]), lines, StandardCharsets.UTF_8);
        }
    }

    /**
     * Measures.
     *
     * @param names regular expression that the whole name of a scenario must match
     * @param out is told each result as it comes
     * @return the results as comma separated values, with a header
     */
    static List<String> run(String names, int rounds, Measurement measurement, PrintStream out)
            throws Exception {
        List<Scenario> scenarios =
                Scenarios.all(measurement.divisor()).stream()
                        .filter(scenario -> scenario.name().matches(names))
                        .collect(Collectors.toList());
        Warehouse.write(scenarios);
        List<String> lines = new ArrayList<>();
        lines.add(Comparison.header());
        for (Scenario scenario : scenarios) {
            Comparison comparison = new Comparison(scenario);
            for (int round = 0; round < rounds; round++) {
                comparison.measure(measurement);
            }
            comparison.count();
            out.println(comparison);
            lines.add(comparison.toCsv());
        }
        return lines;
    }
}
