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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.Split;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flink SQL reads what Paimon 2.0 updated in part, whichever way the fallback is switched on. */
class BlobFallbackSqlTest {

    private static final String ON = "/*+ OPTIONS('blob-fallback.enabled'='true') */";
    private static final String OFF = "/*+ OPTIONS('blob-fallback.enabled'='false') */";

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    @TempDir static Path warehouse;

    private static Album album;

    private FlinkCluster.Session session;

    @BeforeAll
    static void write() throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            album = Album.layered(writer, "db.album");
        }
    }

    @BeforeEach
    void openCatalogs() throws Exception {
        session = FLINK.batch();
        createCatalog("enabled", "'blob-fallback.enabled'='true'");
        createCatalog("plain", "'blob-fallback.metastore'='filesystem'");
    }

    private void createCatalog(String name, String option) throws Exception {
        session.sql(
                "CREATE CATALOG %s WITH ('type'='paimon', 'warehouse'='%s',"
                        + " 'metastore'='blob-fallback', %s)",
                name, warehouse, option);
    }

    /** The system tables of the catalog are about the plugin's catalog, not its delegate. */
    @Test
    void theCatalogShowsItsOwnOptions() throws Exception {
        assertThat(
                        session.sql(
                                "SELECT * FROM enabled.sys.catalog_options WHERE `key` IN"
                                        + " ('metastore', 'cache-enabled',"
                                        + " 'blob-fallback.enabled')"))
                .containsExactlyInAnyOrder(
                        Row.of("metastore", "blob-fallback"),
                        Row.of("blob-fallback.enabled", "true"));
    }

    @Test
    void theCatalogSwitchesTheFallbackOnForAllTables() throws Exception {
        assertThat(session.sql("SELECT * FROM enabled.db.album"))
                .containsExactlyInAnyOrderElementsOf(album.rows());
    }

    @Test
    void aHintSwitchesTheFallbackOnForOneQuery() throws Exception {
        assertThat(session.sql("SELECT * FROM plain.db.album " + ON))
                .containsExactlyInAnyOrderElementsOf(album.rows());
    }

    @Test
    void aHintIsStrongerThanTheCatalog() {
        assertThatThrownBy(() -> session.sql("SELECT * FROM enabled.db.album " + OFF))
                .rootCause()
                .hasMessageContaining("blob-fallback.enabled");
    }

    /** The table option holds for every session, and gives way to a hint. */
    @Test
    void theTableOptionSwitchesTheFallbackOnForOneTable() throws Exception {
        Album own;
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            own = Album.layered(writer, "db.own_option");
        }
        session.sql("ALTER TABLE plain.db.own_option SET ('blob-fallback.enabled'='true')");

        assertThat(session.sql("SELECT * FROM plain.db.own_option"))
                .containsExactlyInAnyOrderElementsOf(own.rows());
        assertThatThrownBy(() -> session.sql("SELECT * FROM plain.db.own_option " + OFF))
                .rootCause()
                .hasMessageContaining("blob-fallback.enabled");

        session.sql("ALTER TABLE plain.db.own_option SET ('blob-fallback.enabled'='false')");
        assertThatThrownBy(() -> session.sql("SELECT * FROM enabled.db.own_option"))
                .as("the table is stronger than the catalog")
                .rootCause()
                .hasMessageContaining("blob-fallback.enabled");
        assertThat(session.sql("SELECT * FROM enabled.db.own_option " + ON))
                .containsExactlyInAnyOrderElementsOf(own.rows());
    }

    /** R18: off is the host's own behaviour, except that a placeholder is never data. */
    @Test
    void withoutTheOptionAPlaceholderFailsWithWhatToDo() {
        assertThatThrownBy(() -> session.sql("SELECT * FROM plain.db.album"))
                .rootCause()
                .hasMessageContaining("blob-fallback.enabled")
                .hasMessageContaining(".blob");
    }

    /** R18: queries that meet no placeholder are the host's. */
    @Test
    void withoutTheOptionOtherColumnsRead() throws Exception {
        assertThat(session.sql("SELECT name, id FROM plain.db.album"))
                .containsExactlyInAnyOrderElementsOf(album.rows("name", "id"));
    }

    /** R11: any mix and order of columns. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "front",
                "back",
                "back,front",
                "front,id",
                "back,name,front",
                "name,back,id,front",
                "id,name"
            })
    void projectionsInAnyOrder(String columns) throws Exception {
        assertThat(session.sql("SELECT " + columns + " FROM enabled.db.album"))
                .containsExactlyInAnyOrderElementsOf(album.rows(columns.split(",")));
    }

    @Test
    void countsFiltersAndLimits() throws Exception {
        assertThat(session.sql("SELECT COUNT(*) FROM enabled.db.album"))
                .containsExactly(Row.of((long) album.rows().size()));
        assertThat(session.sql("SELECT COUNT(front), COUNT(back) FROM enabled.db.album"))
                .containsExactly(Row.of(11L, 12L));
        assertThat(session.sql("SELECT front FROM enabled.db.album WHERE id = 6"))
                .containsExactly(album.rows("front").get(6));
        assertThat(session.sql("SELECT id FROM enabled.db.album WHERE front IS NULL"))
                .containsExactly(Row.of(2));
        assertThat(session.sql("SELECT * FROM enabled.db.album LIMIT 5"))
                .hasSize(5)
                .isSubsetOf(album.rows());
        assertThat(
                        session.sql(
                                "SELECT l.front, r.back FROM enabled.db.album l"
                                        + " JOIN enabled.db.album r ON l.id = r.id"))
                .containsExactlyInAnyOrderElementsOf(album.rows("front", "back"));
    }

    /** R7: a descriptor names the winner. */
    @Test
    void descriptorsPointAtTheWinners() throws Exception {
        List<Row> described =
                session.sql(
                        "SELECT id, front, name, back FROM enabled.db.album"
                                + " /*+ OPTIONS('blob-as-descriptor'='true') */");

        List<Row> resolved = new ArrayList<>();
        for (Row row : described) {
            resolved.add(
                    Row.of(
                            row.getField(0),
                            behind((byte[]) row.getField(1)),
                            row.getField(2),
                            behind((byte[]) row.getField(3))));
        }
        assertThat(resolved).containsExactlyInAnyOrderElementsOf(album.rows());
    }

    private static byte[] behind(byte[] descriptorBytes) throws Exception {
        if (descriptorBytes == null) {
            return null;
        }
        BlobDescriptor descriptor = BlobDescriptor.deserialize(descriptorBytes);
        byte[] bytes = new byte[Math.toIntExact(descriptor.length())];
        try (RandomAccessFile file =
                new RandomAccessFile(URI.create(descriptor.uri()).getPath(), "r")) {
            file.seek(descriptor.offset());
            file.readFully(bytes);
        }
        return bytes;
    }

    @Test
    void rowTrackingGivesRowIdsBesideBlobs() throws Exception {
        List<Row> expected = new ArrayList<>();
        for (Row row : album.rows()) {
            expected.add(Row.of(((Integer) row.getField(0)).longValue(), row.getField(1)));
        }
        assertThat(session.sql("SELECT _ROW_ID, front FROM enabled.db.`album$row_tracking`"))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void theReadOptimizedTableReadsThroughThePlugin() throws Exception {
        assertThat(session.sql("SELECT * FROM enabled.db.`album$ro`"))
                .containsExactlyInAnyOrderElementsOf(album.rows());
        assertThat(session.sql("SELECT * FROM plain.db.`album$ro` " + ON))
                .containsExactlyInAnyOrderElementsOf(album.rows());
    }

    @Test
    void theAuditLogReadsThroughThePlugin() throws Exception {
        List<Row> expected = new ArrayList<>();
        album.rows().forEach(row -> expected.add(Row.join(Row.of("+I"), row)));
        assertThat(session.sql("SELECT * FROM enabled.db.`album$audit_log`"))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void snapshotsAndTagsReadAsTheyWere() throws Exception {
        Album aged;
        List<Row> before;
        List<Row> tagged;
        long snapshot;
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            aged = Album.create(writer, "db.aged").append(3);
            aged.update("front", Map.of(1L, "once"));
            before = aged.rows();
            snapshot = writer.latestSnapshot("db.aged");
            aged.update("front", Map.of(1L, "twice"));
            aged.update("back", Map.of(2L, "other"));
            writer.createTag("db.aged", "told");
            tagged = aged.rows();
            aged.update("front", Map.of(0L, "last"));
        }

        assertThat(session.sql("SELECT * FROM enabled.db.aged"))
                .containsExactlyInAnyOrderElementsOf(aged.rows());
        assertThat(
                        session.sql(
                                "SELECT * FROM enabled.db.aged"
                                        + " /*+ OPTIONS('scan.snapshot-id'='%d') */",
                                snapshot))
                .containsExactlyInAnyOrderElementsOf(before);
        assertThat(
                        session.sql(
                                "SELECT * FROM enabled.db.aged"
                                        + " /*+ OPTIONS('scan.tag-name'='told') */"))
                .containsExactlyInAnyOrderElementsOf(tagged);
        assertThat(
                        session.sql(
                                "SELECT * FROM plain.db.aged /*+ OPTIONS('scan.tag-name'='told',"
                                        + " 'blob-fallback.enabled'='true') */"))
                .containsExactlyInAnyOrderElementsOf(tagged);
    }

    @Test
    void aBranchReadsThroughThePlugin() throws Exception {
        Album forked;
        List<Row> atFork;
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            forked = Album.create(writer, "db.forked").append(3);
            forked.update("front", Map.of(2L, "before the fork"));
            writer.createTag("db.forked", "fork");
            writer.createBranch("db.forked", "side", "fork");
            atFork = forked.rows();
            forked.update("front", Map.of(2L, "after the fork"));
        }

        assertThat(session.sql("SELECT * FROM enabled.db.`forked$branch_side`"))
                .containsExactlyInAnyOrderElementsOf(atFork);
        assertThat(session.sql("SELECT * FROM plain.db.`forked$branch_side` " + ON))
                .containsExactlyInAnyOrderElementsOf(atFork);
        assertThat(session.sql("SELECT * FROM enabled.db.forked"))
                .containsExactlyInAnyOrderElementsOf(forked.rows());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readsWithTheCatalogCacheOnAndOff(boolean cached) throws Exception {
        Album changing;
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            String table = "changing_" + cached;
            changing = Album.create(writer, "db." + table).append(3);
            changing.update("front", Map.of(1L, "first"));
            createCatalog(
                    "caching", "'cache-enabled'='" + cached + "', 'blob-fallback.enabled'='true'");

            assertThat(session.sql("SELECT * FROM caching.db." + table))
                    .containsExactlyInAnyOrderElementsOf(changing.rows());
            assertThat(session.sql("SELECT * FROM caching.db.`" + table + "$ro`"))
                    .containsExactlyInAnyOrderElementsOf(changing.rows());

            changing.update("front", Map.of(1L, "second", 2L, "new"));

            assertThat(session.sql("SELECT * FROM caching.db." + table))
                    .containsExactlyInAnyOrderElementsOf(changing.rows());
            assertThat(session.sql("SELECT * FROM caching.db.`" + table + "$ro`"))
                    .containsExactlyInAnyOrderElementsOf(changing.rows());
        }
    }

    @Test
    void twoParallelTasksShareTheGroups() throws Exception {
        Album wide;
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            wide = Album.create(writer, "db.wide");
            for (int group = 0; group < 6; group++) {
                wide.append(3);
            }
            wide.update("front", Map.of(0L, "first group", 7L, "third group", 17L, "last group"));
            wide.update("back", Map.of(7L, "third group", 8L, "third group too"));
        }

        FlinkCluster.Result result =
                session.execute(
                        "SELECT * FROM enabled.db.wide /*+ OPTIONS('scan.parallelism'='2',"
                                + " 'source.split.target-size'='1b',"
                                + " 'source.split.open-file-cost'='1b') */");

        assertThat(result.rows()).containsExactlyInAnyOrderElementsOf(wide.rows());
        assertThat(FLINK.sourceParallelism(result)).containsExactly(2);
    }

    /** Each way in which Flink hands out splits. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "'scan.split-enumerator.mode'='fair'",
                "'scan.split-enumerator.mode'='preemptive'",
                "'scan.infer-parallelism'='false'"
            })
    void partsOfALargeGroupAreSharedOut(String mode) throws Exception {
        String large = "db.large_" + mode.replaceAll("[^a-z]", "");
        Album one;
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            one = Album.create(writer, large);
            one.append(30);
            one.update("front", Map.of(0L, "first", 7L, "of an early part", 29L, "last"));
            one.update("back", Map.of(7L, "of an early part", 8L, "next to it"));
        }
        Map<String, String> parts =
                Map.of("source.split.target-size", "100b", "source.split.open-file-cost", "1b");
        assertThat(splits(large, parts)).hasSizeGreaterThan(10);
        String table =
                String.format(
                        "enabled.%s /*+ OPTIONS('scan.parallelism'='3', %s,"
                                + " 'source.split.target-size'='100b',"
                                + " 'source.split.open-file-cost'='1b') */",
                        large, mode);

        assertThat(session.sql("SELECT * FROM " + table))
                .containsExactlyInAnyOrderElementsOf(one.rows());
        assertThat(session.sql("SELECT COUNT(*), COUNT(front) FROM " + table))
                .containsExactly(Row.of(30L, 30L));
        assertThat(session.sql("SELECT id, front FROM " + table + " WHERE id = 7"))
                .containsExactly(one.rows("id", "front").get(7));
        assertThat(session.sql("SELECT * FROM " + table + " LIMIT 5"))
                .hasSize(5)
                .isSubsetOf(one.rows());
    }

    /** A fault of the host: its operator for such splits takes blobs for bytes. */
    @Test
    void splitsOfADedicatedOperatorFailOnBlobsAsOnTheHost() throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            Album.create(writer, "db.dedicated").append(3);
        }
        session.sql("CREATE CATALOG host WITH ('type'='paimon', 'warehouse'='%s')", warehouse);
        for (String catalog : List.of("host", "enabled")) {
            String table =
                    catalog
                            + ".db.dedicated"
                            + " /*+ OPTIONS('scan.dedicated-split-generation'='true') */";

            assertThat(session.sql("SELECT id, name FROM " + table)).hasSize(3);
            assertThatThrownBy(() -> session.sql("SELECT * FROM " + table))
                    .as(catalog)
                    .rootCause()
                    .isInstanceOf(ClassCastException.class);
        }
    }

    /** As a job that reads all columns plans them. */
    private List<Split> splits(String table, Map<String, String> options) throws Exception {
        Options catalogOptions = new Options();
        catalogOptions.set("warehouse", warehouse.toString());
        catalogOptions.set("metastore", "blob-fallback");
        catalogOptions.set("blob-fallback.enabled", "true");
        Catalog catalog = CatalogFactory.createCatalog(CatalogContext.create(catalogOptions));
        try {
            Table planned = catalog.getTable(Identifier.fromString(table)).copy(options);
            return planned.newReadBuilder().newScan().plan().splits();
        } finally {
            catalog.close();
        }
    }

    @Test
    void rowsInsertedThroughThePluginJoinTheOthers() throws Exception {
        Album mixed;
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            mixed = Album.create(writer, "db.mixed").append(3);
            mixed.update("front", Map.of(1L, "by Paimon 2.0"));

            session.sql(
                    "INSERT INTO enabled.db.mixed VALUES (3, CAST('front-3' AS BYTES), 'name-3',"
                            + " CAST('back-3' AS BYTES))");
            mixed.appendedByOthers(1);
            mixed.update("back", Map.of(0L, "old group", 3L, "new group"));
        }

        assertThat(session.sql("SELECT * FROM enabled.db.mixed"))
                .containsExactlyInAnyOrderElementsOf(mixed.rows());
    }

    /** Copying out of a layered table writes whole blobs, which any Paimon reads. */
    @Test
    void aCopyOfALayeredTableIsWhole() throws Exception {
        session.sql(
                "CREATE TABLE enabled.db.copied (id INT, front BYTES, name STRING, back BYTES)"
                        + " WITH ('row-tracking.enabled'='true', 'data-evolution.enabled'='true',"
                        + " 'blob-field'='front,back')");
        session.sql("INSERT INTO enabled.db.copied SELECT * FROM enabled.db.album");

        assertThat(session.sql("SELECT * FROM plain.db.copied"))
                .containsExactlyInAnyOrderElementsOf(album.rows());
    }

    /** R11: partitions, of which a filter reads some. */
    @Test
    void aFilterReadsThePartitionsThatItNames() throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            writer.createTable(
                    "db.days",
                    TableDefinition.of("id", "INT", "weekday", "STRING", "pic", "BLOB")
                            .partitionedBy("weekday"));
            for (String day : List.of("mon", "tue")) {
                writer.append(
                        "db.days",
                        List.of(
                                List.of(1, day, bytes(day + "-1")),
                                List.of(2, day, bytes(day + "-2"))));
            }
            writer.update(
                    "db.days",
                    List.of("pic"),
                    Map.of(0L, List.of(bytes("new mon-1")), 3L, List.of(bytes("new tue-2"))),
                    Map.of());
        }

        assertThat(session.sql("SELECT pic, id FROM enabled.db.days WHERE weekday = 'tue'"))
                .containsExactlyInAnyOrder(
                        Row.of(bytes("tue-1"), 1), Row.of(bytes("new tue-2"), 2));
        assertThat(session.sql("SELECT pic FROM enabled.db.days WHERE weekday = 'mon' AND id = 1"))
                .containsExactly(Row.of(bytes("new mon-1")));
    }

    /** R9: the stock host cannot even load such a table. */
    @Test
    void deletedRowsVanishFromEveryQuery() throws Exception {
        Album pruned;
        List<Row> rows;
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            writer.createTable(
                    "db.pruned", Album.DEFINITION.with("deletion-vectors.enabled", "true"));
            pruned = Album.of(writer, "db.pruned").append(4).append(4);
            pruned.update("front", Map.of(1L, "once", 2L, "then deleted", 6L, "kept"));
            writer.delete("db.pruned", List.of(0L, 2L, 7L));
            pruned.update("back", Map.of(1L, "after the deletion", 5L, "too"));
        }
        rows = new ArrayList<>(pruned.rows());
        rows.removeIf(row -> Set.of(0, 2, 7).contains(row.getField(0)));

        assertThat(session.sql("SELECT * FROM enabled.db.pruned"))
                .containsExactlyInAnyOrderElementsOf(rows);
        assertThat(session.sql("SELECT back FROM enabled.db.pruned"))
                .containsExactlyInAnyOrderElementsOf(
                        rows.stream().map(row -> Row.of(row.getField(3))).toList());
        assertThat(session.sql("SELECT COUNT(*) FROM enabled.db.pruned"))
                .containsExactly(Row.of(5L));
        assertThat(session.sql("SELECT table_name FROM enabled.sys.`tables`"))
                .contains(Row.of("pruned"), Row.of("album"));
        assertThat(session.sql("SELECT * FROM enabled.db.pruned LIMIT 4"))
                .hasSize(4)
                .isSubsetOf(rows);
        assertThat(session.sql("SELECT _ROW_ID FROM enabled.db.`pruned$row_tracking`"))
                .containsExactlyInAnyOrder(
                        Row.of(1L), Row.of(3L), Row.of(4L), Row.of(5L), Row.of(6L));
        assertThatThrownBy(() -> session.sql("SELECT id FROM plain.db.pruned"))
                .as("the host would return deleted rows")
                .rootCause()
                .hasMessageContaining("blob-fallback.enabled");
        assertThatThrownBy(
                        () ->
                                session.sql(
                                        "INSERT INTO enabled.db.pruned"
                                                + " VALUES (9, X'01', 'nine', X'02')"))
                .as("the host would lose deletions")
                .rootCause()
                .hasMessageContaining("db.pruned")
                .hasMessageContaining("deletion-vectors.enabled");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
