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
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.apache.paimon.blobfallback.tests.bridge.DataFile;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.PluginWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random tables that Paimon 2.0 and Paimon's master write, read in many ways by both and by the
 * host with the plugin before and behind it on the class path (R1 to R11, R15 to R17). A model says
 * what is right: the newer Paimons hand out placeholders where a single layer holds them, and lose
 * rows of groups that a later column covers in part, so they cannot judge alone. What may go wrong
 * in them is in {@link KnownFault}; anything else fails the test, as does a Paimon that agrees with
 * the model too seldom. Where the jars of the master are not there, 2.0 does its part.
 *
 * <p>Each read is also done by Paimon 2.0 with the plugin first and last on the class path, where
 * the plugin steps aside: it gives what Paimon 2.0 gives alone, failures included.
 *
 * <p>System properties: {@code differential.tables} is the number of tables, {@code
 * differential.seed} the seed of the first; the n-th table has the seed plus n. Without a seed the
 * tables are the same each time. {@code paimon.master.dir} is the folder with the jars of Paimon's
 * master.
 */
class DifferentialReadTest {

    private static final int TABLES = Integer.getInteger("differential.tables", 90);
    private static final long FIXED_SEED = 20_261_129L;
    private static final int MIN_READS_TO_AGREE_ON = 500;

    /** Of so many tables Paimon's master writes one. */
    private static final int TABLES_FOR_ONE_OF_MASTER = 3;

    @TempDir private static Path warehouse;

    private static final List<Closeable> OPEN = new ArrayList<>();

    private static Judge paimon2;

    /** Paimon's master, null where it is not there. */
    private static Judge master;

    private static PluginWriter plugin;
    private static Contestant behindPlugin;
    private static Contestant beforePlugin;

    /** Paimon 2.0 with the plugin first and last on the class path. */
    private static List<Contestant> upgraded;

    private final Findings findings = new Findings();

    private int reads;
    private int changeReads;
    private int counts;

    @BeforeAll
    static void openPaimons() throws Exception {
        paimon2 = judge(SharedRuntimes.paimon2());
        if (SharedRuntimes.paimonMaster().isPresent()) {
            master = judge(SharedRuntimes.paimonMaster().get());
        }
        Map<String, String> enabled = Map.of("blob-fallback.enabled", "true");
        behindPlugin = contestant(SharedRuntimes.hostBehindPlugin(), "blob-fallback", enabled);
        beforePlugin = contestant(SharedRuntimes.hostBeforePlugin(), "blob-fallback", enabled);
        plugin = opened(SharedRuntimes.hostBehindPlugin().find(PluginWriter.class));
        plugin.open(catalogOptions("blob-fallback"));
        upgraded =
                List.of(
                        contestant(SharedRuntimes.paimon2BehindPlugin(), "blob-fallback", enabled),
                        contestant(SharedRuntimes.paimon2BeforePlugin(), "blob-fallback", enabled));
    }

    private static Judge judge(PaimonRuntime runtime) throws Exception {
        PaimonWriter writer = runtime.find(PaimonWriter.class);
        writer.open(warehouse.toString(), Map.of());
        return opened(new Judge(newContestant(runtime, "filesystem", Map.of()), writer));
    }

    private static Contestant contestant(
            PaimonRuntime runtime, String metastore, Map<String, String> readOptions)
            throws Exception {
        return opened(newContestant(runtime, metastore, readOptions));
    }

    private static Contestant newContestant(
            PaimonRuntime runtime, String metastore, Map<String, String> readOptions)
            throws Exception {
        return new Contestant(runtime, catalogOptions(metastore), readOptions);
    }

    private static Map<String, String> catalogOptions(String metastore) {
        return Map.of(
                "warehouse",
                warehouse.toString(),
                "metastore",
                metastore,
                // Another catalog changes the tables.
                "cache-enabled",
                "false");
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
        compareTables(Long.getLong("differential.seed", FIXED_SEED), TABLES);

        System.out.printf(
                "%d reads of %d tables (%d of changes, %d counted)%n%s%n",
                reads, TABLES, changeReads, counts, findings.summary());
        List<Judge> judges = master == null ? List.of(paimon2) : List.of(paimon2, master);
        judges.forEach(judge -> System.out.println(judge.summary()));
        assertThat(findings.isEmpty())
                .as("%s%n%s", findings.summary(), findings.details())
                .isTrue();
        for (Judge judge : judges) {
            // A judge that fails in known ways everywhere would judge nothing. A few tables, as one
            // repeats them by their seed, may all be odd.
            assertThat(judge.reads() < MIN_READS_TO_AGREE_ON ? judge.reads() : judge.agreed())
                    .as("reads that %s and the model agree on", judge.contestant())
                    .isGreaterThan(judge.reads() * 3 / 4);
        }
    }

