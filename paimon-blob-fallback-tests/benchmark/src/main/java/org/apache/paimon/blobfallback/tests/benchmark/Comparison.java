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
import java.util.Map;
import java.util.Set;
import org.apache.paimon.blobfallback.tests.bridge.PaimonScanner;
import org.apache.paimon.blobfallback.tests.bridge.StorageMeter;
import org.openjdk.jmh.runner.RunnerException;

/** Both contestants on one scenario: times, best of all rounds, and what they ask the storage. */
final class Comparison {

    private final Scenario scenario;
    private final Set<Contestant> contestants;
    private final Map<Contestant, Double> best = new EnumMap<>(Contestant.class);
    private final Map<Contestant, StorageMeter.Reading> storage = new EnumMap<>(Contestant.class);

    Comparison(Scenario scenario, Set<Contestant> contestants) {
        this.scenario = scenario;
        this.contestants = contestants;
    }

    /** One more round; the contestants take turns so that a disturbance meets both. */
    void measure(Measurement measurement) throws RunnerException {
        for (Contestant contestant : contestants) {
            List<Double> times = measurement.read(scenario, contestant);
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
        for (Contestant contestant : contestants) {
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

    /** What was measured so far. */
    Result result() {
        return new Result(
                scenario.name(),
                scenario.table(),
                scenario.storage(),
                scenario.target(),
                best,
                storage);
    }
}
