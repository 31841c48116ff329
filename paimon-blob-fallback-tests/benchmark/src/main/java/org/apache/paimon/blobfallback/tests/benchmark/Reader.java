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

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonScanner;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.RowServer;
import org.apache.paimon.blobfallback.tests.bridge.StorageMeter;

/** A contestant that has planned a scenario and can read it again and again. */
final class Reader implements Closeable {

    private final PaimonRuntime runtime;
    private final PaimonScanner scanner;
    private final ReadRequest request;
    private final boolean planned;
    private final Served served;
    private final RowServer server;
    private final long[] rowIds;

    Reader(Contestant contestant, Scenario scenario) throws Exception {
        StorageMeter.store(scenario.storage().behaviour());
        runtime = contestant.start();
        Map<String, String> options =
                contestant.catalogOptions(
                        scenario.storage().warehouse(Warehouse.path().toString()));
        scanner = runtime.find(PaimonScanner.class);
        scanner.open(options);
        request = contestant.request(scenario.request());
        planned = scenario.planned();
        scanner.plan(request);
        served = contestant == Contestant.PLUGIN ? scenario.served() : Served.NOT;
        rowIds = served == Served.NOT ? new long[0] : scenario.rowIds();
        if (served == Served.NOT) {
            server = null;
        } else {
            server = runtime.find(RowServer.class);
            server.open(options);
            server.serve(request.table(), TableShape.BLOB);
            server.read(rowIds);
        }
    }

    PaimonScanner.Scan read() throws Exception {
        if (served != Served.NOT) {
            if (served == Served.FIRST) {
                server.serve(request.table(), TableShape.BLOB);
            }
            return server.read(rowIds);
        }
        if (planned) {
            scanner.plan(request);
        }
        return scanner.scan();
    }

    @Override
    public void close() throws IOException {
        if (server != null) {
            server.close();
        }
        scanner.close();
        runtime.close();
    }
}
