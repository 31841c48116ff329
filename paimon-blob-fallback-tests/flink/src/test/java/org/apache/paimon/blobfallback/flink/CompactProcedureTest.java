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

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.inspect.BlobVerification;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * W3 and R9 under the host's own {@code CALL sys.compact}, which merges the normal files of groups
 * and leaves their layers as they are: no blob is lost and none comes back.
 */
class CompactProcedureTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    @TempDir Path warehouse;

    private FlinkCluster.Session session;

    @BeforeEach
    void openCatalog() throws Exception {
        // Otherwise the call returns before its job has run.
        session = FLINK.batch().set("table.dml-sync", "true").createPluginCatalog("p", warehouse);
    }

    @Test
    void insertsUpdatesAndACompactionKeepEveryBlob() throws Exception {
        Album album;
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            album = Album.layered(writer, "db.album");
            session.sql("USE CATALOG p");
            session.sql("USE db");
            for (Row row : album.appendedByOthers(2)) {
                session.sql(
                        "INSERT INTO album VALUES (%s, %s, '%s', %s)",
                        row.getField(0), bytes(row, 1), row.getField(2), bytes(row, 3));
            }
            Map<Long, String> front = new TreeMap<>();
            front.put(12L, "front-12, updated");
            front.put(5L, null);
            album.update("front", front);
            long groups = normalFiles(writer);

            session.sql(
                    "CALL sys.compact(`table` => 'db.album',"
                            + " options => 'compaction.min.file-num=2')");

            assertThat(normalFiles(writer)).isLessThan(groups);
            assertThat(session.sql("SELECT * FROM album"))
                    .containsExactlyInAnyOrderElementsOf(album.rows());
            Judges.assertPaimon2Reads(PAIMON2, warehouse, "db.album", album.rows());

            album.update("back", Map.of(13L, "back-13, updated", 0L, "back-0, at last"));
            session.sql("CALL sys.flatten_blob_layers(`table` => 'db.album')");
            Judges.assertStockHostReads(warehouse, "db.album", album.rows());
        }
    }

    /**
     * The host would give deleted rows back: it does not know the vectors on the files it merges.
     */
    @Test
    void aCompactionOfATableWithDeletedRowsIsRefused() throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            writer.createTable(
                    "db.album", Album.DEFINITION.with("deletion-vectors.enabled", "true"));
            Album album = Album.of(writer, "db.album").append(3).append(3);
            writer.delete("db.album", List.of(1L));
            session.sql("USE CATALOG p");
            long snapshot = writer.latestSnapshot("db.album");

            assertThatThrownBy(
                            () ->
                                    session.sql(
                                            "CALL sys.compact(`table` => 'db.album',"
                                                    + " options =>"
                                                    + " 'compaction.min.file-num=2')"))
                    .hasStackTraceContaining("deletion-vectors.enabled");

            assertThat(writer.latestSnapshot("db.album")).isEqualTo(snapshot);
            assertThat(session.sql("SELECT id FROM db.album"))
                    .extracting(row -> row.getField(0))
                    .containsExactlyInAnyOrder(0, 2, 3, 4, 5);
            assertThat(album.rows()).hasSize(6);
        }
    }

    /**
     * H1: this call knows no data evolution; without the plugin it says Success and every later
     * read fails.
     */
    @ParameterizedTest
    @CsvSource({"divided, false", "combined, false", "divided, true", "combined, true"})
    void aCompactionOfADatabaseIsRefusedBeforeItTakesRowIds(String mode, boolean enabled)
            throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            Album album = Album.layered(writer, "db.album");
            long snapshot = writer.latestSnapshot("db.album");
            session.sql(
                    "CREATE CATALOG c WITH ('type'='paimon', 'warehouse'='%s',"
                            + " 'metastore'='blob-fallback', 'blob-fallback.enabled'='%s')",
                    warehouse, enabled);
            session.sql("USE CATALOG c");

            assertThatThrownBy(() -> session.sql(compactDatabase(mode, "db.album")))
                    .hasStackTraceContaining("Table db.album has data evolution, and merging")
                    .hasStackTraceContaining(
                            "Compact the table with CALL sys.compact, and leave it out"
                                    + " of sys.compact_database (excluding_tables)");

            assertThat(writer.latestSnapshot("db.album")).isEqualTo(snapshot);
            assertThat(session.sql("SELECT * FROM p.db.album"))
                    .containsExactlyInAnyOrderElementsOf(album.rows());
        }
    }

    /** H1: without blobs it is the same, and as the message says it is done right. */
    @ParameterizedTest
    @ValueSource(strings = {"divided", "combined"})
    void tablesThatAreLeftOutDoNotHinderTheOthers(String mode) throws Exception {
        session.sql("USE CATALOG p");
        session.sql("CREATE DATABASE db");
        session.sql("CREATE TABLE db.plain (id INT)");
        session.sql(
                "CREATE TABLE db.tracked (id INT) WITH ('row-tracking.enabled'='true',"
                        + " 'data-evolution.enabled'='true')");
        for (int id = 0; id < 3; id++) {
            session.sql("INSERT INTO db.plain VALUES (%s)", id);
            session.sql("INSERT INTO db.tracked VALUES (%s)", id);
        }

        assertThatThrownBy(() -> session.sql(compactDatabase(mode, "db.tracked")))
                .hasStackTraceContaining("Table db.tracked has data evolution");
        session.sql(compactDatabase(mode, "db.plain"));
        session.sql(
                "CALL sys.compact(`table` => 'db.tracked', options =>"
                        + " 'compaction.min.file-num=2')");

        assertThat(session.sql("SELECT COUNT(*) FROM db.`plain$files`"))
                .containsExactly(Row.of(1L));
        assertThat(session.sql("SELECT _ROW_ID, id FROM db.`tracked$row_tracking`"))
                .containsExactlyInAnyOrder(Row.of(0L, 0), Row.of(1L, 1), Row.of(2L, 2));
    }

    /** H1: these the host refuses by itself. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "INSERT INTO db.album /*+ OPTIONS('precommit-compact'='true',"
                        + " 'sink.parallelism'='2') */ SELECT * FROM db.album"
                        + " | Data evolution enabled table should not invoke compact yet",
                "CALL sys.compact(`table` => 'db.album', order_strategy => 'order',"
                        + " order_by => 'id') | Data Evolution table cannot be sorted",
            })
    void theHostRefusesToMergeNewFilesAndToSort(String statement, String message) throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            Album album = Album.layered(writer, "db.album");
            session.sql("USE CATALOG p");

            assertThatThrownBy(() -> session.execute(statement)).hasStackTraceContaining(message);

            assertThat(session.sql("SELECT * FROM db.album"))
                    .containsExactlyInAnyOrderElementsOf(album.rows());
        }
    }

    private static String compactDatabase(String mode, String table) {
        return "CALL sys.compact_database(including_databases => 'db', mode => '"
                + mode
                + "', including_tables => '"
                + table
                + "', excluding_tables => '', table_options => 'compaction.min.file-num=2')";
    }

    private static long normalFiles(PaimonWriter writer) throws Exception {
        return writer.dataFiles("db.album").stream().filter(file -> !file.isBlob()).count();
    }

    /** What Paimon's own catalog does to a table, and what to do then. */
    @Test
    @SuppressWarnings("try") // The host's catalog throws Exception when it is closed.
    void aTableThatHasLostItsRowIdsIsFoundByVerify() throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            writer.createTable("db.album", Album.DEFINITION.with("target-file-size", "8 kb"));
            List<List<Object>> rows = new ArrayList<>();
            for (int id = 0; id < 3; id++) {
                rows.add(Arrays.asList(id, new byte[20_000], "name", new byte[20_000]));
                writer.append("db.album", rows.subList(id, id + 1));
            }
        }
        session.sql("CREATE CATALOG stock WITH ('type'='paimon', 'warehouse'='%s')", warehouse);
        session.sql("USE CATALOG stock");
        session.sql(
                "CALL sys.compact_database(including_databases => 'db', mode => 'divided',"
                        + " including_tables => 'db.album', excluding_tables => '', table_options"
                        + " => 'compaction.min.file-num=2')");
        FileStoreTable table;
        try (Catalog catalog =
                CatalogFactory.createCatalog(
                        CatalogContext.create(
                                Options.fromMap(Map.of("warehouse", warehouse.toString()))))) {
            table = (FileStoreTable) catalog.getTable(Identifier.fromString("db.album"));
        }

        BlobVerification damaged = BlobFallback.verify(table);

        assertThat(damaged.faults()).hasSize(1);
        assertThat(damaged.faults().get(0))
                .matches(
                        "Normal file .*/data-.*\\.parquet has no first row id\\. Roll back to"
                                + " snapshot 3, the latest one without such files\\.");
        assertThat(damaged.fileCount()).isEqualTo(6);
        session.sql("USE CATALOG p");
        session.sql("CALL sys.rollback_to('db.album', '', CAST(3 AS BIGINT))");
        assertThat(BlobFallback.verify(table).isSound()).isTrue();
        assertThat(session.sql("SELECT id FROM db.album")).hasSize(3);
    }

    private static String bytes(Row row, int position) {
        return "X'" + HexFormat.of().formatHex((byte[]) row.getField(position)) + "'";
    }
}
