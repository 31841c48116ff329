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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.spark.SparkAnswer;
import org.apache.paimon.blobfallback.tests.spark.SparkApplication;
import org.apache.paimon.blobfallback.tests.spark.SparkExtension;
import org.apache.paimon.blobfallback.tests.spark.SparkRequest;
import org.apache.paimon.blobfallback.tests.spark.SparkVersion;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random tables that Paimon 2.0 writes, read by Spark SQL and by DataFrames, and compared with the
 * model.
 *
 * <p>System properties: {@code spark.tables} is the number of tables, {@code spark.seed} the seed
 * of the first.
 */
class SparkDifferentialTest {

    private static final int TABLES = Integer.getInteger("spark.tables", 2);
    private static final long SEED = Long.getLong("spark.seed", 20_261_204L);
    private static final int SHOWN_FAILURES = 5;

    @RegisterExtension static final SparkExtension SPARK = new SparkExtension();

    private final List<String> failures = new ArrayList<>();
    private SparkApplication spark;
    private int reads;

    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void sparkReadsTablesOfPaimon2AsTheRulesSay(SparkVersion version) throws Exception {
        spark = SPARK.spark(version);
        for (long seed = SEED; seed < SEED + TABLES; seed++) {
            compareTable(version, seed);
        }
        System.out.printf(
                "%s: %d reads of %d tables, %d wrong%n", version, reads, TABLES, failures.size());
        assertThat(failures.stream().limit(SHOWN_FAILURES))
                .as("%d of %d reads went wrong, the first of them", failures.size(), reads)
                .isEmpty();
    }

    private void compareTable(SparkVersion version, long seed) throws Exception {
        String name = "db_" + version.ordinal() + ".t" + seed;
        RandomTable table =
                RandomTable.create(name, seed, SPARK.warehouse(), SPARK.writer(), SPARK.reader());
        if (table.current().columns().stream()
                .anyMatch(column -> column.kind() == ModelColumn.Kind.VECTOR)) {
            assertThat(spark.ask(SparkReads.table(ReadRequest.all(name))).failure())
                    .as("the connector of Paimon 1.4 has no type for vectors")
                    .contains("Unsupported type: VECTOR<FLOAT, 2>");
            return;
        }
        Random random = new Random(seed);
        long latest = table.history().lastKey();
        Expectation now = expectation(table, latest, table.current());
        RandomRequests requests = new RandomRequests(name, now, random);
        for (ReadRequest request : requests.all()) {
            compare(table, now, request);
        }
        for (ReadRequest request : requests.systemTables()) {
            compare(table, now, request);
        }
        List<Long> snapshots = List.copyOf(table.history().keySet());
        long earlier = snapshots.get(random.nextInt(snapshots.size()));
        Expectation past = expectation(table, earlier, table.history().get(earlier));
        for (ReadRequest request : new RandomRequests(name, past, random).some()) {
            compare(table, past, request.with("scan.snapshot-id", Long.toString(earlier)));
        }
        for (Map.Entry<String, Long> tag : table.tags().entrySet()) {
            Expectation tagged =
                    expectation(table, tag.getValue(), table.history().get(tag.getValue()));
            for (ReadRequest request : new RandomRequests(name, tagged, random).some()) {
                compare(table, tagged, request.with("scan.tag-name", tag.getKey()));
            }
        }
    }

    private static Expectation expectation(RandomTable table, long snapshot, ModelState state)
            throws Exception {
        return Expectation.of(table.name(), snapshot, state, SPARK.writer(), SPARK.reader());
    }

    private void compare(RandomTable table, Expectation expectation, ReadRequest asked)
            throws Exception {
        // Spark drops the rows that do not pass, whatever is asked.
        ReadRequest exact = exact(asked);
        ReadRequest request = table.ofAllRows(exact);
        reads++;
        if (request.columns() != null && request.columns().isEmpty()) {
            compareCount(table, expectation, request);
            return;
        }
        // A DataFrameReader takes the columns of now, whatever its options say of the time.
        boolean inSql =
                reads % 2 == 0 || !expectation.state().columns().equals(table.current().columns());
        SparkRequest said = inSql ? SparkReads.sql(request) : SparkReads.table(request);
        SparkAnswer answer = spark.ask(said);
        ExpectedRows expected = expectation.rows(request);
        if (answer.failure() != null) {
            fail(table, said, answer, "");
        } else if (!expected.matches(answer.rows())) {
            fail(table, said, answer, expected.difference(answer.rows()));
        }
    }

    private void compareCount(RandomTable table, Expectation expectation, ReadRequest request)
            throws Exception {
        SparkAnswer counted = spark.ask(SparkReads.count(request));
        Object expected = (long) expectation.rows(request).size();
        if (counted.failure() != null || !counted.rows().equals(List.of(List.of(expected)))) {
            fail(table, SparkReads.count(request), counted, "expected " + expected);
        }
    }

    private static ReadRequest exact(ReadRequest request) {
        ReadRequest.Filter filter = request.filter();
        return filter == null
                ? request
                : request.where(
                        new ReadRequest.Filter(
                                filter.kind(),
                                filter.column(),
                                filter.operands(),
                                filter.parts(),
                                true));
    }

    private void fail(
            RandomTable table, SparkRequest request, SparkAnswer answer, String difference) {
        failures.add(
                String.format(
                        "%s%n%s%n%s%n%s",
                        table.recipe(),
                        request,
                        difference,
                        answer.failure() == null ? "" : answer.failure()));
    }
}
