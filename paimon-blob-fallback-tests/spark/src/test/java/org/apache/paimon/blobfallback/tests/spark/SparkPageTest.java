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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What docs/spark.md tells a user to type is right. {@link SparkSubmitTest} has its commands. */
class SparkPageTest {

    @RegisterExtension static final SparkExtension SPARK = new SparkExtension();

    /** Two rows a day; the fronts of rows 0 and 4, of days 1 and 3, are updated twice. */
    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void theStatementsDoWhatThePageSays(SparkVersion version) throws Exception {
        SparkPage page = new SparkPage();
        String table = "page_" + version.ordinal() + ".my_table";
        writeTheUsersTable(table);
        SparkApplication spark = SPARK.spark(version);

        List<List<List<Object>>> read = run(spark, page, "read", version);
        assertThat(read)
                .isEqualTo(
                        List.of(
                                List.of(List.of(4, "second")),
                                List.<List<Object>>of(),
                                List.of(List.of(4L, "second")),
                                List.of(List.of(3))));
        assertThat(run(spark, page, "flatten", version).get(0).get(0).subList(0, 2))
                .as("day 1 has three layers, day 2 has one, and day 3 is not asked for")
                .isEqualTo(List.of(1L, 3L));
        assertThat(run(spark, page, "update", version).get(0).get(0).get(0)).isEqualTo(1L);
        assertThat(spark.rows(SparkRequest.of(SparkRequest.Kind.PAGE, "page_" + version.ordinal())))
                .as("the Java block")
                .hasSize(1);

        assertThat(
                        Album.texts(
                                SPARK.reader()
                                        .read(
                                                ReadRequest.all(table)
                                                        .columns("id", "front", "back"))))
                .containsExactlyInAnyOrder(
                        List.of(0, "second", "back"),
                        List.of(1, "back", "front"),
                        List.of(2, "back", "back"),
                        List.of(3, "front", "back"),
                        List.of(4, "second", "back"),
                        List.of(5, "front", "back"));
    }

    private static void writeTheUsersTable(String table) throws Exception {
        SPARK.writer()
                .createTable(
                        table,
                        TableDefinition.of(
                                        "id", "INT", "front", "BLOB", "name", "STRING", "back",
                                        "BLOB", "day", "INT")
                                .partitionedBy("day"));
        for (int day = 1; day <= 3; day++) {
            List<List<Object>> rows = new ArrayList<>();
            for (int id = 2 * day - 2; id < 2 * day; id++) {
                rows.add(Arrays.asList(id, raw("front"), "name-" + id, raw("back"), day));
            }
            SPARK.writer().append(table, rows);
        }
        for (String value : List.of("first", "second")) {
            SPARK.writer()
                    .update(
                            table,
                            List.of("front"),
                            Map.of(0L, List.of(raw(value)), 4L, List.of(raw(value))),
                            Map.of());
        }
    }

    private static List<List<List<Object>>> run(
            SparkApplication spark, SparkPage page, String block, SparkVersion version)
            throws Exception {
        List<List<List<Object>>> results = new ArrayList<>();
        for (String statement : page.statements(block)) {
            results.add(
                    Album.texts(
                            spark.sql(
                                    statement.replace(
                                            "my_db.", "page_" + version.ordinal() + "."))));
        }
        return results;
    }

    /** All tests run with what the page says to configure. */
    @Test
    void theConfigurationIsTheOneOfTheTests() throws Exception {
        Map<String, String> used = SparkExtension.catalogConf(Path.of("/path/to/warehouse"));
        used.remove("spark.sql.datetime.java8API.enabled");

        assertThat(new SparkPage().block("conf").lines())
                .containsExactlyInAnyOrderElementsOf(
                        used.entrySet().stream()
                                .map(entry -> entry.getKey() + "=" + entry.getValue())
                                .toList());
    }

    /** The program that runs in Spark holds the lines of the page's Java. */
    @Test
    void theJavaOfThePageIsRun() throws Exception {
        String program =
                Files.readString(
                        Runtimes.testsDir()
                                .resolve(
                                        "spark/src/main/java/org/apache/paimon/blobfallback/tests/spark/PageProgram.java"));

        assertThat(program.replaceAll("\\s+", "").replace("\"+database+\"", "my_db"))
                .contains(new SparkPage().block("java").replaceAll("\\s+", ""));
    }

    @Test
    void noBlockIsLeftOut() throws Exception {
        assertThat(new SparkPage().names())
                .containsExactly(
                        "conf",
                        "read",
                        "flatten",
                        "submit-flatten",
                        "update",
                        "submit-update",
                        "java");
        assertThat(new SparkPage().blockCount()).isEqualTo(7);
    }

    private static byte[] raw(String text) {
        return text.getBytes(UTF_8);
    }
}
