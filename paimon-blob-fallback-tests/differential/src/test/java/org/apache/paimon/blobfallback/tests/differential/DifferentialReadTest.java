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

import java.io.Closeable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.apache.paimon.blobfallback.tests.bridge.DataFile;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random tables that Paimon 2.0 writes, read in many ways by Paimon 2.0 and by the host with the
 * plugin before and behind it on the class path (R1 to R11, R15 to R17). A model says what is
 * right: Paimon 2.0 hands out its placeholders where a single layer holds them, and loses rows of
 * groups that a later column covers in part, so it cannot judge alone.
 *
 * <p>Each read is also done by Paimon 2.0 with the plugin first and last on the class path, where
 * the plugin steps aside: it gives what Paimon 2.0 gives alone, failures included.
 *
 * <p>System properties: {@code differential.tables} is the number of tables, {@code
 * differential.seed} the seed of the first; the n-th table has the seed plus n. Without a seed,
 * nine of ten tables are the same each time and the others are new.
 */
class DifferentialReadTest {

    private static final int TABLES = Integer.getInteger("differential.tables", 100);
    private static final long FIXED_SEED = 20_261_129L;
    private static final int SHOWN_FAILURES = 3;

    @TempDir private static Path warehouse;

    private static final List<Closeable> OPEN = new ArrayList<>();

    private static PaimonWriter writer;
    private static Contestant judge;
    private static Contestant behindPlugin;
    private static Contestant beforePlugin;

    /** Paimon 2.0 with the plugin first and last on the class path. */
    private static List<Contestant> upgraded;

    private final List<String> failures = new ArrayList<>();
    private int reads;
    private int changeReads;
    private int counts;
    private int judgeFailed;
    private int judgeDiffered;

    @BeforeAll
    static void openPaimons() throws Exception {
        PaimonRuntime paimon2 = SharedRuntimes.paimon2();
        writer = opened(paimon2.find(PaimonWriter.class));
        writer.open(warehouse.toString(), Map.of());
        judge = contestant(paimon2, "filesystem", Map.of());
        Map<String, String> enabled = Map.of("blob-fallback.enabled", "true");
        behindPlugin = contestant(SharedRuntimes.hostBehindPlugin(), "blob-fallback", enabled);
        beforePlugin = contestant(SharedRuntimes.hostBeforePlugin(), "blob-fallback", enabled);
        upgraded =
                List.of(
                        contestant(SharedRuntimes.paimon2BehindPlugin(), "blob-fallback", enabled),
                        contestant(SharedRuntimes.paimon2BeforePlugin(), "blob-fallback", enabled));
    }

    private static Contestant contestant(
            PaimonRuntime runtime, String metastore, Map<String, String> readOptions)
            throws Exception {
        Map<String, String> options =
                Map.of(
                        "warehouse",
                        warehouse.toString(),
                        "metastore",
                        metastore,
                        // Another catalog changes the tables.
                        "cache-enabled",
                        "false");
        return opened(new Contestant(runtime, options, readOptions));
    }

    private static <T extends Closeable> T opened(T closeable) {
        OPEN.add(closeable);
        return closeable;
    }

    @AfterAll
    static void closePaimons() throws Exception {
        Collections.reverse(OPEN);
        for (Closeable closeable : OPEN) {
            closeable.close();
        }
    }

    @Test
    void hostWithPluginReadsTablesOfPaimon2AsTheRulesSay() throws Exception {
        Long seed = Long.getLong("differential.seed");
        if (seed != null) {
            compareTables(seed, TABLES);
        } else {
            int fixed = TABLES - TABLES / 10;
            compareTables(FIXED_SEED, fixed);
            compareTables(System.nanoTime(), TABLES - fixed);
        }

        System.out.printf(
                "%d reads of %d tables (%d of changes, %d counted); Paimon 2.0 failed in %d of them"
                        + " and went wrong in %d; the plugin went wrong in %d%n",
                reads, TABLES, changeReads, counts, judgeFailed, judgeDiffered, failures.size());
        assertThat(failures.stream().limit(SHOWN_FAILURES))
                .as("%d of %d reads went wrong, the first of them", failures.size(), reads)
                .isEmpty();
    }

