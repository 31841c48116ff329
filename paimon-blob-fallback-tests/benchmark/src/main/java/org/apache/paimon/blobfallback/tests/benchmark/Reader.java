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
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonScanner;
import org.apache.paimon.blobfallback.tests.bridge.StorageMeter;

/** A contestant that has planned a scenario and can read it again and again. */
final class Reader implements Closeable {

    private final PaimonRuntime runtime;
    private final PaimonScanner scanner;

    Reader(Contestant contestant, Scenario scenario) throws Exception {
        StorageMeter.store(scenario.storage().behaviour());
        runtime = contestant.start();
        scanner = runtime.find(PaimonScanner.class);
        scanner.open(
                contestant.catalogOptions(
                        scenario.storage().warehouse(Warehouse.path().toString())));
        scanner.plan(contestant.request(scenario.request()));
    }

    PaimonScanner.Scan read() throws Exception {
        return scanner.scan();
    }

    @Override
    public void close() throws IOException {
        scanner.close();
        runtime.close();
    }
}
