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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;

/** The folder of the tables, which the system property {@code benchmark.warehouse} names. */
final class Warehouse {

    static final String PROPERTY = "benchmark.warehouse";

    private Warehouse() {}

    static Path path() {
        String path = System.getProperty(PROPERTY);
        if (path == null) {
            throw new IllegalStateException(
                    "System property " + PROPERTY + " must name a folder for the tables.");
        }
        return Path.of(path).toAbsolutePath().normalize();
    }

    /** Writes the tables that are not there yet. */
    static void write(Set<TableShape> tables) throws Exception {
        Files.createDirectories(path());
        try (PaimonRuntime paimon2 = Runtimes.paimon2();
                PaimonWriter writer = paimon2.find(PaimonWriter.class)) {
            writer.open(path().toString(), Map.of());
            for (TableShape table : tables) {
                table.write(writer, path());
            }
        }
    }
}
