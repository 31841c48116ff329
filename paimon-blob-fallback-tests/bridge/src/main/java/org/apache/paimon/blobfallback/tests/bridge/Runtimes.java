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

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The Paimons that this build has at hand. They are found from the folder of the tests' modules,
 * which the system property {@code tests.dir} names.
 */
public final class Runtimes {

    /** Not the jars of sources and Javadoc, which lie beside it. */
    private static final Pattern PLUGIN_JAR =
            Pattern.compile("paimon-blob-fallback-[0-9.]+(-SNAPSHOT)?\\.jar");

    private static final String PAIMON_MASTER_DIR = "paimon.master.dir";

    private Runtimes() {}

    /** Paimon 2.0 as writer and reader. */
    public static PaimonRuntime paimon2() throws IOException {
        return new PaimonRuntime("paimon-2.0", paimon2ClassPath());
    }

    /** Paimon 2.0 with one more jar, such as that of a file system, on the class path. */
    public static PaimonRuntime paimon2With(Path jar) throws IOException {
        List<Path> classPath = paimon2ClassPath();
        classPath.add(jar);
        return new PaimonRuntime("paimon-2.0-with-" + jar.getFileName(), classPath);
    }

    /** Paimon 2.0 with the plugin before it on the class path. */
    public static PaimonRuntime paimon2BehindPlugin() throws IOException {
        List<Path> classPath = paimon2ClassPath();
        classPath.add(0, plugin());
        return new PaimonRuntime("plugin-then-paimon-2.0", classPath);
    }

    /** Paimon 2.0 with the plugin after it on the class path. */
    public static PaimonRuntime paimon2BeforePlugin() throws IOException {
        List<Path> classPath = paimon2ClassPath();
        classPath.add(plugin());
        return new PaimonRuntime("paimon-2.0-then-plugin", classPath);
    }

