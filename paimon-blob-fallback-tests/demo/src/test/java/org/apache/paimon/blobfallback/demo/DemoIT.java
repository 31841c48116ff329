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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code bin/demo} as a user starts it, on what the build has made. */
class DemoIT {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();
    private static final Pattern TRY_AGAIN = Pattern.compile("--warehouse (\\S+) --table (\\S+)");

    @TempDir Path folder;

    @Test
    void theStoryShowsTheProblemAndTheCure() throws Exception {
        Run story = demo();

        assertThat(story.status).as(story.output).isZero();
        assertThat(story.output).contains("RIGHT: all 6 pictures");
        assertThat(story.output).contains("layers: 2").containsPattern("\\|[D.]{6}\\|");
        String readme = Files.readString(ROOT.resolve("README.md"));
        for (String symptom :
                List.of(
                        "java.lang.NegativeArraySizeException: -18",
                        "java.lang.IllegalArgumentException:"
                                + " Blob/vector-store files row count exceed the expect -1",
                        "length=-18")) {
            assertThat(story.output).as("the real symptom").contains(symptom);
            assertThat(readme).as("can be found in the README").contains(symptom);
        }

        Matcher tryAgain = TRY_AGAIN.matcher(story.output);
        assertThat(tryAgain.find()).as(story.output).isTrue();
        String warehouse = tryAgain.group(1);
        // The story's own catalogs have created it.
        Path written = ROOT.resolve(warehouse);
        Files.delete(written.resolve("default.db"));
        List<Path> before = contents(written);
        assertThat(written.toFile().setWritable(false)).isTrue();
        readsATableOfTheUsers(warehouse, tryAgain.group(2));
        runsAStatementOfTheUsers(warehouse, tryAgain.group(2));
        saysWhichTablesThereAre(warehouse);
        assertThat(contents(written)).as("only read").isEqualTo(before);
        assertThat(written.toFile().setWritable(true)).isTrue();
    }

    private static List<Path> contents(Path warehouse) throws IOException {
        try (Stream<Path> files = Files.walk(warehouse)) {
            return files.sorted().toList();
        }
    }

    private void readsATableOfTheUsers(String warehouse, String table) throws Exception {
        Run rows = demo("--warehouse", warehouse, "--table", table);

        assertThat(rows.status).as(rows.output).isZero();
        assertThat(rows.output).contains("LIMIT 20");
        assertThat(rows.output.lines().filter(line -> line.contains("PNG "))).hasSize(6);
    }

    private void runsAStatementOfTheUsers(String warehouse, String table) throws Exception {
        Run one =
                demo(
                        "--warehouse",
                        warehouse,
                        "--table",
                        table,
                        "--sql",
                        "SELECT picture, name FROM products WHERE name = 'fig'");

        assertThat(one.status).as(one.output).isZero();
        assertThat(one.output.lines().filter(line -> line.contains("PNG 96x96"))).hasSize(1);

        Run broken = demo("--warehouse", warehouse, "--table", table, "--sql", "SELECT nothing");
        assertThat(broken.status).as(broken.output).isEqualTo(1);
        assertThat(broken.output).contains("[ERROR]").contains("nothing");

        Run change = demo("--warehouse", warehouse, "--table", table, "--sql", "DROP TABLE t");
        assertThat(change.status).as(change.output).isEqualTo(1);
        assertThat(change.output).contains("bin/demo only reads").contains("found: DROP TABLE t");
    }

    private void saysWhichTablesThereAre(String warehouse) throws Exception {
        Run run = demo("--warehouse", warehouse, "--table", "shop.nowhere");

        assertThat(run.status).as(run.output).isEqualTo(1);
        assertThat(run.output)
                .contains("There is no table shop.nowhere in ")
                .contains("Its tables are: shop.products");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--bogus | unknown argument '--bogus'",
                "--warehouse | --warehouse needs a value",
                "--warehouse . | --table is missing",
                "--table a.b | --warehouse is missing",
                "--sql x | --warehouse is missing",
                "--warehouse . --table ab | --table must be DATABASE.TABLE, found 'ab'",
                "--warehouse . --warehouse . | --warehouse is given twice",
            })
    void aWrongArgumentIsNamedAndTheUsageShown(String arguments, String message) throws Exception {
        Run run = demo(arguments.strip().split(" "));

        assertThat(run.status).as(run.output).isEqualTo(2);
        assertThat(run.output).contains(message).contains("Usage:");
    }

    @Test
    void aMissingWarehouseIsNamed() throws Exception {
        String missing = folder.resolve("missing").toString();

        Run run = demo("--warehouse", missing, "--table", "a.b");

        assertThat(run.status).isEqualTo(1);
        assertThat(run.output).contains("There is no folder " + missing);
    }

    @Test
    void theReadmeNamesTheJarThatTheBuildMakes() throws Exception {
        Path jar = ROOT.relativize(Runtimes.pluginJar());

        assertThat(Files.readString(ROOT.resolve("README.md"))).contains("`" + jar + "`");
    }

    @Test
    void helpShowsTheUsage() throws Exception {
        Run run = demo("--help");

        assertThat(run.status).isZero();
        assertThat(run.output).startsWith("Usage:");
    }

    private record Run(int status, String output) {}

    /** Runs the script in the project's root, which must not call Maven from within Maven. */
    private Run demo(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bin/demo", "--no-build"));
        command.addAll(List.of(arguments));
        Path output = folder.resolve("output");
        Process process =
                new ProcessBuilder(command)
                        .directory(ROOT.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        if (!process.waitFor(15, TimeUnit.MINUTES)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw new AssertionError("bin/demo hangs: " + Files.readString(output));
        }
        return new Run(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }
}
