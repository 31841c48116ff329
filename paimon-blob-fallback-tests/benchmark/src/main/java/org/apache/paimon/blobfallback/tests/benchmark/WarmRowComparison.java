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
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonScanner;
import org.apache.paimon.blobfallback.tests.bridge.RowServer;

/**
 * How long does one warm row take beside what cannot be saved: one read by position of its bytes?
 */
final class WarmRowComparison {

    /** Its name among the scenarios. */
    static final String NAME = "one-warm-row";

    /** Most times as long as the plain read. */
    private static final double LIMIT = 2;

    private static final int ROWS = 1_000;

    private final TableShape table;

    WarmRowComparison(TableShape table) {
        this.table = table;
    }

    TableShape table() {
        return table;
    }

    /** Measures both in turn, in this JVM, and prints the best of each. */
    void measure(Measurement measurement, PrintStream out) throws Exception {
        long[] rowIds = table.randomRowIds(ROWS);
        try (PaimonRuntime runtime = Contestant.PLUGIN.start()) {
            RowServer server = runtime.find(RowServer.class);
            server.open(
                    Contestant.PLUGIN.catalogOptions(
                            Storage.DISK.warehouse(Warehouse.path().toString())));
            server.serve(table.name(), TableShape.BLOB);
            RowServer.Reads positions = server.positionsOf(rowIds);
            try {
                Callable<PaimonScanner.Scan> served = () -> server.readEach(rowIds);
                WarmUp.repeat(measurement.warmUpMillis(), served);
                WarmUp.repeat(measurement.warmUpMillis(), positions::read);
                double bestServed = Double.MAX_VALUE;
                double bestPlain = Double.MAX_VALUE;
                for (int i = 0; i < measurement.repeats(); i++) {
                    bestServed = Math.min(bestServed, micros(served));
                    bestPlain = Math.min(bestPlain, micros(positions::read));
                }
                if (!served.call().equals(positions.read())) {
                    throw new IllegalStateException("The rows are not those of the positions.");
                }
                out.println(
                        String.format(
                                Locale.ROOT,
                                "%-30s  %.2f us a row, %.2f us a read by position;  %.2f times as"
                                        + " long, limit %s",
                                NAME,
                                bestServed / rowIds.length,
                                bestPlain / rowIds.length,
                                bestServed / bestPlain,
                                LIMIT));
            } finally {
                positions.close();
                server.close();
            }
        }
    }

    private static double micros(Callable<PaimonScanner.Scan> work) throws Exception {
        long start = System.nanoTime();
        work.call();
        return (System.nanoTime() - start) / 1e3;
    }
}
