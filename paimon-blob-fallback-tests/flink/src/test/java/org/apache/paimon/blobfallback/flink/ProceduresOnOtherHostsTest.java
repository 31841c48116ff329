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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.list;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * On the real jars of Paimon 1.3 and 2.0 the procedures are found beside the host's own, and refuse
 * to work: the one cannot have layers, the other writes them itself.
 */
class ProceduresOnOtherHostsTest {

    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    private static final String FLATTEN = "FlattenBlobLayersProcedure";
    private static final String UPDATE = "UpdateBlobsProcedure";

    @TempDir Path warehouse;

    @BeforeEach
    void write() throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            writer.createTable(
                    "db.plain",
                    TableDefinition.of("id", "INT")
                            .with("data-evolution.enabled", "false")
                            .with("row-tracking.enabled", "false"));
        }
    }

    @Test
    void onPaimon13EachCallNamesTheVersionsThatAreSupported() throws Exception {
        try (PaimonRuntime paimon13 = Runtimes.paimon13InFlinkBehindPlugin()) {
            for (String procedure : List.of(FLATTEN, UPDATE)) {
                assertRefused(
                        paimon13,
                        procedure,
                        "The blob-fallback plugin supports Apache Paimon 1.4, and steps aside on 2.0"
                                + " and later. This is Apache Paimon 1.3.1");
            }
        }
    }

    @Test
    void onPaimon2EachCallSaysThatThePluginStepsAside() throws Exception {
        try (PaimonRuntime paimon2 = Runtimes.paimon2InFlinkBehindPlugin()) {
            assertRefused(
                    paimon2,
                    FLATTEN,
                    "Flattening through the plugin is not available on Apache Paimon 2.0.0");
            assertRefused(
                    paimon2,
                    UPDATE,
                    "A partial update through the plugin is not available on Apache Paimon 2.0.0");
        }
    }

    private void assertRefused(PaimonRuntime host, String name, String message) throws Exception {
        ClassLoader loader = host.classLoader();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            assertThat((List<?>) call(loader, "flink.procedure.ProcedureUtil", "listProcedures"))
                    .asInstanceOf(list(String.class))
                    .contains("compact", "update_blobs", "flatten_blob_layers")
                    .doesNotHaveDuplicates();
            Object path =
                    type(loader, "fs.Path")
                            .getConstructor(String.class)
                            .newInstance(warehouse.toString());
            Object context = call(loader, "catalog.CatalogContext", "create", path);
            Object catalog = call(loader, "catalog.CatalogFactory", "createCatalog", context);
            Object procedure =
                    type(loader, "blobfallback.flink." + name).getConstructor().newInstance();
            method(procedure.getClass(), "withCatalog").invoke(procedure, catalog);
            Method call = method(procedure.getClass(), "call");
            Object[] arguments = new Object[call.getParameterCount()];
            arguments[1] = "db.plain";
            arguments[2] = name.equals(UPDATE) ? "SELECT 1" : null;

            assertThatThrownBy(() -> call.invoke(procedure, arguments))
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith(message);
            method(type(loader, "catalog.Catalog"), "close").invoke(catalog);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static Class<?> type(ClassLoader loader, String name) throws ClassNotFoundException {
        return loader.loadClass("org.apache.paimon." + name);
    }

    private static Object call(ClassLoader loader, String type, String method, Object... arguments)
            throws Exception {
        for (Method candidate : type(loader, type).getMethods()) {
            if (candidate.getName().equals(method)
                    && candidate.getParameterCount() == arguments.length
                    && (arguments.length == 0
                            || candidate.getParameterTypes()[0].isInstance(arguments[0]))) {
                return candidate.invoke(null, arguments);
            }
        }
        throw new NoSuchMethodException(type + "." + method);
    }

    private static Method method(Class<?> type, String name) throws NoSuchMethodException {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new NoSuchMethodException(type.getName() + "." + name));
    }
}
