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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the plugin does on Paimons that it was not built for. */
class OtherHostsTest {

    private static final String TABLE = "db.t";

    @TempDir private static Path warehouse;

    /** A Paimon with or without the plugin. */
    @FunctionalInterface
    private interface RuntimeFactory {

        PaimonRuntime create() throws Exception;
    }

    @BeforeAll
    static void writeAPartialUpdate() throws Exception {
        writePartialUpdate(SharedRuntimes.paimon2(), TABLE);
    }

    private static void writePartialUpdate(PaimonRuntime paimon2, String table) throws Exception {
        try (PaimonWriter writer = paimon2.find(PaimonWriter.class)) {
            writer.open(warehouse.toString(), Map.of());
            writer.createTable(
                    table,
                    TableDefinition.of("id", "INT", "b", "BLOB")
                            .with("blob-fallback.enabled", "true"));
            writer.append(table, List.of(List.of(0, new byte[] {10}), List.of(1, new byte[] {11})));
            writer.update(table, List.of("b"), Map.of(1L, List.of(new byte[] {21})), Map.of());
        }
    }

    private static List<List<Object>> read(
            PaimonRuntime runtime, Map<String, String> catalogOptions, String table)
            throws Exception {
        try (PaimonReader reader = runtime.find(PaimonReader.class)) {
            reader.open(catalogOptions);
            return reader.read(ReadRequest.all(table));
        }
    }

    private static Map<String, String> stock() {
        return Map.of("warehouse", warehouse.toString());
    }

    private static Map<String, String> withPlugin() {
        return Map.of("warehouse", warehouse.toString(), "metastore", "blob-fallback");
    }

    private static void assertUpdated(List<List<Object>> rows) {
        assertThat(rows).hasSize(2);
        assertThat(rows.get(0)).containsExactly(0, new byte[] {10});
        assertThat(rows.get(1)).containsExactly(1, new byte[] {21});
    }

    static List<RuntimeFactory> paimon2WithPlugin() {
        return List.of(Runtimes::paimon2BehindPlugin, Runtimes::paimon2BeforePlugin);
    }

    @ParameterizedTest
    @MethodSource("paimon2WithPlugin")
    void paimon2StaysItselfWithThePlugin(RuntimeFactory factory) throws Exception {
        try (PaimonRuntime paimon2 = factory.create();
                PaimonReader reader = paimon2.find(PaimonReader.class)) {
            String log =
                    logOf(
                            () -> {
                                reader.open(withPlugin());
                                assertUpdated(reader.read(ReadRequest.all(TABLE)));
                            });

            assertThat(log)
                    .containsOnlyOnce("blob-fallback")
                    .contains(
                            "This Paimon (2.0.0) reads partial blob updates itself: the"
                                    + " blob-fallback plugin steps aside and its options are"
                                    + " ignored.");
            assertThat(reader.tableClass(TABLE))
                    .isEqualTo("org.apache.paimon.table.AppendOnlyFileStoreTable");
            assertThat(new HostApi(paimon2).blobFormat().getClass().getName())
                    .isEqualTo("org.apache.paimon.format.blob.BlobFileFormat");
            assertThatWrapReturnsTheTable(paimon2);
        }
    }

