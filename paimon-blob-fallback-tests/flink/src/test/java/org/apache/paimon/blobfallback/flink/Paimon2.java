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

package org.apache.paimon.blobfallback.flink;

import java.nio.file.Path;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Paimon 2.0 as the writer of the tables that the tests read; loaded once for all of them. */
final class Paimon2 implements BeforeAllCallback {

    private PaimonRuntime runtime;

    @Override
    public void beforeAll(ExtensionContext context) {
        runtime =
                context.getRoot()
                        .getStore(ExtensionContext.Namespace.create(Paimon2.class))
                        .getOrComputeIfAbsent(
                                Paimon2.class, key -> new Loaded(load()), Loaded.class)
                        .runtime;
    }

    private static PaimonRuntime load() {
        try {
            return Runtimes.paimon2();
        } catch (Exception e) {
            throw new IllegalStateException("Paimon 2.0 could not be loaded.", e);
        }
    }

    /** A writer on a warehouse; the caller closes it. */
    PaimonWriter writer(Path warehouse) throws Exception {
        PaimonWriter writer = runtime.find(PaimonWriter.class);
        writer.open(warehouse.toString(), Map.of());
        return writer;
    }

    /** A reader to open; the caller closes it. */
    PaimonReader reader() throws Exception {
        return runtime.find(PaimonReader.class);
    }

    /** A reader on a warehouse; the caller closes it. */
    PaimonReader reader(Path warehouse) throws Exception {
        PaimonReader reader = reader();
        reader.open(Map.of("warehouse", warehouse.toString()));
        return reader;
    }

    private record Loaded(PaimonRuntime runtime)
            implements ExtensionContext.Store.CloseableResource {

        @Override
        public void close() throws Exception {
            runtime.close();
        }
    }
}
