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
 * The reads of {@link DifferentialReadTest} on other hosts: on Paimon 2.0 the plugin changes
 * nothing, be it first or last on the class path; on Paimon 1.4.1 it reads as the rules say. The
 * writer is Paimon 2.0 with the plugin before it.
 */
class OtherHostsReadTest {

    private static final int TABLES = Integer.getInteger("differential.other-hosts.tables", 5);

    @TempDir private static Path warehouse;

    private static final List<Closeable> OPEN = new ArrayList<>();

    private static PaimonWriter writer;
    private static Contestant stock;
    private static List<Contestant> upgraded;
    private static Contestant paimon141;

    private final List<String> failures = new ArrayList<>();
    private int reads;

    @BeforeAll
    static void openPaimons() throws Exception {
        PaimonRuntime pluginFirst = opened(Runtimes.paimon2BehindPlugin());
        writer = opened(pluginFirst.find(PaimonWriter.class));
        writer.open(warehouse.toString(), Map.of("metastore", "blob-fallback"));
        stock = contestant(SharedRuntimes.paimon2(), "filesystem", Map.of());
        Map<String, String> enabled = Map.of("blob-fallback.enabled", "true");
        upgraded =
                List.of(
                        contestant(pluginFirst, "blob-fallback", enabled),
                        contestant(
                                opened(Runtimes.paimon2BeforePlugin()), "blob-fallback", enabled));
        paimon141 = contestant(opened(Runtimes.paimon141BehindPlugin()), "blob-fallback", enabled);
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
    void paimon2ReadsAlikeWithThePluginAndPaimon141ReadsAsTheRulesSay() throws Exception {
        long first = Long.getLong("differential.seed", System.nanoTime());
        System.out.printf(
                "differential.seed=%d differential.other-hosts.tables=%d%n", first, TABLES);
        for (long seed = first; seed < first + TABLES; seed++) {
            String name = "db.t" + Long.toUnsignedString(seed);
            RandomTable table = RandomTable.create(name, seed, warehouse, writer, stock.reader());
            Expectation expectation =
                    Expectation.of(
                            name,
                            table.history().lastKey(),
                            table.current(),
                            writer,
                            stock.reader());
            for (ReadRequest request :
                    new RandomRequests(name, expectation, new Random(seed)).all()) {
                compare(request, expectation.rows(request));
            }
        }
        assertThat(failures).as("%d of %d reads went wrong", failures.size(), reads).isEmpty();
    }

    private void compare(ReadRequest request, List<List<List<Object>>> expected) {
        reads++;
        Contestant.Outcome withoutPlugin = stock.read(request);
        for (Contestant paimon2 : upgraded) {
            Contestant.Outcome outcome = paimon2.read(request);
            boolean same =
                    withoutPlugin.rows() == null
                            ? outcome.rows() == null && error(outcome).equals(error(withoutPlugin))
                            : outcome.matches(List.of(withoutPlugin.rows()));
            if (!same) {
                fail(request, paimon2, outcome);
            }
        }
        Contestant.Outcome outcome = paimon141.read(request);
        if (!outcome.matches(expected)) {
            fail(request, paimon141, outcome);
        }
    }

    /** The exception without its stack. */
    private static String error(Contestant.Outcome outcome) {
        return outcome.failure().lines().findFirst().orElseThrow();
    }

    private void fail(ReadRequest request, Contestant contestant, Contestant.Outcome outcome) {
        failures.add(String.format("%s reads %s: %s", contestant, request, outcome));
    }
}
