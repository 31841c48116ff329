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

package org.apache.paimon.blobfallback.tests.spark;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;

/**
 * An application that {@code SparkSubmit} runs in a JVM of its own, on an installation of Spark as
 * a user has it: a folder {@code jars} with Spark, the host, its connector and the plugin.
 */
public final class SparkApplication implements Closeable {

    /** What {@code spark-submit} sets on Java 17. */
    private static final List<String> OPENED =
            List.of(
                    "java.base/java.lang",
                    "java.base/java.lang.invoke",
                    "java.base/java.lang.reflect",
                    "java.base/java.io",
                    "java.base/java.net",
                    "java.base/java.nio",
                    "java.base/java.util",
                    "java.base/java.util.concurrent",
                    "java.base/java.util.concurrent.atomic",
                    "java.base/jdk.internal.ref",
                    "java.base/sun.nio.ch",
                    "java.base/sun.nio.cs",
                    "java.base/sun.security.action",
                    "java.base/sun.util.calendar");

    private static final int START_MILLIS = 600_000;

    private final Process process;
    private final Path output;
    private final Socket socket;
    private final ObjectOutputStream requests;
    private final ObjectInputStream answers;

    private SparkApplication(Process process, Path output, Socket socket) throws IOException {
        this.process = process;
        this.output = output;
        this.socket = socket;
        this.requests = new ObjectOutputStream(socket.getOutputStream());
        this.answers = new ObjectInputStream(socket.getInputStream());
    }

    /**
     * Starts an application that answers requests.
     *
     * @param home of the installation
     */
    static SparkApplication start(SparkHome home, Map<String, String> conf) throws Exception {
        Path output = Files.createTempFile(home.folder(), "output", ".txt");
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(500);
            Process process =
                    home.submit(
                            conf,
                            SparkProgram.class.getName(),
                            home.program(),
                            output,
                            String.valueOf(server.getLocalPort()));
            long end = System.currentTimeMillis() + START_MILLIS;
            while (process.isAlive() && System.currentTimeMillis() < end) {
                try {
                    return new SparkApplication(process, output, server.accept());
                } catch (SocketTimeoutException e) {
                    // Still starting.
                }
            }
            process.destroyForcibly();
            throw new IllegalStateException("Spark did not start: " + Files.readString(output));
        }
    }

    /** The answer to any request. */
    public synchronized SparkAnswer ask(SparkRequest request) throws Exception {
        try {
            requests.writeObject(request);
            requests.flush();
            return (SparkAnswer) answers.readObject();
        } catch (IOException e) {
            throw new IllegalStateException(
                    "Spark is gone at " + request + ": " + Files.readString(output), e);
        }
    }

    /** The rows of a request. */
    List<List<Object>> rows(SparkRequest request) throws Exception {
        SparkAnswer answer = ask(request);
        if (answer.failure() != null) {
            throw new AssertionError(request + " fails: " + answer.failure());
        }
        return answer.rows();
    }

    /** The rows of a statement. */
    List<List<Object>> sql(String statement) throws Exception {
        return rows(SparkRequest.sql(statement));
    }

    /** What a request fails with. */
    String failure(SparkRequest request) throws Exception {
        SparkAnswer answer = ask(request);
        if (answer.failure() == null) {
            throw new AssertionError(request + " does not fail: " + answer.rows());
        }
        return answer.failure();
    }

    /** What the application has printed so far. */
    String output() throws IOException {
        return Files.readString(output);
    }

    @Override
    public void close() throws IOException {
        try {
            requests.writeObject(null);
            requests.flush();
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } finally {
            socket.close();
        }
    }

    /** A folder with an installation of Spark in it. */
    record SparkHome(SparkVersion version, Path folder, Path program) {

        /**
         * Makes an installation with the host, its connector and the plugin among Spark's jars.
         *
         * @param folder a new one
         */
        static SparkHome withPlugin(SparkVersion version, Path folder) throws IOException {
            SparkHome home = stock(version, folder);
            home.addPlugin();
            return home;
        }

        /** Makes an installation with the host and its connector among Spark's jars. */
        static SparkHome stock(SparkVersion version, Path folder) throws IOException {
            SparkHome home = empty(version, folder);
            link(version.connector(), home.jars());
            for (Path jar : Runtimes.jars(version.module())) {
                if (isHost(jar)) {
                    link(jar, home.jars());
                }
            }
            return home;
        }

        /** Makes an installation of Spark alone. */
        static SparkHome empty(SparkVersion version, Path folder) throws IOException {
            Path jars = Files.createDirectories(folder.resolve("jars"));
            for (Path jar : Runtimes.jars(version.module())) {
                if (!isHost(jar)) {
                    link(jar, jars);
                }
            }
            Path program =
                    Jars.of(
                            folder.resolve("program.jar"),
                            Runtimes.classes("spark"),
                            Runtimes.classes("bridge"));
            return new SparkHome(version, folder, program);
        }

        private static boolean isHost(Path jar) {
            return jar.getFileName().toString().startsWith("paimon-bundle");
        }

        private static void link(Path jar, Path folder) throws IOException {
            Files.createSymbolicLink(folder.resolve(jar.getFileName()), jar);
        }

        Path jars() {
            return folder.resolve("jars");
        }

        /** Puts one more jar among Spark's. */
        void add(Path jar) throws IOException {
            link(jar, jars());
        }

        /** Puts the plugin among Spark's jars. */
        void addPlugin() throws IOException {
            Jars.of(jars().resolve("paimon-blob-fallback.jar"), Runtimes.plugin());
        }

        /** The host, to be named by {@code --jars}. */
        Path host() throws IOException {
            return Runtimes.jars(version.module()).stream()
                    .filter(SparkHome::isHost)
                    .findFirst()
                    .orElseThrow();
        }

        /**
         * Runs {@code spark-submit}.
         *
         * @param jar with the main class
         * @param output the file that takes what it prints
         */
        Process submit(
                Map<String, String> conf,
                String mainClass,
                Path jar,
                Path output,
                String... arguments)
                throws IOException {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.add("-Xmx1g");
            command.add("-XX:+UseSerialGC");
            command.add("-XX:TieredStopAtLevel=1");
            command.add("-XX:+IgnoreUnrecognizedVMOptions");
            for (String opened : OPENED) {
                command.add("--add-opens=" + opened + "=ALL-UNNAMED");
            }
            command.add("-Djdk.reflect.useDirectMethodHandle=false");
            command.add("-cp");
            command.add(jars() + File.separator + "*");
            command.add("org.apache.spark.deploy.SparkSubmit");
            Map<String, String> all = new LinkedHashMap<>();
            all.put("spark.master", "local[2]");
            all.put("spark.ui.enabled", "false");
            all.put("spark.driver.host", "127.0.0.1");
            all.put("spark.driver.bindAddress", "127.0.0.1");
            all.put("spark.sql.shuffle.partitions", "2");
            all.put("spark.local.dir", folder.resolve("local").toString());
            all.put("spark.sql.warehouse.dir", folder.resolve("warehouse").toString());
            all.putAll(conf);
            all.forEach(
                    (key, value) -> {
                        command.add("--conf");
                        command.add(key + "=" + value);
                    });
            command.add("--class");
            command.add(mainClass);
            command.add(jar.toString());
            command.addAll(List.of(arguments));
            return environment(new ProcessBuilder(command))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        }

        /** A process that knows the installation. */
        ProcessBuilder environment(ProcessBuilder builder) {
            builder.environment().put("SPARK_HOME", folder.toString());
            builder.environment().put("SPARK_SCALA_VERSION", version.scala());
            return builder;
        }
    }
}
