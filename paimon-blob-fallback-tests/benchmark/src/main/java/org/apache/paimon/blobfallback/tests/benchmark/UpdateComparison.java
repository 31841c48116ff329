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
import java.util.Map;
import java.util.Set;
import org.apache.paimon.blobfallback.tests.bridge.StorageMeter;
import org.openjdk.jmh.runner.RunnerException;

/** Both contestants at a partial update of few rows of a large group. */
final class UpdateComparison {

    /** Its name among the scenarios. */
    static final String NAME = "update-100-rows";

    private static final int TOUCHED = 100;

    private final Set<Contestant> contestants;
    private final TableShape table;
    private final Map<Contestant, Double> best = new EnumMap<>(Contestant.class);

    /**
     * @param divisor rows of the group are divided by it
     */
    UpdateComparison(int divisor, Set<Contestant> contestants) {
        this.contestants = contestants;
        table = TableShape.ofOneLayer(1_000_000 / divisor);
    }

    TableShape table() {
        return table;
    }

    /** One more round. */
    void measure(Measurement measurement) throws RunnerException {
        for (Contestant contestant : contestants) {
            best.merge(
                    contestant,
                    Collections.min(measurement.update(table, TOUCHED, contestant)),
                    Math::min);
        }
    }

    /** What was measured so far; an update reads no blob file. */
    Result result() {
        StorageMeter.Reading none = new StorageMeter.Reading(0, 0, 0, 0);
        Map<Contestant, StorageMeter.Reading> storage = new EnumMap<>(Contestant.class);
        contestants.forEach(contestant -> storage.put(contestant, none));
        return new Result(NAME, table, Storage.DISK, 1, best, storage);
    }
}
