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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
        String names = arguments[0];
        int rounds = Integer.parseInt(arguments[1]);
        List<String> lines = run(names, rounds, new Measurement(1, 3_000, 8, 1), System.out);
        Files.write(Path.of(arguments[2]), lines, StandardCharsets.UTF_8);
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
        Set<Contestant> contestants = Contestant.present();
        boolean updates = UpdateComparison.NAME.matches(names);
        UpdateComparison update = new UpdateComparison(measurement.divisor(), contestants);
        Set<TableShape> tables = new LinkedHashSet<>();
        scenarios.forEach(scenario -> tables.add(scenario.table()));
        if (updates) {
            tables.add(update.table());
        }
        WarmRowComparison warmRow = new WarmRowComparison(Scenarios.served(measurement.divisor()));
        boolean warmRows = WarmRowComparison.NAME.matches(names);
        if (warmRows) {
            tables.add(warmRow.table());
        }
        Warehouse.write(tables);
        List<String> lines = new ArrayList<>();
        lines.add(Result.header());
        for (Scenario scenario : scenarios) {
            Comparison comparison = new Comparison(scenario, contestants);
            for (int round = 0; round < rounds; round++) {
                comparison.measure(measurement);
            }
            comparison.count();
            report(comparison.result(), lines, out);
        }
        if (updates) {
            for (int round = 0; round < rounds; round++) {
                update.measure(measurement);
            }
            report(update.result(), lines, out);
        }
        if (warmRows) {
            warmRow.measure(measurement, out);
        }
        return lines;
    }

    private static void report(Result result, List<String> lines, PrintStream out) {
        out.println(result);
        lines.add(result.toCsv());
    }
}