    private void compareTables(long seed, int count) throws Exception {
        System.out.printf("differential.seed=%d differential.tables=%d%n", seed, count);
        for (int i = 0; i < count; i++) {
            try {
                compareTable(seed + i);
            } catch (Exception e) {
                throw new IllegalStateException("-Ddifferential.seed=" + (seed + i), e);
            }
        }
    }

    private void compareTable(long seed) throws Exception {
        String name = "db.t" + Long.toUnsignedString(seed);
        RandomTable table = RandomTable.create(name, seed, warehouse, writer, judge.reader());
        Random random = new Random(seed);
        long latest = table.history().lastKey();
        Expectation expectation = expectation(table, latest, table.current());
        RandomRequests requests = new RandomRequests(name, expectation, random);
        for (ReadRequest request : requests.all()) {
            compare(seed, table, expectation, request);
        }
        for (ReadRequest request : requests.systemTables()) {
            compare(seed, table, expectation, request);
        }
        comparePast(seed, table, random);
        compareChanges(seed, table, requests.changes(), random);
    }

    /** Reads an earlier snapshot by its id, and tags by their names and their branches. */
    private void comparePast(long seed, RandomTable table, Random random) throws Exception {
        String name = table.name();
        List<Long> snapshots = List.copyOf(table.history().keySet());
        long earlier = snapshots.get(random.nextInt(snapshots.size()));
        Expectation past = expectation(table, earlier, table.history().get(earlier));
        for (ReadRequest request : new RandomRequests(name, past, random).some()) {
            compare(seed, table, past, request.with("scan.snapshot-id", Long.toString(earlier)));
        }
        for (Map.Entry<String, Long> tag : table.tags().entrySet()) {
            Expectation tagged =
                    expectation(table, tag.getValue(), table.history().get(tag.getValue()));
            for (ReadRequest request : new RandomRequests(name, tagged, random).some()) {
                compare(seed, table, tagged, request.with("scan.tag-name", tag.getKey()));
            }
            String branch = name + "$branch_" + tag.getKey();
            for (ReadRequest request : new RandomRequests(branch, tagged, random).some()) {
                compare(seed, table, tagged, request);
            }
        }
    }

    /** Reads what one snapshot has changed, and what several have together (R15). */
    private void compareChanges(long seed, RandomTable table, ReadRequest request, Random random)
            throws Exception {
        List<Long> appends = table.appends();
        if (appends.isEmpty()) {
            return;
        }
        long snapshot = appends.get(random.nextInt(appends.size()));
        compareChanges(
                seed,
                table,
                request,
                List.of(snapshot),
                contestant -> contestant.readChanges(request, snapshot));
        int first = random.nextInt(appends.size());
        int last = first + random.nextInt(appends.size() - first);
        ReadRequest between =
                request.with(
                        "incremental-between", (appends.get(first) - 1) + "," + appends.get(last));
        compareChanges(
                seed,
                table,
                between,
                appends.subList(first, last + 1),
                contestant -> contestant.read(between));
    }