    /** What the plugin logs meanwhile. */
    private static String logOf(ThrowingRunnable action) throws Exception {
        String level = "org.slf4j.simpleLogger.log.org.apache.paimon.blobfallback";
        PrintStream err = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setProperty(level, "info");
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            action.run();
        } finally {
            System.setErr(err);
            System.clearProperty(level);
        }
        return log.toString(StandardCharsets.UTF_8);
    }

    /** An action that may throw. */
    @FunctionalInterface
    private interface ThrowingRunnable {

        void run() throws Exception;
    }

    private static void assertThatWrapReturnsTheTable(PaimonRuntime runtime) throws Exception {
        ClassLoader loader = runtime.classLoader();
        Class<?> type = loader.loadClass("org.apache.paimon.table.FileStoreTable");
        // A table that fails at each call: it must be handed back without a look at it.
        Object table =
                Proxy.newProxyInstance(
                        loader,
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            throw new AssertionError(method);
                        });

        Object wrapped = new HostApi(runtime).blobFallback("wrap", table);

        assertThat(wrapped == table).isTrue();
    }

    @Test
    void paimon2WritesPartialUpdatesWithThePluginFirstOrLastOnTheClassPath() throws Exception {
        writePartialUpdate(SharedRuntimes.paimon2BehindPlugin(), "db.plugin_first");
        writePartialUpdate(SharedRuntimes.paimon2BeforePlugin(), "db.plugin_last");

        PaimonRuntime host = SharedRuntimes.hostBehindPlugin();
        assertUpdated(read(host, withPlugin(), "db.plugin_first"));
        assertUpdated(read(host, withPlugin(), "db.plugin_last"));
    }

    /** Each way into the plugin, and nothing else of Paimon 1.3. */
    @Test
    void pluginRefusesToWorkOnPaimon13AndNamesTheVersionsThatItSupports() throws Exception {
        try (PaimonWriter writer = SharedRuntimes.paimon2().find(PaimonWriter.class)) {
            writer.open(warehouse.toString(), Map.of());
            writer.createTable(
                    "db.plain",
                    TableDefinition.of("id", "INT")
                            .with("data-evolution.enabled", "false")
                            .with("row-tracking.enabled", "false"));
            writer.append("db.plain", List.of(List.of(1), List.of(2)));
        }
        try (PaimonRuntime paimon13 = Runtimes.paimon13BehindPlugin()) {
            HostApi api = new HostApi(paimon13);
            Object table = api.catalogTable(stock(), "db", "plain");
            Map<String, ThrowingRunnable> entries = new LinkedHashMap<>();
            entries.put("catalog", () -> read(paimon13, withPlugin(), "db.plain"));
            entries.put("format", api::blobFormat);
            for (String method :
                    List.of("wrap", "layers", "newUpdateBuilder", "newFlattenBuilder", "verify")) {
                entries.put(method, () -> api.blobFallback(method, table));
            }
            entries.put("drawLayers", () -> api.blobFallback("drawLayers", table, "b", 0L));

            entries.forEach(
                    (entry, action) ->
                            assertThatThrownBy(action::run)
                                    .as(entry)
                                    .isInstanceOf(IllegalStateException.class)
                                    .hasMessage(
                                            "The blob-fallback plugin supports Apache Paimon 1.4,"
                                                    + " and steps aside on 2.0 and later. This is"
                                                    + " Apache Paimon 1.3.1, which has no blob"
                                                    + " columns (class org.apache.paimon.data.Blob"
                                                    + " is missing)."));
            assertThat(api.countRows(table)).isEqualTo(2);
        }
    }

    /** What is published of 1.4.1 as single jars stands before 1.4.2, and is what runs. */
    @Test
    void pluginReadsUpdatesAndFlattensOnPaimon141() throws Exception {
        writePartialUpdate(SharedRuntimes.paimon2(), "db.on_141");
        try (PaimonRuntime paimon141 = Runtimes.paimon141BehindPlugin()) {
            HostApi api = new HostApi(paimon141);
            assertThat(api.jarOf("table.Table")).isEqualTo("paimon-core-1.4.1.jar");
            assertThat(api.jarOf("data.Blob")).isEqualTo("paimon-common-1.4.1.jar");
            assertThat(api.jarOf("types.BlobType")).isEqualTo("paimon-bundle-1.4.2.jar");
            assertUpdated(read(paimon141, withPlugin(), "db.on_141"));

            Object table = api.catalogTable(withPlugin(), "db", "on_141");
            api.update(table, "b", 0L, new byte[] {30});
            List<List<Object>> updated = read(paimon141, withPlugin(), "db.on_141");
            assertThat(updated.get(0)).containsExactly(0, new byte[] {30});
            assertThat(updated.get(1)).containsExactly(1, new byte[] {21});

            api.flatten(table);
            assertThat(read(SharedRuntimes.paimon2(), stock(), "db.on_141"))
                    .usingRecursiveComparison()
                    .isEqualTo(updated);
        }
    }
}
