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

package org.apache.paimon.blobfallback.tests.update;

import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.options.Options;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * W3 and W6: Paimon 2.0, stock, and the plugin write one table in turn; after each step both read
 * what a model says, and once all is flattened the host without the plugin does too.
 *
 * <p>{@code -Dinterleaving.tables=N} chooses how many tables, {@code -Dinterleaving.seed=S} the
 * seed of the first; without it there is a fixed one and a fresh one.
 */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
class InterleavingTest {

    private static final int STEPS = 8;
    private static final int TABLES = Integer.getInteger("interleaving.tables", 18);
    private static final long SEED = Long.getLong("interleaving.seed", 1);

    @TempDir private Path warehouse;

    @Test
    void bothReadWhatTheModelSaysAfterEachStep() throws Exception {
        run(SEED, TABLES, InterleavingTest::takeTurns);
    }

    /** R24: with blob files over several groups, which Paimon 2.0 reads once they are flattened. */
    @Test
    void groupsThatBlobFilesJoinAreReadByPaimon2OnceTheyAreFlattened() throws Exception {
        run(SEED, TABLES, InterleavingTest::joinGroups);
    }

    private static void takeTurns(InterleavedTable table, PaimonReader reader2, PaimonReader plugin)
            throws Exception {
        for (int step = 0; step < STEPS; step++) {
            table.step();
            table.check(reader2, "Paimon 2.0");
            table.check(plugin, "the plugin");
        }
    }

    private static void joinGroups(
            InterleavedTable table, PaimonReader reader2, PaimonReader plugin) throws Exception {
        for (int step = 0; step < STEPS / 2; step++) {
            table.step();
        }
        table.check(reader2, "Paimon 2.0");
        for (int step = 0; step < STEPS; step++) {
            table.stepOfJoinedGroups();
            table.check(plugin, "the plugin");
        }
    }

    /** What is done to a table before it is flattened. */
    private interface Story {
        void tell(InterleavedTable table, PaimonReader reader2, PaimonReader plugin)
                throws Exception;
    }

    private void run(long firstSeed, int tables, Story story) throws Exception {
        String path = warehouse.resolve("seed" + firstSeed).toString();
        Map<String, String> pluginOptions =
                Map.of(
                        "warehouse", path,
                        "metastore", "blob-fallback",
                        "blob-fallback.enabled", "true",
                        "cache-enabled", "false");
        try (PaimonRuntime runtime2 = Runtimes.paimon2();
                PaimonWriter writer2 = runtime2.find(PaimonWriter.class);
                PaimonReader reader2 = runtime2.find(PaimonReader.class);
                PaimonRuntime pluginRuntime = Runtimes.hostBehindPlugin();
                PaimonReader pluginReader = pluginRuntime.find(PaimonReader.class);
                PaimonRuntime hostRuntime = Runtimes.host();
                PaimonReader hostReader = hostRuntime.find(PaimonReader.class);
                Catalog plugin =
                        CatalogFactory.createCatalog(
                                CatalogContext.create(Options.fromMap(pluginOptions)))) {
            writer2.open(path, Map.of());
            reader2.open(Map.of("warehouse", path, "cache-enabled", "false"));
            pluginReader.open(pluginOptions);
            hostReader.open(Map.of("warehouse", path, "cache-enabled", "false"));
            for (long seed = firstSeed; seed < firstSeed + tables; seed++) {
                try {
                    InterleavedTable table =
                            new InterleavedTable("db.t" + seed, new Random(seed), writer2, plugin);
                    story.tell(table, reader2, pluginReader);
                    table.flattenAll();
                    table.check(reader2, "Paimon 2.0");
                    table.check(pluginReader, "the plugin");
                    if (table.loadsWithoutPlugin()) {
                        table.checkAllRows(hostReader, "the host without the plugin");
                    }
                } catch (Exception | AssertionError e) {
                    throw new AssertionError(
                            "Repeat with -Dinterleaving.seed=" + seed + " -Dinterleaving.tables=1",
                            e);
                }
            }
        }
    }
}
