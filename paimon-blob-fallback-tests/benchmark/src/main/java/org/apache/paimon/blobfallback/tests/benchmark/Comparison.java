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

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.PaimonScanner;
import org.apache.paimon.blobfallback.tests.bridge.StorageMeter;
import org.openjdk.jmh.runner.RunnerException;

/** Both contestants on one scenario: times, best of all rounds, and what they ask the storage. */
final class Comparison {

    private final Scenario scenario;
    private final Map<Contestant, Double> best = new EnumMap<>(Contestant.class);
    private final Map<Contestant, StorageMeter.Reading> storage = new EnumMap<>(Contestant.class);

    Comparison(Scenario scenario) {
        this.scenario = scenario;
    }

    /** One more round; the contestants take turns so that a disturbance meets both. */
    void measure(Measurement measurement) throws RunnerException {
        for (Contestant contestant : Contestant.values()) {
            List<Double> times = measurement.run(scenario, contestant);
            best.merge(contestant, Collections.min(times), Math::min);
        }
    }

    /**
     * Counts what each contestant asks the storage in one read.
     *
     * @throws IllegalStateException if they do not read the same
     */
    void count() throws Exception {
        boolean remote = scenario.storage().behaviour().requestMicros() > 0;
        Scenario counted = scenario.from(remote ? scenario.storage() : Storage.COUNTED_DISK);
        PaimonScanner.Scan expected = null;
        for (Contestant contestant : Contestant.values()) {
            try (Reader reader = new Reader(contestant, counted)) {
                StorageMeter.reset();
                PaimonScanner.Scan scan = reader.read();
                storage.put(contestant, StorageMeter.reading());
                if (expected != null && !scan.equals(expected)) {
                    throw new IllegalStateException(
                            scenario.name() + " reads as " + expected + " and as " + scan);
                }
                expected = scan;
            }
        }
    }

    static String header() {
        return "scenario,rows,blob_bytes,layers,touched_permille,storage,paimon2_ms,plugin_ms,"
                + "ratio,target,paimon2_requests,plugin_requests,paimon2_bytes,plugin_bytes,"
                + "paimon2_streams,plugin_streams";
    }

    /** One line of comma separated values, under {@link #header()}. */
    String toCsv() {
        StorageMeter.Reading paimon2 = storage.get(Contestant.PAIMON_2);
        StorageMeter.Reading plugin = storage.get(Contestant.PLUGIN);
        return String.format(
                Locale.ROOT,
                "%s,%d,%d,%d,%d,%s,%.3f,%.3f,%.2f,%s,%d,%d,%d,%d,%d,%d",
                scenario.name(),
                scenario.table().rows(),
                scenario.table().blobBytes(),
                scenario.table().layers(),
                scenario.table().touchedPermille(),
                scenario.storage(),
                best.get(Contestant.PAIMON_2),
                best.get(Contestant.PLUGIN),
                ratio(),
                scenario.target() == 0 ? "" : scenario.target(),
                paimon2.requests(),
                plugin.requests(),
                paimon2.bytes(),
                plugin.bytes(),
                paimon2.mostOpenStreams(),
                plugin.mostOpenStreams());
    }

    @Override
    public String toString() {
        StorageMeter.Reading paimon2 = storage.get(Contestant.PAIMON_2);
        StorageMeter.Reading plugin = storage.get(Contestant.PLUGIN);
        return String.format(
                Locale.ROOT,
                "%-28s %10.2f ms %10.2f ms %8.1f x %8s  %9d req %9d req  %11d B %11d B",
                scenario.name(),
                best.get(Contestant.PAIMON_2),
                best.get(Contestant.PLUGIN),
                ratio(),
                scenario.target() == 0 ? "" : ">= " + scenario.target(),
                paimon2.requests(),
                plugin.requests(),
                paimon2.bytes(),
                plugin.bytes());
    }

    private double ratio() {
        return best.get(Contestant.PAIMON_2) / best.get(Contestant.PLUGIN);
    }
}
