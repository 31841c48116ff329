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

package org.apache.paimon.blobfallback.tests.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both Paimons live in one JVM, and the problem that the plugin solves is there. */
class ClassLoaderTest {

    private static final String TABLE = "db.t";

    @TempDir private Path warehouse;

    @BeforeEach
    void writeAPartialUpdate() throws Exception {
        try (PaimonRuntime paimon2 = Runtimes.paimon2();
                PaimonWriter writer = paimon2.find(PaimonWriter.class)) {
            writer.open(warehouse.toString(), Map.of());
            writer.createTable(TABLE, TableDefinition.of("id", "INT", "b", "BLOB"));
            writer.append(
                    TABLE,
                    List.of(
                            Arrays.asList(0, new byte[] {10}),
                            Arrays.asList(1, new byte[] {11}),
                            Arrays.asList(2, null)));
            writer.update(TABLE, List.of("b"), Map.of(1L, List.of(new byte[] {21, 22})), Map.of());
        }
    }

    @Test
    void paimon2ReadsItsOwnPartialUpdate() throws Exception {
        try (PaimonRuntime paimon2 = Runtimes.paimon2();
                PaimonReader reader = paimon2.find(PaimonReader.class)) {
            reader.open(Map.of("warehouse", warehouse.toString()));

            List<List<Object>> rows =
                    reader.read(ReadRequest.all(TABLE).columns("b", "id", "_ROW_ID"));

            assertThat(rows).hasSize(3);
            assertThat(rows.get(0)).containsExactly(new byte[] {10}, 0, 0L);
            assertThat(rows.get(1)).containsExactly(new byte[] {21, 22}, 1, 1L);
            assertThat(rows.get(2)).containsExactly(null, 2, 2L);
        }
    }

    @Test
    void stockHostFailsOnAPartialUpdateOfPaimon2() throws Exception {
        try (PaimonRuntime host = Runtimes.host();
                PaimonReader reader = host.find(PaimonReader.class)) {
            reader.open(Map.of("warehouse", warehouse.toString()));

            Throwable failure = catchThrowable(() -> reader.read(ReadRequest.all(TABLE)));

            assertThat(failure).hasStackTraceContaining("NegativeArraySizeException: -18");
        }
    }

    @Test
    void runtimesDoNotShareClasses() throws Exception {
        String type = "org.apache.paimon.table.Table";
        try (PaimonRuntime paimon2 = Runtimes.paimon2();
                PaimonRuntime host = Runtimes.host()) {
            assertThat(paimon2.classLoader().loadClass(type))
                    .isNotSameAs(host.classLoader().loadClass(type));
            assertThat(paimon2.classLoader().loadClass(PaimonReader.class.getName()))
                    .isSameAs(PaimonReader.class);
        }
    }
}
