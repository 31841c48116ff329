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

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;

/** Reads what the plugin wrote with Paimons that do not have it. */
final class Judges {

    private Judges() {}

    /** Paimon 2.0, stock, reads exactly these rows. */
    static void assertPaimon2Reads(Paimon2 paimon2, Path warehouse, String table, List<Row> rows)
            throws Exception {
        try (PaimonReader reader = paimon2.reader(warehouse)) {
            assertReads(reader, table, rows);
        }
    }

    /** The host, stock, reads exactly these rows. */
    static void assertStockHostReads(Path warehouse, String table, List<Row> rows)
            throws Exception {
        try (PaimonRuntime host = Runtimes.host();
                PaimonReader reader = host.find(PaimonReader.class)) {
            reader.open(Map.of("warehouse", warehouse.toString()));
            assertReads(reader, table, rows);
        }
    }

    private static void assertReads(PaimonReader reader, String table, List<Row> rows)
            throws Exception {
        assertThat(reader.read(ReadRequest.all(table)))
                .extracting(row -> Row.of(row.toArray()))
                .containsExactlyInAnyOrderElementsOf(rows);
    }
}