    private void compareChanges(
            long seed,
            RandomTable table,
            ReadRequest request,
            List<Long> snapshots,
            Function<Contestant, Contestant.Outcome> read)
            throws Exception {
        List<Expectation.Change> changes = new ArrayList<>();
        Set<Integer> columns = new HashSet<>();
        table.current().columns().forEach(column -> columns.add(column.id()));
        for (long snapshot : snapshots) {
            Set<String> before = new HashSet<>();
            if (snapshot > 1) {
                writer.dataFiles(table.name(), snapshot - 1)
                        .forEach(file -> before.add(file.path()));
            }
            for (DataFile file : writer.dataFiles(table.name(), snapshot)) {
                if (!before.contains(file.path())) {
                    changes.add(new Expectation.Change(file, table.history().get(snapshot)));
                }
            }
        }
        if (changes.stream()
                .anyMatch(change -> Collections.disjoint(change.file().columnIds(), columns))) {
            // Whether files of dropped columns alone still make rows is nobody's promise.
            return;
        }
        if (Expectation.normalFilesOverlapInPart(changes)) {
            // Groups that a compaction has merged meanwhile: refused by name, not read.
            for (Contestant host : List.of(behindPlugin, beforePlugin)) {
                assertThat(read.apply(host).failure()).contains("must span the same row ids");
            }
            return;
        }
        reads++;
        changeReads++;
        ExpectedRows expected = Expectation.ofChanges(table.current(), changes).someRows(request);
        // Paimon 2.0 reads for ever where files of a view's column are not among the changes.
        if (table.current().viewed() == null) {
            Contestant.Outcome judged = read.apply(judge);
            if (judged.failure() != null) {
                judgeFailed++;
            } else if (!judged.matches(expected)) {
                judgeDiffered++;
            }
            checkUpgraded(seed, table, request, read, judged);
        }
        for (Contestant host : List.of(behindPlugin, beforePlugin)) {
            Contestant.Outcome outcome = read.apply(host);
            if (!outcome.matches(expected)) {
                fail(
                        seed,
                        table,
                        request,
                        host,
                        "of snapshots " + snapshots + "\n" + outcome.difference(expected));
            }
        }
    }

    private static Expectation expectation(RandomTable table, long snapshot, ModelState state)
            throws Exception {
        return Expectation.of(table.name(), snapshot, state, writer, judge.reader());
    }

    private void compare(long seed, RandomTable table, Expectation expectation, ReadRequest request)
            throws Exception {
        reads++;
        ExpectedRows expected = expectation.rows(request);
        Contestant.Outcome judged = judge.read(request);
        if (judged.failure() != null) {
            judgeFailed++;
        } else if (!judged.matches(expected)) {
            judgeDiffered++;
            if (!expectation.paimon2MayDiffer(request)) {
                fail(seed, table, request, judge, judged.difference(expected));
            }
        }
        checkUpgraded(seed, table, request, contestant -> contestant.read(request), judged);
        check(seed, table, request, behindPlugin, expected);
        // The order on the class path decides less: a sample does, other requests each time.
        if (reads % 3 == 0) {
            check(seed, table, request, beforePlugin, expected);
            checkCount(seed, table, request, expected);
        }
    }

    /** Paimon 2.0 does with the plugin what it does without. */
    private void checkUpgraded(
            long seed,
            RandomTable table,
            ReadRequest request,
            Function<Contestant, Contestant.Outcome> read,
            Contestant.Outcome judged) {
        for (Contestant paimon2 : upgraded) {
            Contestant.Outcome outcome = read.apply(paimon2);
            if (!outcome.isLike(judged)) {
                fail(seed, table, request, paimon2, outcome + ", without the plugin " + judged);
            }
        }
    }

    /** Engines answer COUNT(*) from the plan where it tells how many rows there are. */
    private void checkCount(
            long seed, RandomTable table, ReadRequest request, ExpectedRows expected)
            throws Exception {
        if (request.filter() == null && request.limit() == null) {
            counts++;
            OptionalLong count = behindPlugin.count(request);
            if (count.isPresent() && count.getAsLong() != expected.size()) {
                fail(
                        seed,
                        table,
                        request,
                        behindPlugin,
                        "The plan counts " + count + " rows of " + expected.size());
            }
            OptionalLong judged = judge.count(request);
            for (Contestant paimon2 : upgraded) {
                assertThat(paimon2.count(request))
                        .as("%s counts %s", paimon2, request)
                        .isEqualTo(judged);
            }
        }
    }

    private void check(
            long seed,
            RandomTable table,
            ReadRequest request,
            Contestant host,
            ExpectedRows expected) {
        Contestant.Outcome outcome = host.read(request);
        if (!outcome.matches(expected)) {
            fail(seed, table, request, host, outcome.difference(expected));
        }
    }

    private void fail(
            long seed,
            RandomTable table,
            ReadRequest request,
            Contestant contestant,
            String difference) {
        failures.add(
                String.format(
                        "-Ddifferential.seed=%d -Ddifferential.tables=1%n%s%n%s reads %s%n%s",
                        seed, table.recipe(), contestant, request, difference));
    }
}
