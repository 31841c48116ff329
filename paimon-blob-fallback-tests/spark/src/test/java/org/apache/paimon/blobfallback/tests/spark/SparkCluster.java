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
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A cluster of a master and two workers of one core each, in JVMs of their own. The workers are on
 * two addresses of the loopback, since Spark starts no second attempt of a task on the same host.
 */
final class SparkCluster implements Closeable {

    private final SparkApplication.SparkHome home;
    private final int port;
    private final List<Process> processes = new ArrayList<>();
    private final List<Process> workers = new ArrayList<>();

    private SparkCluster(SparkApplication.SparkHome home) throws IOException {
        this.home = home;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = free.getLocalPort();
        }
    }

    static SparkCluster start(SparkApplication.SparkHome home) throws IOException {
        SparkCluster cluster = new SparkCluster(home);
        try {
            cluster.run(
                    "org.apache.spark.deploy.master.Master",
                    "--host",
                    "127.0.0.1",
                    "--port",
                    String.valueOf(cluster.port),
                    "--webui-port",
                    "0");
            for (String host : List.of("127.0.0.2", "127.0.0.3")) {
                cluster.workers.add(
                        cluster.run(
                                "org.apache.spark.deploy.worker.Worker",
                                "--host",
                                host,
                                "--webui-port",
                                "0",
                                "--cores",
                                "1",
                                "--memory",
                                "1g",
                                "--work-dir",
                                home.folder().resolve("work").toString(),
                                cluster.url()));
            }
            return cluster;
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private Process run(String mainClass, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx256m");
        command.add("-XX:+UseSerialGC");
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-cp");
        command.add(home.jars() + "/*");
        command.add(mainClass);
        command.addAll(List.of(arguments));
        Process process =
                home.environment(new ProcessBuilder(command))
                        .redirectErrorStream(true)
                        .redirectOutput(
                                Files.createTempFile(home.folder(), "daemon", ".txt").toFile())
                        .start();
        processes.add(process);
        return process;
    }

    /** What {@code spark.master} is to say. */
    String url() {
        return "spark://127.0.0.1:" + port;
    }

    /** Ends the executors that run now, without a chance for them to tidy up. */
    void killExecutors() throws InterruptedException {
        for (Process worker : workers) {
            for (ProcessHandle executor : worker.descendants().toList()) {
                executor.destroyForcibly();
                while (executor.isAlive()) {
                    Thread.sleep(10);
                }
            }
        }
    }

    @Override
    public void close() {
        for (Process process : processes) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
