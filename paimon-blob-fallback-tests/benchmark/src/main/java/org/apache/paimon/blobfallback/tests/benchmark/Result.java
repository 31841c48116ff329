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
                + "paimon2_streams,plugin_streams,master_ms,master_ratio,master_requests,"
                + "master_bytes,master_streams";
    }

    /**
     * One line of comma separated values, under {@link #header()}. Those of Paimon's master are
     * empty where it is missing.
     */
    String toCsv() {
        StorageMeter.Reading paimon2 = asked.get(Contestant.PAIMON_2);
        StorageMeter.Reading plugin = asked.get(Contestant.PLUGIN);
        String line =
                String.format(
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
                        ratioTo(Contestant.PAIMON_2),
                        target == 0 ? "" : target,
                        paimon2.requests(),
                        plugin.requests(),
                        paimon2.bytes(),
                        plugin.bytes(),
                        paimon2.mostOpenStreams(),
                        plugin.mostOpenStreams());
        StorageMeter.Reading master = asked.get(Contestant.PAIMON_MASTER);
        if (master == null) {
            return line + ",,,,,";
        }
        return line
                + String.format(
                        Locale.ROOT,
                        ",%.3f,%.2f,%d,%d,%d",
                        times.get(Contestant.PAIMON_MASTER),
                        ratioTo(Contestant.PAIMON_MASTER),
                        master.requests(),
                        master.bytes(),
                        master.mostOpenStreams());
    }

    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-30s", name));
        times.forEach(
                (contestant, time) ->
                        line.append(
                                String.format(
                                        Locale.ROOT,
                                        "  %s %.2f ms, %,d requests, %,d bytes;",
                                        contestant,
                                        time,
                                        asked.get(contestant).requests(),
                                        asked.get(contestant).bytes())));
        times.keySet().stream()
                .filter(contestant -> contestant != Contestant.PLUGIN)
                .forEach(
                        contestant ->
                                line.append(
                                        String.format(
                                                Locale.ROOT,
                                                "  %.2f x %s",
                                                ratioTo(contestant),
                                                contestant)));
        return target == 0 ? line.toString() : line + ", target " + target + " x";
    }

    private double ratioTo(Contestant other) {
        return times.get(other) / times.get(Contestant.PLUGIN);
    }
}