    private void compareTables(long seed, int count) throws Exception {
        System.out.printf("differential.seed=%d differential.tables=%d%n", seed, count);
        for (int i = 0; i < count; i++) {
            try {
                compareTable(seed + i);
            } catch (Exception | AssertionError | LinkageError | VirtualMachineError e) {
                // The tables after it are read all the same.
                findings.add(
                        Findings.Kind.TABLE,
                        "table of " + newer(seed + i).contestant(),
                        seed + i,
                        Contestant.text(e));
            }
        }
    }

    private void compareTable(long seed) throws Exception {
        String name = "db.t" + Long.toUnsignedString(seed);
        Judge other = newer(seed);
        RandomTable table =
                RandomTable.create(
                        name,
                        seed,
                        warehouse,
                        other.writer(),
                        other.reader(),
                        plugin,
                        isOfMaster(seed));
        Random random = new Random(seed);
        long latest = table.history().lastKey();
        Expectation expectation = expectation(table, latest, table.current());
        RandomRequests requests = new RandomRequests(name, expectation, random);
        for (ReadRequest request : requests.all()) {
            if (!asksIndex(table, request)) {
                compare(seed, table, expectation, request);
            } else {
                compareModes(seed, table, expectation, request, random);
            }
        }
        for (ReadRequest request : requests.systemTables()) {
            compare(seed, table, expectation, request);
        }
        comparePast(seed, table, random);
        compareChanges(seed, table, requests.changes(), random);
    }

    /**
     * Reads a table that has indexes. A filter finds rows that are in none in two of the search
     * modes; in the third those that are in all.
     */
    private void compareModes(
            long seed,
            RandomTable table,
            Expectation expectation,
            ReadRequest request,
            Random random)
            throws Exception {
        String option =
                random.nextBoolean() ? "scalar-index.search-mode" : "global-index.search-mode";
        compare(
                seed,
                table,
                expectation,
                request.with(option, random.nextBoolean() ? "full" : "detail"));
        if (request.limit() != null || !request.filter().exact()) {
            return;
        }
        Set<String> columns = new LinkedHashSet<>(request.columns());
        columns.add("_ROW_ID");
        ReadRequest fast = request.columns(columns.toArray(new String[0])).with(option, "fast");
        long indexedTo = table.indexedTo(Filters.columns(request.filter()));
        compare(seed, table, expectation, fast, expectation.indexedRows(fast, indexedTo));
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
        for (ReadRequest request : new RandomRequests(name, past, random).systemTables()) {
            compare(seed, table, past, request.with("scan.snapshot-id", Long.toString(earlier)));
        }
        for (Map.Entry<String, Long> tag : table.tags().entrySet()) {
            Expectation tagged =
                    expectation(table, tag.getValue(), table.history().get(tag.getValue()));
            for (ReadRequest request : new RandomRequests(name, tagged, random).systemTables()) {
                compare(seed, table, tagged, request.with("scan.tag-name", tag.getKey()));
            }
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
                paimon2.writer()
                        .dataFiles(table.name(), snapshot - 1)
                        .forEach(file -> before.add(file.path()));
            }
            for (DataFile file : paimon2.writer().dataFiles(table.name(), snapshot)) {
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
                Contestant.Outcome outcome = read.apply(host);
                if (outcome.rows() != null
                        || !outcome.failure().contains("must span the same row ids")) {
                    fail(seed, table, request, host, "expected a refusal, found " + outcome);
                }
            }
            return;
        }
        reads++;
        changeReads++;
        Expectation expectation = Expectation.ofChanges(table.current(), changes);
        ExpectedRows expected = expectation.someRows(request);
        // Paimon 2.0 reads for ever where files of a view's column are not among the changes.
        if (table.current().viewed() == null) {
            judge(seed, table, request, read, expected, expectation.knownFaultsOfChanges(request));
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
        return Expectation.of(table.name(), snapshot, state, paimon2.writer(), paimon2.reader());
    }

    private void compare(long seed, RandomTable table, Expectation expectation, ReadRequest request)
            throws Exception {
        compare(seed, table, expectation, request, expectation.rows(request));
    }

