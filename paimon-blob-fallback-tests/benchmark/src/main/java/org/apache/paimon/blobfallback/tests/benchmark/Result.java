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

import java.util.Locale;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.StorageMeter;

/**
 * What was measured of one scenario.
 *
 * @param name of the scenario
 * @param table what its table is like
 * @param storage where it is
 * @param target least ratio to Paimon 2.0 that is wanted; 0 for none
 * @param times the best of each contestant, in milliseconds
 * @param asked what each contestant asks the storage in one read
 */
record Result(
        String name,
        TableShape table,
        Storage storage,
        double target,
        Map<Contestant, Double> times,
        Map<Contestant, StorageMeter.Reading> asked) {

    static String header() {
        return "scenario,rows,blob_bytes,layers,touched_permille,storage,paimon2_ms,plugin_ms,"
                + "ratio,target,paimon2_requests,plugin_requests,paimon2_bytes,plugin_bytes,"
                + "paimon2_streams,plugin_streams";
    }

    /** One line of comma separated values, under {@link #header()}. */
    String toCsv() {
        StorageMeter.Reading paimon2 = asked.get(Contestant.PAIMON_2);
        StorageMeter.Reading plugin = asked.get(Contestant.PLUGIN);
        return String.format(
                Locale.ROOT,
                "%s,%d,%d,%d,%d,%s,%.3f,%.3f,%.2f,%s,%d,%d,%d,%d,%d,%d",
                name,
                table.rows(),
                table.blobBytes(),
                table.layers(),
                table.touchedPermille(),
                storage,
                times.get(Contestant.PAIMON_2),
                times.get(Contestant.PLUGIN),
                ratio(),
                target == 0 ? "" : target,
                paimon2.requests(),
                plugin.requests(),
                paimon2.bytes(),
                plugin.bytes(),
                paimon2.mostOpenStreams(),
                plugin.mostOpenStreams());
    }

    @Override
    public String toString() {
        StorageMeter.Reading paimon2 = asked.get(Contestant.PAIMON_2);
        StorageMeter.Reading plugin = asked.get(Contestant.PLUGIN);
        return String.format(
                Locale.ROOT,
                "%-28s %10.2f ms %10.2f ms %8.1f x %8s  %9d req %9d req  %11d B %11d B",
                name,
                times.get(Contestant.PAIMON_2),
                times.get(Contestant.PLUGIN),
                ratio(),
                target == 0 ? "" : ">= " + target,
                paimon2.requests(),
                plugin.requests(),
                paimon2.bytes(),
                plugin.bytes());
    }

    private double ratio() {
        return times.get(Contestant.PAIMON_2) / times.get(Contestant.PLUGIN);
    }
}