    /**
     * Paimon's master, a snapshot of its 2.1, as writer and reader. Its jars lie in the folder that
     * the system property {@code paimon.master.dir} names, which no registry serves.
     *
     * @return empty, and a line on the standard output, where the folder is not there
     */
    public static Optional<PaimonRuntime> paimonMaster() throws IOException {
        Path folder = paimonMasterDir();
        if (!Files.isDirectory(folder)) {
            System.out.printf(
                    "%s is not there (-D%s=...): what Paimon's master writes and reads is skipped.%n",
                    folder, PAIMON_MASTER_DIR);
            return Optional.empty();
        }
        List<Path> classPath = new ArrayList<>();
        classPath.add(classes("paimon2"));
        classPath.add(classes("reader"));
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(file -> file.getFileName().toString().endsWith(".jar"))
                    .sorted()
                    .forEach(classPath::add);
        }
        classPath.addAll(jars("paimon2"));
        return Optional.of(new PaimonRuntime("paimon-master", classPath));
    }

    private static Path paimonMasterDir() {
        String named = System.getProperty(PAIMON_MASTER_DIR);
        Path folder =
                named == null
                        ? testsDir().resolve("../../shared/engines/paimon-2.1-5dacde516b")
                        : Path.of(named);
        return folder.toAbsolutePath().normalize();
    }

    /** The class path of Paimon 2.0, for a JVM of its own. */
    public static List<Path> paimon2ClassPath() throws IOException {
        List<Path> classPath = new ArrayList<>();
        classPath.add(classes("paimon2"));
        classPath.add(classes("reader"));
        classPath.add(otherPaimon("paimon-flink-2.0"));
        classPath.addAll(jars("paimon2"));
        return classPath;
    }

    /** Paimon 1.3.1 with the plugin before it on the class path. */
    public static PaimonRuntime paimon13BehindPlugin() throws IOException {
        List<Path> classPath = new ArrayList<>();
        classPath.add(plugin());
        classPath.add(classes("reader"));
        classPath.add(otherPaimon("paimon-bundle-1.3.1"));
        for (Path jar : jars("reader")) {
            if (!jar.getFileName().toString().startsWith("paimon-bundle")) {
                classPath.add(jar);
            }
        }
        return new PaimonRuntime("plugin-then-paimon-1.3.1", classPath);
    }

    /** Paimon 1.3.1 in Flink, with the plugin before it on the class path. */
    public static PaimonRuntime paimon13InFlinkBehindPlugin() throws IOException {
        return inFlink("plugin-then-paimon-flink-1.3.1", "paimon-flink-1.20-1.3.1");
    }

    /** Paimon 2.0 in Flink, with the plugin before it on the class path. */
    public static PaimonRuntime paimon2InFlinkBehindPlugin() throws IOException {
        return inFlink("plugin-then-paimon-flink-2.0", "paimon-flink-2.0");
    }

    private static PaimonRuntime inFlink(String name, String paimon) throws IOException {
        List<Path> classPath = new ArrayList<>();
        classPath.add(plugin());
        classPath.add(otherPaimon(paimon));
        for (Path jar : jars("flink")) {
            if (!jar.getFileName().toString().startsWith("paimon-")) {
                classPath.add(jar);
            }
        }
        return new PaimonRuntime(name, classPath);
    }

    /**
     * As much of Paimon 1.4.1 as is published, its core and its common module, with the plugin
     * before it on the class path and the host behind it.
     */
    public static PaimonRuntime paimon141BehindPlugin() throws IOException {
        List<Path> classPath = new ArrayList<>();
        classPath.add(plugin());
        classPath.add(classes("reader"));
        classPath.add(otherPaimon("paimon-core-1.4.1"));
        classPath.add(otherPaimon("paimon-common-1.4.1"));
        classPath.addAll(jars("reader"));
        return new PaimonRuntime("plugin-then-paimon-1.4.1", classPath);
    }

    private static Path otherPaimon(String jar) {
        return existing(testsDir().resolve("target/paimon").resolve(jar + ".jar"));
    }

    /** The host without the plugin. */
    public static PaimonRuntime host() throws IOException {
        List<Path> classPath = new ArrayList<>();
        classPath.add(classes("reader"));
        classPath.addAll(jars("reader"));
        return new PaimonRuntime("host", classPath);
    }

    /** The host, without the plugin, with one more jar on the class path. */
    public static PaimonRuntime hostWith(Path jar) throws IOException {
        List<Path> classPath = new ArrayList<>();
        classPath.add(classes("reader"));
        classPath.addAll(jars("reader"));
        classPath.add(jar);
        return new PaimonRuntime("host-with-" + jar.getFileName(), classPath);
    }

    /** The host with the plugin before it on the class path. */
    public static PaimonRuntime hostBehindPlugin() throws IOException {
        List<Path> classPath = new ArrayList<>();
        classPath.add(plugin());
        classPath.add(classes("reader"));
        classPath.addAll(jars("reader"));
        return new PaimonRuntime("plugin-then-host", classPath);
    }

    /** The host with the plugin after it on the class path. */
    public static PaimonRuntime hostBeforePlugin() throws IOException {
        List<Path> classPath = new ArrayList<>();
        classPath.add(classes("reader"));
        classPath.addAll(jars("reader"));
        classPath.add(plugin());
        return new PaimonRuntime("host-then-plugin", classPath);
    }

    /** The object store, which has no Paimon. */
    public static PaimonRuntime objectStore() throws IOException {
        List<Path> classPath = new ArrayList<>();
        classPath.add(classes("s3"));
        classPath.addAll(jars("s3"));
        return new PaimonRuntime("object-store", classPath);
    }

    /** The plugin's classes. */
    public static Path plugin() {
        return existing(testsDir().resolve("../paimon-blob-fallback/target/classes"));
    }

    /** The plugin's jar as the build packages it. */
    public static Path pluginJar() throws IOException {
        Path target = plugin().getParent();
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(file -> PLUGIN_JAR.matcher(file.getFileName().toString()).matches())
                    .findFirst()
                    .orElseThrow(
                            () ->
                                    new IllegalStateException(
                                            "The plugin's jar is not in " + target));
        }
    }

    /** The classes of a tests module. */
    public static Path classes(String module) {
        return existing(testsDir().resolve(module).resolve("target/classes"));
    }

    /** The jars that a tests module runs with, as its build wrote them down. */
    public static List<Path> jars(String module) throws IOException {
        Path list = existing(testsDir().resolve(module).resolve("target/runtime.classpath"));
        List<Path> jars = new ArrayList<>();
        for (String jar : Files.readString(list).trim().split(File.pathSeparator)) {
            jars.add(existing(Path.of(jar)));
        }
        return jars;
    }

    /** The folder of the tests' modules. */
    public static Path testsDir() {
        String dir = System.getProperty("tests.dir");
        if (dir == null) {
            throw new IllegalStateException(
                    "System property tests.dir must name the folder paimon-blob-fallback-tests.");
        }
        return Path.of(dir).toAbsolutePath().normalize();
    }

    private static Path existing(Path path) {
        Path normal = path.normalize();
        if (!Files.exists(normal)) {
            throw new IllegalStateException(normal + " does not exist; build its module first.");
        }
        return normal;
    }
}