    private void compare(
            long seed,
            RandomTable table,
            Expectation expectation,
            ReadRequest request,
            ExpectedRows expected)
            throws Exception {
        reads++;
        judge(
                seed,
                table,
                request,
                contestant -> contestant.read(request),
                expected,
                knownFaults(table, expectation, request));
        check(seed, table, request, behindPlugin, expected);
        // The order on the class path decides less: a sample does, other requests each time.
        if (reads % 3 == 0) {
            check(seed, table, request, beforePlugin, expected);
            checkCount(seed, table, request, expected);
        }
    }

    private static KnownFaults knownFaults(
            RandomTable table, Expectation expectation, ReadRequest request) throws IOException {
        Set<KnownFault> ofIndexes = EnumSet.noneOf(KnownFault.class);
        if (asksIndex(table, request)) {
            ofIndexes.add(KnownFault.INDEX_OF_OTHER_VALUES);
            if (table.hasBitmapOfHost()) {
                ofIndexes.add(KnownFault.BITMAP_OF_THE_HOST);
            }
        }
        return expectation.knownFaults(request, ofIndexes);
    }

    private static boolean asksIndex(RandomTable table, ReadRequest request) {
        return request.filter() != null && table.isIndexed(Filters.columns(request.filter()));
    }

    /**
     * The newer Paimons read as the model says, or go wrong in a way that is known of them; and
     * Paimon 2.0 does with the plugin what it does without.
     */
    private void judge(
            long seed,
            RandomTable table,
            ReadRequest request,
            Function<Contestant, Contestant.Outcome> read,
            ExpectedRows expected,
            KnownFaults possible) {
        Contestant.Outcome judged = read.apply(paimon2.contestant());
        judge(seed, table, request, paimon2, judged, expected, possible);
        Contestant host = upgraded.get(reads % upgraded.size());
        Contestant.Outcome outcome = read.apply(host);
        if (!outcome.isLike(judged)) {
            fail(seed, table, request, host, outcome + ", without the plugin " + judged);
        }
        if (master != null && (reads % 3 == 1 || isOfMaster(seed))) {
            Contestant.Outcome newest = read.apply(master.contestant());
            judge(seed, table, request, master, newest, expected, possible);
        }
    }

    private void judge(
            long seed,
            RandomTable table,
            ReadRequest request,
            Judge judge,
            Contestant.Outcome outcome,
            ExpectedRows expected,
            KnownFaults possible) {
        judge.judge(outcome, expected, possible)
                .ifPresent(
                        difference ->
                                find(
                                        Findings.Kind.JUDGE,
                                        seed,
                                        table,
                                        request,
                                        judge.contestant(),
                                        difference));
    }

    /** The newer Paimon that writes a table. */
    private static Judge newer(long seed) {
        return isOfMaster(seed) ? master : paimon2;
    }

    private static boolean isOfMaster(long seed) {
        return master != null && Math.floorMod(seed, TABLES_FOR_ONE_OF_MASTER) == 0;
    }

    /** Engines answer COUNT(*) from the plan where it tells how many rows there are. */
    private void checkCount(
            long seed, RandomTable table, ReadRequest request, ExpectedRows expected)
            throws Exception {
        boolean exact = request.filter() == null;
        if (request.limit() == null && (exact || request.filter().exact())) {
            counts++;
            OptionalLong count = behindPlugin.count(request);
            long rows = expected.size();
            // A plan with a filter may hold more than passes it, and never less than must come.
            if (count.isPresent()
                    && (exact ? count.getAsLong() != rows : count.getAsLong() < rows)) {
                fail(
                        seed,
                        table,
                        request,
                        behindPlugin,
                        "The plan counts " + count + " rows of " + expected.size());
            }
            if (!exact) {
                return;
            }
            OptionalLong judged = paimon2.contestant().count(request);
            for (Contestant host : upgraded) {
                OptionalLong upgradedCount = host.count(request);
                if (!upgradedCount.equals(judged)) {
                    fail(
                            seed,
                            table,
                            request,
                            host,
                            "The plan counts " + upgradedCount + ", without the plugin " + judged);
                }
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

    /** The plugin went wrong, or made a newer Paimon read otherwise than it does alone. */
    private void fail(
            long seed,
            RandomTable table,
            ReadRequest request,
            Contestant contestant,
            String difference) {
        find(Findings.Kind.PLUGIN, seed, table, request, contestant, difference);
    }

    private void find(
            Findings.Kind kind,
            long seed,
            RandomTable table,
            ReadRequest request,
            Contestant contestant,
            String difference) {
        findings.add(
                kind,
                contestant.toString(),
                seed,
                String.format("%s%n%s%n%s", request, difference, table.recipe()));
    }
}
