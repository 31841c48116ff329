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

import java.io.Closeable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The reads of {@link DifferentialReadTest} on what there is of Paimon 1.4.1, which reads as the
 * rules say. The writers are Paimon 2.0 with the plugin first and last on the class path, by turns:
 * there the plugin steps aside.
 */
class OtherHostsReadTest {

    private static final int TABLES = Integer.getInteger("differential.other-hosts.tables", 5);

    /** The build reads the same tables each time, other ones than {@link DifferentialReadTest}. */
    private static final long FIXED_SEED = 27_456_029_903_510L;

    @TempDir private static Path warehouse;

    private static final List<Closeable> OPEN = new ArrayList<>();

    private static List<PaimonWriter> writers;
    private static Contestant paimon2;
    private static Contestant paimon141;

    private final List<String> failures = new ArrayList<>();
    private int reads;

    @BeforeAll
    static void openPaimons() throws Exception {
        writers =
                List.of(
                        writer(SharedRuntimes.paimon2BehindPlugin()),
                        writer(SharedRuntimes.paimon2BeforePlugin()));
        paimon2 = contestant(SharedRuntimes.paimon2(), "filesystem", Map.of());
        paimon141 =
                contestant(
                        opened(Runtimes.paimon141BehindPlugin()),
                        "blob-fallback",
                        Map.of("blob-fallback.enabled", "true"));
    }

    private static PaimonWriter writer(PaimonRuntime runtime) throws Exception {
        PaimonWriter writer = opened(runtime.find(PaimonWriter.class));
        writer.open(warehouse.toString(), Map.of("metastore", "blob-fallback"));
        return writer;
    }

    private static Contestant contestant(
            PaimonRuntime runtime, String metastore, Map<String, String> readOptions)
            throws Exception {
        return opened(
                new Contestant(
                        runtime,
                        Map.of(
                                "warehouse",
                                warehouse.toString(),
                                "metastore",
                                metastore,
                                "cache-enabled",
                                "false"),
                        readOptions));
    }

    private static <T extends Closeable> T opened(T closeable) {
        OPEN.add(closeable);
        return closeable;
    }

    @AfterAll
    static void closePaimons() throws Exception {
        Collections.reverse(OPEN);
        for (Closeable closeable : OPEN) {
            closeable.close();
        }
    }

    @Test
    void paimon141ReadsAsTheRulesSayWhatPaimon2WritesBesideThePlugin() throws Exception {
        long first = Long.getLong("differential.seed", FIXED_SEED);
        System.out.printf(
                "differential.seed=%d differential.other-hosts.tables=%d%n", first, TABLES);
        for (int i = 0; i < TABLES; i++) {
            String name = "db.t" + Long.toUnsignedString(first + i);
            PaimonWriter writer = writers.get(i % writers.size());
            RandomTable table =
                    RandomTable.create(name, first + i, warehouse, writer, paimon2.reader());
            Expectation expectation =
                    Expectation.of(
                            name,
                            table.history().lastKey(),
                            table.current(),
                            writer,
                            paimon2.reader());
            for (ReadRequest drawn :
                    new RandomRequests(name, expectation, new Random(first + i)).all()) {
                ReadRequest request = table.ofAllRows(drawn);
                reads++;
                Contestant.Outcome outcome = paimon141.read(request);
                if (!outcome.matches(expectation.rows(request))) {
                    failures.add(String.format("%s reads %s: %s", paimon141, request, outcome));
                }
            }
        }
        assertThat(failures).as("%d of %d reads went wrong", failures.size(), reads).isEmpty();
    }
}
