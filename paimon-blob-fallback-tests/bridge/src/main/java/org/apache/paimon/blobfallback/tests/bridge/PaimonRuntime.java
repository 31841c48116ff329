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

package org.apache.paimon.blobfallback.tests.bridge;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;

/**
 * One Paimon in a class loader of its own. Its classes see the given class path, the JDK and this
 * bridge, and nothing else of the JVM they run in, so that several Paimons live side by side.
 */
public final class PaimonRuntime implements Closeable {

    private static final String BRIDGE = PaimonRuntime.class.getPackageName();

    private final String name;
    private final URLClassLoader loader;

    /**
     * @param name what messages call it
     * @param classPath jars and folders of classes, the first wins
     */
    public PaimonRuntime(String name, List<Path> classPath) throws IOException {
        this.name = name;
        URL[] urls = new URL[classPath.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = classPath.get(i).toUri().toURL();
        }
        this.loader = new URLClassLoader(name, urls, new BridgeOnly());
    }

    /**
     * Finds the runtime's implementation of a bridge interface. Its methods run with the runtime's
     * class loader as the thread's, which is where Paimon looks for its plugins.
     *
     * @throws IllegalStateException if the class path has no implementation
     */
    public <T> T find(Class<T> type) {
        T target =
                ServiceLoader.load(type, loader)
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new IllegalStateException(
                                                name + " has no " + type.getName()));
        return type.cast(
                Proxy.newProxyInstance(
                        PaimonRuntime.class.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            Thread thread = Thread.currentThread();
                            ClassLoader before = thread.getContextClassLoader();
                            thread.setContextClassLoader(loader);
                            try {
                                return method.invoke(target, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            } finally {
                                thread.setContextClassLoader(before);
                            }
                        }));
    }

    /** The class loader that this runtime's classes live in. */
    public ClassLoader classLoader() {
        return loader;
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }

    @Override
    public String toString() {
        return name;
    }

    /** Shows the JDK and the bridge, hides the rest of the application's class path. */
    private static final class BridgeOnly extends ClassLoader {

        private BridgeOnly() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String className) throws ClassNotFoundException {
            if (className.startsWith(BRIDGE + ".")) {
                return PaimonRuntime.class.getClassLoader().loadClass(className);
            }
            throw new ClassNotFoundException(className);
        }
    }
}
