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

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;

/** The Java API of Paimon and the plugin in a runtime of its own, by reflection. */
final class HostApi {

    private final ClassLoader loader;

    /**
     * @param runtime with the plugin; must stay open
     */
    HostApi(PaimonRuntime runtime) {
        this.loader = runtime.classLoader();
    }

    private Class<?> type(String name) throws ClassNotFoundException {
        return loader.loadClass("org.apache.paimon." + name);
    }

    /** Name of the jar that a class of Paimon comes from. */
    String jarOf(String name) throws Exception {
        return Path.of(type(name).getProtectionDomain().getCodeSource().getLocation().toURI())
                .getFileName()
                .toString();
    }

    /** A table from a new catalog. */
    Object catalogTable(Map<String, String> catalogOptions, String database, String table)
            throws Exception {
        Object options = call(type("options.Options"), null, "fromMap", catalogOptions);
        Object context = call(type("catalog.CatalogContext"), null, "create", options);
        Object catalog = call(type("catalog.CatalogFactory"), null, "createCatalog", context);
        Object identifier = call(type("catalog.Identifier"), null, "create", database, table);
        return call(type("catalog.Catalog"), catalog, "getTable", identifier);
    }

    /** How many rows a read of a table hands out. */
    int countRows(Object table) throws Exception {
        Object builder = call(type("table.Table"), table, "newReadBuilder");
        Object scan = call(type("table.source.ReadBuilder"), builder, "newScan");
        Object plan = call(type("table.source.TableScan"), scan, "plan");
        Object read = call(type("table.source.ReadBuilder"), builder, "newRead");
        Object reader = call(type("table.source.TableRead"), read, "createReader", plan);
        Object rows = call(type("reader.RecordReader"), reader, "toCloseableIterator");
        int count = 0;
        try (AutoCloseable closeable = (AutoCloseable) rows) {
            for (Iterator<?> iterator = (Iterator<?>) closeable; iterator.hasNext(); count++) {
                iterator.next();
            }
        }
        return count;
    }

    /** The blob format that it finds on its class path. */
    Object blobFormat() throws Exception {
        Object options = type("options.Options").getConstructor().newInstance();
        return call(type("format.FileFormat"), null, "fromIdentifier", "blob", options);
    }

    /** A method of the plugin's Java API. */
    Object blobFallback(String method, Object... arguments) throws Exception {
        return call(type("blobfallback.BlobFallback"), null, method, arguments);
    }

    /** Sets one blob, in one commit. */
    void update(Object table, String column, long rowId, byte[] value) throws Exception {
        Object builder = blobFallback("newUpdateBuilder", table);
        Object update = call(builder.getClass(), builder, "newUpdate");
        Object blob = call(type("data.Blob"), null, "fromData", value);
        call(update.getClass(), update, "set", rowId, column, blob);
        call(update.getClass(), update, "commit");
        call(update.getClass(), update, "close");
    }

    /** Flattens all columns. */
    void flatten(Object table) throws Exception {
        Object builder = blobFallback("newFlattenBuilder", table);
        Object flatten = call(builder.getClass(), builder, "newFlatten");
        call(flatten.getClass(), flatten, "run");
        call(flatten.getClass(), flatten, "close");
    }

    /**
     * Calls a method that takes the arguments, with the runtime's class loader as the thread's.
     *
     * @param target null for a static method
     * @throws Exception what the method throws
     */
    private Object call(Class<?> type, Object target, String name, Object... arguments)
            throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            for (Method method : type.getMethods()) {
                if (method.getName().equals(name) && takes(method, arguments)) {
                    return method.invoke(target, arguments);
                }
            }
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            thread.setContextClassLoader(before);
        }
        throw new NoSuchMethodException(type.getName() + "." + name);
    }

    private static boolean takes(Method method, Object[] arguments) {
        Class<?>[] types = method.getParameterTypes();
        if (types.length != arguments.length) {
            return false;
        }
        for (int i = 0; i < types.length; i++) {
            if (!types[i].isPrimitive() && !types[i].isInstance(arguments[i])) {
                return false;
            }
        }
        return true;
    }
}
