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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Engines that plan a read in one process and read in others. */
class OtherProcessTest {

    private static final String TABLE = "db.t";
    private static final String PROGRAM =
            "org.apache.paimon.blobfallback.tests.reader.SplitProgram";

    @TempDir Path folder;

    private Path plan;

    @BeforeEach
    void plan() throws Exception {
        Path warehouse = folder.resolve("warehouse");
        try (PaimonRuntime runtime = Runtimes.paimon2();
                PaimonWriter writer = runtime.find(PaimonWriter.class)) {
            writer.open(warehouse.toString(), Map.of());
            writer.createTable(TABLE, TableDefinition.of("id", "INT", "pic", "BLOB"));
            List<List<Object>> rows = new ArrayList<>();
            for (int id = 0; id < 3; id++) {
                rows.add(Arrays.asList(id, raw("old " + id)));
            }
            writer.append(TABLE, rows);
            writer.update(TABLE, List.of("pic"), Map.of(1L, List.of(raw("new 1"))), Map.of());
        }
        plan = folder.resolve("plan");
        assertThat(run(0, host(true), "plan", warehouse.toString(), TABLE, plan.toString()))
                .isEmpty();
    }

    @Test
    void aPlanIsReadInAnotherProcess() throws Exception {
        assertThat(run(0, host(true), "read", plan.toString()).lines())
                .containsExactly("0|old 0", "1|new 1", "2|old 2");
    }

    /** It must not read the splits by itself, which would return placeholders. */
    @Test
    void aProcessWithoutThePluginFailsAndNamesIt() throws Exception {
        assertThat(run(1, host(false), "read", plan.toString()))
                .contains(
                        "java.lang.ClassNotFoundException:"
                                + " org.apache.paimon.blobfallback.table.BlobFallbackTable");
    }

    /** A serialized table is that of one version of Paimon. */
    @Test
    void aProcessWithPaimon2FailsAndNamesTheClass() throws Exception {
        List<Path> classPath = Runtimes.paimon2ClassPath();
        classPath.add(Runtimes.plugin());
        assertThat(run(1, classPath, "read", plan.toString()))
                .contains(
                        "java.io.InvalidClassException:"
                                + " org.apache.paimon.table.DelegatedFileStoreTable; local class"
                                + " incompatible");
    }

    private static List<Path> host(boolean withPlugin) throws Exception {
        List<Path> classPath = new ArrayList<>();
        if (withPlugin) {
            classPath.add(Runtimes.plugin());
        }
        classPath.add(Runtimes.classes("reader"));
        classPath.addAll(Runtimes.jars("reader"));
        return classPath;
    }

    /** Runs the program in a JVM of its own, and returns what it prints. */
    private static String run(int exit, List<Path> classPath, String... arguments)
            throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
        command.add("-cp");
        command.add(
                classPath.stream()
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator)));
        command.add(PROGRAM);
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(exit);
        return output;
    }

    private static byte[] raw(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
