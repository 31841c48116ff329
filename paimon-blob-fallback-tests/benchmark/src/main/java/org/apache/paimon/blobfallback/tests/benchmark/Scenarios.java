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
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;

/** All that is measured. */
final class Scenarios {

    private static final int WHOLE = 1000;
    private static final int TENTH = 100;
    private static final int HUNDREDTH = 10;
    private static final int LARGE = 1 << 16;

    private Scenarios() {}

    /** All scenarios. */
    static List<Scenario> all(int divisor) {
        List<Scenario> scenarios = new ArrayList<>(targets(divisor));
        scenarios.addAll(growth(divisor));
        return scenarios;
    }

    /** The scenario of that name. */
    static Scenario named(String name, int divisor) {
        return all(divisor).stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No scenario " + name));
    }

    /**
     * What has a target.
     *
     * @param divisor rows, and layers where there are many, are divided by it, for a run that only
     *     shows that it runs
     */
    static List<Scenario> targets(int divisor) {
        TableShape rewritten = new TableShape(2_000 / divisor, LARGE, 8, WHOLE);
        TableShape touched = new TableShape(2_000 / divisor, LARGE, 8, TENTH);
        TableShape large = new TableShape(2_000 / divisor, LARGE, 1, 0);
        TableShape small = new TableShape(500_000 / divisor, 8, 1, 0);
        TableShape smallTouched = new TableShape(500_000 / divisor, 8, 8, TENTH);
        TableShape many = new TableShape(2_000_000 / divisor, 8, 8, TENTH);
        TableShape deep =
                new TableShape(1_000_000 / divisor, 8, Math.max(3, 64 / divisor), HUNDREDTH);
        List<Scenario> scenarios = new ArrayList<>();
        scenarios.add(Scenario.of("large-8-layers-rewritten", rewritten).atLeast(6));
        scenarios.add(Scenario.of("large-1-layer", large).atLeast(1));
        scenarios.add(Scenario.of("small-1-layer", small).atLeast(20));
        scenarios.add(Scenario.of("no-blob-column", small).withoutBlobs().atLeast(1));
        scenarios.add(Scenario.of("small-8-layers", smallTouched).atLeast(20));
        scenarios.add(Scenario.of("descriptors-8-layers", many).asDescriptors().atLeast(3));
        scenarios.add(Scenario.of("one-row-64-layers", deep).oneRowOnly().atLeast(10));
        scenarios.add(
                Scenario.of("large-8-layers-store", touched).from(Storage.STORE_20_MS).atLeast(10));
        scenarios.add(
                Scenario.of("large-8-layers-hadoop-store", touched)
                        .from(Storage.HADOOP_STORE_20_MS));
        scenarios.add(Scenario.of("small-1-layer-with-its-plan", small).withItsPlan().atLeast(25));
        scenarios.add(
                Scenario.of("descriptors-8-layers-with-its-plan", many)
                        .asDescriptors()
                        .withItsPlan()
                        .atLeast(5));
        TableShape served = served(divisor);
        scenarios.add(
                Scenario.of("1000-rows-first", served).ofRows(1_000, Served.FIRST).atLeast(5));
        scenarios.add(Scenario.of("1000-rows-warm", served).ofRows(1_000, Served.WARM).atLeast(50));
        scenarios.addAll(filters(divisor));
        return scenarios;
    }

    /** The table whose rows are read by row id. */
    static TableShape served(int divisor) {
        return new TableShape(1_000_000 / divisor, 1 << 10, 8, TENTH);
    }

    /** Rows that match a filter, one in a hundred or all of them. */
    private static List<Scenario> filters(int divisor) {
        TableShape oneLayer = new TableShape(20_000 / divisor, LARGE, 1, 0);
        TableShape touched = new TableShape(20_000 / divisor, LARGE, 8, TENTH);
        TableShape remote = new TableShape(2_000 / divisor, LARGE, 1, 0);
        ReadRequest.Filter one =
                ReadRequest.Filter.of(TableShape.LABEL, ReadRequest.Filter.Kind.EQUAL, 7);
        ReadRequest.Filter all =
                ReadRequest.Filter.of(
                        TableShape.LABEL, ReadRequest.Filter.Kind.GREATER_OR_EQUAL, 0);
        return List.of(
                Scenario.of("filter-1-layer", oneLayer).where(one).atLeast(25),
                Scenario.of("filter-8-layers", touched).where(one).atLeast(40),
                Scenario.of("filter-that-all-match", oneLayer).where(all),
                // What a filter that all rows match is compared with.
                Scenario.of("filter-none", oneLayer).withLabels(),
                Scenario.of("filter-1-layer-store", remote)
                        .from(Storage.STORE_20_MS)
                        .where(one)
                        .atLeast(10));
    }

    /**
     * How cost grows, one thing at a time. Names are {@code growth-what-number}.
     *
     * @param divisor rows are divided by it
     */
    private static List<Scenario> growth(int divisor) {
        List<Scenario> scenarios = new ArrayList<>();
        for (int rows : new int[] {1_000, 10_000, 100_000, 1_000_000}) {
            scenarios.add(
                    Scenario.of(
                            "growth-rows-" + rows, new TableShape(rows / divisor, 8, 8, TENTH)));
        }
        for (int layers : new int[] {1, 2, 4, 8, 16, 32, 64}) {
            scenarios.add(
                    Scenario.of(
                            "growth-layers-" + layers,
                            new TableShape(100_000 / divisor, 8, layers, TENTH)));
        }
        for (int bytes : new int[] {8, 1 << 10, 1 << 14, 1 << 16, 1 << 18}) {
            scenarios.add(
                    Scenario.of(
                            "growth-bytes-" + bytes,
                            new TableShape(1_000 / divisor, bytes, 4, WHOLE)));
        }
        TableShape remote = new TableShape(200 / divisor, LARGE, 8, TENTH);
        scenarios.add(Scenario.of("growth-latency-1", remote).from(Storage.STORE_1_MS));
        scenarios.add(Scenario.of("growth-latency-5", remote).from(Storage.STORE_5_MS));
        scenarios.add(Scenario.of("growth-latency-20", remote).from(Storage.STORE_20_MS));
        scenarios.add(Scenario.of("growth-latency-50", remote).from(Storage.STORE_50_MS));
        return scenarios;
    }
}
