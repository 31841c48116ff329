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

package org.apache.paimon.blobfallback.demo;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;

/** A JVM of its own with Flink and the host on its class path, and the plugin if wanted. */
final class HostProcess {

    /**
     * What a run left behind.
     *
     * @param exitStatus the exit status of the JVM
     * @param lines all that it printed
     */
    record Result(int exitStatus, List<String> lines) {

        /** Whether the program found nothing wrong. */
        boolean succeeded() {
            return exitStatus == 0;
        }
    }

    private final List<Path> classPath;

    private HostProcess(List<Path> classPath) {
        this.classPath = classPath;
    }

    /** The host as it is. */
    static HostProcess stock() throws IOException {
        List<Path> classPath = new ArrayList<>();
        classPath.add(Runtimes.classes("demo"));
        classPath.addAll(Runtimes.jars("demo"));
        return new HostProcess(classPath);
    }

    /** The host with the plugin's jar beside it. */
    static HostProcess withPlugin() throws IOException {
        HostProcess process = stock();
        process.classPath.add(Runtimes.pluginJar());
        return process;
    }

    /** Runs a main class to its end; what it prints appears at once. */
    Result run(Class<?> main, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx1g");
        // The jobs are short: the optimizing compiler would cost more than it gains.
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-Djava.awt.headless=true");
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=off");
        command.add("-Dfile.encoding=UTF-8");
        // Flink 2.0 reflects on the JDK's collections and strings.
        command.add("--add-opens=java.base/java.util=ALL-UNNAMED");
        command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
        command.add("-cp");
        command.add(
                classPath.stream()
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator)));
        command.add(main.getName());
        command.addAll(arguments);
        Process process =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .redirectInput(ProcessBuilder.Redirect.INHERIT)
                        .start();
        List<String> lines = new ArrayList<>();
        try (BufferedReader output =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
                System.out.println(line);
            }
        }
        return new Result(process.waitFor(), lines);
    }
}
