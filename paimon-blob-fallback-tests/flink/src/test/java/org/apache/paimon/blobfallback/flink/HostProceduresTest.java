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

package org.apache.paimon.blobfallback.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.types.Row;
import org.apache.flink.util.FileUtils;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BlobData;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.operation.LocalOrphanFilesClean;
import org.apache.paimon.options.Options;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.TableCommitImpl;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each procedure of the host, called on tables with layers, does what docs/features.md says: it is
 * right, and then the plugin and Paimon 2.0 read the same expected rows and no file is left that
 * nobody refers to; or it is refused with the message on the page, and then nothing has changed.
 */
class HostProceduresTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `sys\\.(\\w+)`([^|]*)\\| (.+?) \\| (.*?) ?\\|$");
    private static final Pattern REFUSED = Pattern.compile("Refused.*?`(.+?)`.*");
    private static final Set<String> OURS = Set.of("flatten_blob_layers", "update_blobs");

    /** The table of a case. */
    private static final String ALBUM = "db.album";

    private static final String DAYS = "db.days";

    private static final String AS_ROOT =
            "CREATE CATALOG r WITH ('type'='paimon', 'warehouse'='WAREHOUSE',"
                    + " 'metastore'='blob-fallback', 'blob-fallback.enabled'='true',"
                    + " 'user'='root', 'password'='secret')";

    @TempDir static Path written;

    private static PaimonRuntime hostWithPlugin;

    /** Of the album, before and after its last update. */
    private static List<Row> tagged;

    private static List<Row> latest;
    private static List<Row> days;

    @TempDir Path folder;
    @TempDir Path elsewhere;

    private Path warehouse;
    private FlinkCluster.Session session;
    private Catalog catalog;

    /** Writes the tables that each case gets a copy of. */
    @BeforeAll
    static void writeTables() throws Exception {
        hostWithPlugin = Runtimes.hostBehindPlugin();
        try (PaimonWriter writer = PAIMON2.writer(written)) {
            Album album = Album.layered(writer, ALBUM);
            writer.createTag(ALBUM, "eight");
            tagged = album.rows();
            commitWatermark();
            latest = album.update("front", Map.of(5L, "front-5, updated")).rows();
            writeDays(writer);
        }
    }

    @AfterAll
    static void unload() throws Exception {
        hostWithPlugin.close();
    }

    @BeforeEach
    void copyTables() throws Exception {
        warehouse = folder.resolve("warehouse");
        FileUtils.copy(
                new org.apache.flink.core.fs.Path(written.toUri()),
                new org.apache.flink.core.fs.Path(warehouse.toUri()),
                false);
        session = FLINK.batch().set("table.dml-sync", "true").inPluginCatalog(warehouse);
        catalog = open(options(warehouse, "blob-fallback"));
    }

    private static Catalog open(Map<String, String> options) {
        return CatalogFactory.createCatalog(CatalogContext.create(Options.fromMap(options)));
    }

    /** Of a file system catalog; the user is ignored where there are no privileges. */
    private static Map<String, String> options(Path warehouse, String metastore) {
        return Map.of(
                "warehouse", warehouse.toString(),
                "metastore", metastore,
                "blob-fallback.enabled", "true",
                "user", "root",
                "password", "secret");
    }

    @SuppressWarnings("try") // The host's commit throws Exception when it is closed.
    private static void commitWatermark() throws Exception {
        try (Catalog catalog = open(options(written, "filesystem"))) {
            FileStoreTable album = (FileStoreTable) catalog.getTable(Identifier.fromString(ALBUM));
            try (TableCommitImpl commit = album.newCommit("watermark").ignoreEmptyCommit(false)) {
                commit.commit(new ManifestCommittable(1, 500L));
            }
        }
    }

    private static void writeDays(PaimonWriter writer) throws Exception {
        writer.createTable(
                DAYS,
                TableDefinition.of("dt", "STRING", "id", "INT", "pic", "BLOB")
                        .partitionedBy("dt")
                        .with("partition.mark-done-action", "success-file"));
        days = new ArrayList<>();
        for (String day : List.of("2020-01-01", "2020-01-02")) {
            List<List<Object>> rows = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                rows.add(Arrays.asList(day, days.size() + i, bytes("old")));
            }
            writer.append(DAYS, rows);
            rows.forEach(row -> days.add(Row.of(row.toArray())));
        }
        for (long id : new long[] {0, 3}) {
            Object pic = bytes("new " + id);
            writer.update(DAYS, List.of("pic"), Map.of(id, List.of(pic)), Map.of());
            days.get((int) id).setField(2, pic);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    @Test
    void thePageHasEachProcedureOfTheHost() throws Exception {
        Set<String> procedures = new TreeSet<>();
        session.sql("SHOW PROCEDURES FROM sys").forEach(row -> procedures.add(row.getFieldAs(0)));
        procedures.removeAll(OURS);

        assertThat(page().keySet()).containsExactlyElementsOf(procedures);
        Set<String> cases = new TreeSet<>();
        cases().forEach(aCase -> cases.add(aCase.procedure));
        assertThat(procedures).containsAll(cases);
        for (Map.Entry<String, List<String[]>> procedure : page().entrySet()) {
            for (String[] row : procedure.getValue()) {
                if (row[1].contains("HostProceduresTest")) {
                    assertThat(cases).contains(procedure.getKey());
                } else {
                    assertThat(row[1]).as(procedure.getKey()).containsPattern("\\w+Test\\.\\w+");
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aProcedureDoesWhatThePageSays(Case aCase) throws Exception {
        String outcome = aCase.outcome();
        for (int i = 0; i < aCase.statements.size() - 1; i++) {
            session.sql(fill(aCase.statements.get(i)));
        }
        String last = fill(aCase.statements.get(aCase.statements.size() - 1));
        Matcher refused = REFUSED.matcher(outcome);
        if (refused.matches()) {
            assertThatThrownBy(() -> session.sql(last)).hasStackTraceContaining(refused.group(1));
        } else {
            assertThat(outcome).startsWith("Right");
            session.sql(last);
        }
        assertReads(ALBUM, aCase.album.get());
        assertReads(DAYS, aCase.days.apply(days));
        boolean leavesFiles = outcome.contains("`sys.remove_orphan_files`");
        assertThat(orphans(false)).matches(orphans -> orphans.isEmpty() != leavesFiles);
        if (leavesFiles) {
            assertThat(orphans(true)).isEmpty();
            assertReads(ALBUM, aCase.album.get());
        }
        assertIsUpdatedFurther(aCase.album.get());
    }

    /** The album still takes an update of the row with the id 1, if it has one. */
    private void assertIsUpdatedFurther(List<Row> rows) throws Exception {
        List<Row> updated = new ArrayList<>();
        for (Row row : rows) {
            Row copy = Row.copy(row);
            if (row.getField(0).equals(1)) {
                copy.setField(1, bytes("updated further"));
            }
            updated.add(copy);
        }
        FileStoreTable album = (FileStoreTable) catalog.getTable(Identifier.fromString(ALBUM));
        try (BlobUpdate update = BlobFallback.newUpdateBuilder(album).newUpdate()) {
            update.setWhere(
                    new PredicateBuilder(album.rowType()).equal(0, 1),
                    "front",
                    new BlobData(bytes("updated further")));
            update.commit();
        }
        assertReads(ALBUM, updated);
    }

    /** Files of the album that nobody refers to. */
    private List<?> orphans(boolean delete) throws Exception {
        FileStoreTable album = (FileStoreTable) catalog.getTable(Identifier.fromString(ALBUM));
        long later = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
        if (delete) {
            new LocalOrphanFilesClean(album, later, false).clean();
        }
        return new LocalOrphanFilesClean(album, later, true).clean().getDeletedFilesPath();
    }

    private String fill(String statement) {
        return statement
                .replace("ELSEWHERE", elsewhere.toString())
                .replace("WAREHOUSE", warehouse.toString());
    }

    private void assertReads(String table, List<Row> rows) throws Exception {
        try (PaimonReader ours = hostWithPlugin.find(PaimonReader.class);
                PaimonReader theirs = PAIMON2.reader()) {
            ours.open(options(warehouse, "blob-fallback"));
            theirs.open(options(warehouse, "filesystem"));
            for (PaimonReader reader : List.of(ours, theirs)) {
                assertThat(reader.read(ReadRequest.all(table)))
                        .extracting(row -> Row.of(row.toArray()))
                        .containsExactlyInAnyOrderElementsOf(rows);
            }
        }
    }

    /** Name of the procedure to what the page says of it: outcome and tests. */
    private static Map<String, List<String[]>> page() throws Exception {
        String section =
                Readme.read("docs/features.md").text().split("(?m)^## Procedures of the host")[1];
        Map<String, List<String[]>> rows = new TreeMap<>();
        Matcher row = ROW.matcher(section);
        while (row.find()) {
            rows.computeIfAbsent(row.group(1), name -> new ArrayList<>())
                    .add(new String[] {row.group(3), row.group(4), row.group(2).strip()});
        }
        return rows;
    }

    /** What is called, and what the tables hold afterwards. */
    private record Case(
            String procedure,
            String variant,
            List<String> statements,
            Supplier<List<Row>> album,
            UnaryOperator<List<Row>> days) {

        String outcome() throws Exception {
            return page().get(procedure).stream()
                    .filter(row -> row[2].equals(variant))
                    .map(row -> row[0])
                    .findFirst()
                    .orElseThrow();
        }

        @Override
        public String toString() {
            return procedure + " " + variant;
        }
    }

    /** The tables stay as they are. */
    private static Case same(String procedure, String... statements) {
        return of(procedure, () -> latest, statements);
    }

    private static Case of(String procedure, Supplier<List<Row>> album, String... statements) {
        return new Case(procedure, "", List.of(statements), album, UnaryOperator.identity());
    }

    private static Case ofDays(
            String procedure, UnaryOperator<List<Row>> days, String... statements) {
        return new Case(procedure, "", List.of(statements), () -> latest, days);
    }

    static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        cases.add(
                same(
                        "alter_column_default_value",
                        "CALL sys.alter_column_default_value('db.album', 'name', 'x')"));
        cases.add(
                same(
                        "clear_consumers",
                        "CALL sys.reset_consumer('db.album', 'c', 3)",
                        "CALL sys.clear_consumers('db.album')"));
        cases.add(same("reset_consumer", "CALL sys.reset_consumer('db.album', 'c', 3)"));
        cases.add(
                same(
                        "compact",
                        "CALL sys.compact(`table` => 'db.album',"
                                + " options => 'compaction.min.file-num=2')"));
        cases.add(same("compact_manifest", "CALL sys.compact_manifest('db.album')"));
        cases.add(
                same(
                        "copy_files",
                        "CALL sys.copy_files(`warehouse` => 'WAREHOUSE', `database` => 'db',"
                                + " `table` => 'album', target_warehouse => 'ELSEWHERE',"
                                + " target_database => 'db', target_table => 'copy')"));
        cases.add(same("create_branch", "CALL sys.create_branch('db.album', 'b', 'eight')"));
        cases.add(
                same(
                        "rename_branch",
                        "CALL sys.create_branch('db.album', 'b', 'eight')",
                        "CALL sys.rename_branch('db.album', 'b', 'c')"));
        cases.add(
                same(
                        "delete_branch",
                        "CALL sys.create_branch('db.album', 'b', 'eight')",
                        "CALL sys.delete_branch('db.album', 'b')"));
        cases.add(
                of(
                        "fast_forward",
                        () -> tagged,
                        "CALL sys.create_branch('db.album', 'b', 'eight')",
                        "CALL sys.fast_forward('db.album', 'b')"));
        cases.add(
                same(
                        "create_global_index",
                        "CALL sys.create_global_index(`table` => 'db.album',"
                                + " index_column => 'id', index_type => 'btree')"));
        cases.add(same("create_tag", "CALL sys.create_tag('db.album', 't', 3, '1 d')"));
        cases.add(
                same(
                        "create_tag_from_timestamp",
                        "CALL sys.create_tag_from_timestamp('db.album', 't', 0, '1 d')"));
        cases.add(
                same(
                        "create_tag_from_watermark",
                        "CALL sys.create_tag_from_watermark('db.album', 't', 0, '1 d')"));
        cases.add(
                same(
                        "delete_tag",
                        "CALL sys.create_tag('db.album', 't')",
                        "CALL sys.delete_tag('db.album', 't')"));
        cases.add(
                same(
                        "rename_tag",
                        "CALL sys.create_tag('db.album', 't')",
                        "CALL sys.rename_tag('db.album', 't', 'u')"));
        cases.add(
                same(
                        "replace_tag",
                        "CALL sys.create_tag('db.album', 't', 3)",
                        "CALL sys.replace_tag('db.album', 't', 4, '1 d')"));
        cases.add(
                same(
                        "expire_tags",
                        "CALL sys.create_tag('db.album', 't', 3, '1 ms')",
                        "CALL sys.expire_tags('db.album')"));
        cases.add(
                same(
                        "trigger_tag_automatic_creation",
                        "CALL sys.trigger_tag_automatic_creation('db.album')"));
        cases.add(
                same(
                        "expire_changelogs",
                        "CALL sys.expire_changelogs(`table` => 'db.album', retain_max => 1)"));
        cases.add(
                same(
                        "expire_snapshots",
                        "CALL sys.expire_snapshots(`table` => 'db.album', retain_max => 1,"
                                + " retain_min => 1)"));
        cases.add(
                ofDays(
                        "expire_partitions",
                        rows -> Collections.emptyList(),
                        "CALL sys.expire_partitions(`table` => 'db.days',"
                                + " expiration_time => '1 d', timestamp_formatter =>"
                                + " 'yyyy-MM-dd')"));
        cases.add(
                ofDays(
                        "drop_partition",
                        rows -> rows.subList(0, 2),
                        "CALL sys.drop_partition('db.days', 'dt=2020-01-02')"));
        cases.add(
                ofDays(
                        "mark_partition_done",
                        rows -> rows,
                        "CALL sys.mark_partition_done('db.days', 'dt=2020-01-02')"));
        cases.add(
                same(
                        "remove_orphan_files",
                        "CALL sys.remove_orphan_files(`table` => 'db.album',"
                                + " older_than => '2020-01-01 00:00:00')"));
        cases.add(
                same(
                        "remove_unexisting_files",
                        "CALL sys.remove_unexisting_files(`table` => 'db.album')"));
        cases.add(
                same(
                        "remove_unexisting_manifests",
                        "CALL sys.remove_unexisting_manifests('db.album')"));
        cases.add(
                same(
                        "rewrite_file_index",
                        "ALTER TABLE db.album SET ('file-index.bloom-filter.columns'='id')",
                        "CALL sys.rewrite_file_index('db.album')"));
        cases.add(
                of(
                        "rollback_to",
                        () -> tagged,
                        "CALL sys.rollback_to('db.album', '', CAST(8 AS BIGINT))"));
        cases.add(
                same(
                        "rollback_to_timestamp",
                        "CALL sys.rollback_to_timestamp('db.album', 4102444800000)"));
        cases.add(
                same("rollback_to_watermark", "CALL sys.rollback_to_watermark('db.album', 1000)"));
        cases.add(of("purge_files", Collections::emptyList, "CALL sys.purge_files('db.album')"));
        cases.add(same("rescale", "CALL sys.rescale(`table` => 'db.album', bucket_num => 4)"));
        cases.add(
                of(
                        "data_evolution_merge_into",
                        () -> withName(1, "merged"),
                        "CREATE TABLE db.s (i BIGINT, n STRING)",
                        "INSERT INTO db.s VALUES (1, 'merged')",
                        "CALL sys.data_evolution_merge_into('db.album', 'T', '', 'db.s',"
                                + " 'T._ROW_ID = s.i', 'name = s.n', 1)"));
        cases.add(
                same(
                        "merge_into",
                        "CREATE TABLE db.s (i INT, n STRING)",
                        "CALL sys.merge_into(target_table => 'db.album', source_table => 'db.s',"
                                + " merge_condition => 'album.id = s.i',"
                                + " matched_upsert_setting => 'name = s.n')"));
        cases.add(same("query_service", "CALL sys.query_service('db.album', 1)"));
        cases.add(same("repair", "CALL sys.repair('db.album')"));
        cases.add(
                same(
                        "vector_search",
                        "CALL sys.vector_search(`table` => 'db.album', vector_column => 'name',"
                                + " query_vector => '1.0,2.0', top_k => 1)"));
        cases.add(
                same("init_file_based_privilege", "CALL sys.init_file_based_privilege('secret')"));
        cases.add(
                same(
                        "create_privileged_user",
                        "CALL sys.init_file_based_privilege('secret')",
                        AS_ROOT,
                        "CALL r.sys.create_privileged_user('u', 'pw')"));
        cases.add(
                same(
                        "drop_privileged_user",
                        "CALL sys.init_file_based_privilege('secret')",
                        AS_ROOT,
                        "CALL r.sys.create_privileged_user('u', 'pw')",
                        "CALL r.sys.drop_privileged_user('u')"));
        cases.add(
                same(
                        "grant_privilege_to_user",
                        "CALL sys.init_file_based_privilege('secret')",
                        AS_ROOT,
                        "CALL r.sys.create_privileged_user('u', 'pw')",
                        "CALL r.sys.grant_privilege_to_user('u', 'SELECT', 'db', 'album')"));
        cases.add(
                same(
                        "revoke_privilege_from_user",
                        "CALL sys.init_file_based_privilege('secret')",
                        AS_ROOT,
                        "CALL r.sys.create_privileged_user('u', 'pw')",
                        "CALL r.sys.grant_privilege_to_user('u', 'SELECT', 'db', 'album')",
                        "CALL r.sys.revoke_privilege_from_user('u', 'SELECT', 'db', 'album')"));
        cases.add(
                same(
                        "alter_view_dialect",
                        "CALL sys.alter_view_dialect('db.v', 'add', 'flink', 'SELECT 1')"));
        cases.add(
                same(
                        "create_function",
                        "CALL sys.create_function('db.f', '[]', '[]', true, '', '')"));
        cases.add(
                same(
                        "alter_function",
                        "CALL sys.alter_function('db.f', '{\"action\": \"updateComment\", \"comment\": \"c\"}')"));
        cases.add(same("drop_function", "CALL sys.drop_function('db.f')"));
        return cases;
    }

    private static List<Row> withName(int id, String name) {
        List<Row> rows = new ArrayList<>(latest);
        Row row = Row.copy(rows.get(id));
        row.setField(2, name);
        rows.set(id, row);
        return rows;
    }
}
