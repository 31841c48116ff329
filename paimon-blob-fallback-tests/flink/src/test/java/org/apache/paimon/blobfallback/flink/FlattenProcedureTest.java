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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds {@code CALL sys.flatten_blob_layers} to W6 on tables that Paimon 2.0 wrote. */
class FlattenProcedureTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    @TempDir Path warehouse;

    private Album album;
    private FlinkCluster.Session session;

    @BeforeEach
    void write() throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            album = Album.layered(writer, "db.album");
        }
        session = FLINK.batch().inPluginCatalog(warehouse);
    }

    /** W6: the host reads the table without the plugin, and so does Paimon 2.0. */
    @Test
    void afterwardsStockReadersReadTheTable() throws Exception {
        assertThat(session.sql("SHOW PROCEDURES IN sys LIKE 'flatten%%'"))
                .containsExactly(Row.of("flatten_blob_layers"));
        long before = snapshots();

        FlinkCluster.Result planned =
                session.execute(
                        "CALL sys.flatten_blob_layers(`table` => 'db.album', dry_run => true)");
        assertThat(snapshots()).isEqualTo(before);
        Row done =
                only(
                        session.sql(
                                "CALL sys.flatten_blob_layers(`table` => 'db.album',"
                                        + " parallelism => 2, groups_per_commit => 2)"));

        assertThat(planned.columns())
                .containsExactly("group_count", "layers_before", "bytes_kept", "bytes_dropped");
        assertThat(planned.rows()).containsExactly(done);
        // Layers of front: 3, 2 and 1, of back: 4, 2 and 2; what has 1 is flat.
        assertThat(done.getField(0)).isEqualTo(3L);
        assertThat(done.getField(1)).isEqualTo(13L);
        assertThat((Long) done.getField(2)).isPositive();
        assertThat((Long) done.getField(3)).isPositive();
        // Three groups, two in one commit.
        assertThat(snapshots()).isEqualTo(before + 2);
        assertThat(session.sql("SELECT * FROM db.album"))
                .containsExactlyInAnyOrderElementsOf(album.rows());
        Judges.assertStockHostReads(warehouse, "db.album", album.rows());
        Judges.assertPaimon2Reads(PAIMON2, warehouse, "db.album", album.rows());
        assertThat(session.sql("CALL sys.flatten_blob_layers(`table` => 'db.album')"))
                .containsExactly(Row.of(0L, 0L, 0L, 0L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"min_layers", "least_layers"})
    void onlyChosenColumnsWithEnoughLayersAreFlattened(String argument) throws Exception {
        session.sql(
                "CALL sys.flatten_blob_layers(`table` => 'db.album', `columns` => 'back',"
                        + " "
                        + argument
                        + " => 3)");

        assertThat(
                        session.sql(
                                "SELECT column_name, first_row_id, MAX(layer) FROM `db`.`album$blob_layers`"
                                        + " GROUP BY column_name, first_row_id"))
                .contains(Row.of("back", 0L, 1), Row.of("back", 8L, 2), Row.of("front", 0L, 3));
        assertThat(session.sql("SELECT * FROM db.album"))
                .containsExactlyInAnyOrderElementsOf(album.rows());
    }

    /** What {@code $blob_layers} shows names one partition, be its value what it may. */
    @Test
    void aPartitionIsChosenByTheNameThatTheLayersShow() throws Exception {
        List<String> days =
                Arrays.asList("mon", "a;b", "a=b", "a,b", "a/b", "", "__DEFAULT_PARTITION__", null);
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            writer.createTable(
                    "db.days",
                    TableDefinition.of("id", "INT", "day", "STRING", "pic", "BLOB")
                            .partitionedBy("day"));
            for (int i = 0; i < days.size(); i++) {
                writer.append("db.days", List.of(Arrays.asList(i, days.get(i), new byte[] {1})));
                writer.update(
                        "db.days",
                        List.of("pic"),
                        Map.of((long) i, List.of(new byte[] {2})),
                        Map.of());
            }
        }
        String layered =
                "SELECT DISTINCT `partition`, first_row_id FROM db.`days$blob_layers`"
                        + " WHERE layer > 1 ORDER BY first_row_id";
        List<Row> partitions = session.sql(layered);
        assertThat(partitions).hasSize(days.size());

        while (!partitions.isEmpty()) {
            String name = (String) partitions.get(0).getField(0);
            assertThat(
                            session.execute(
                                            "CALL sys.flatten_blob_layers(`table` => 'db.days',"
                                                    + " partitions => '"
                                                    + name
                                                    + "')")
                                    .rows())
                    .as(name)
                    .extracting(row -> row.getField(0))
                    .containsExactly(1L);
            assertThat(session.sql(layered))
                    .containsExactlyElementsOf(partitions.subList(1, partitions.size()));
            partitions = session.sql(layered);
        }
        assertThat(session.sql("SELECT id, `day`, pic FROM db.days"))
                .hasSize(days.size())
                .allSatisfy(row -> assertThat(row.getField(2)).isEqualTo(new byte[] {2}));
    }

    @Test
    void argumentsThatDoNotFitAreRefused() {
        assertRefused(
                "`table` => 'db.album', `columns` => 'name'", "Column name of table db.album");
        assertRefused("`table` => 'db.album', partitions => 'day=1'", "the partition columns []");
        assertRefused("`table` => 'db.album', parallelism => 0", "parallelism must be positive");
        assertRefused("`table` => 'db.album', min_layers => 0", "min_layers must be positive");
        assertRefused("`table` => 'db.nothing'", "db.nothing");
    }

    private void assertRefused(String arguments, String message) {
        assertThatThrownBy(() -> session.sql("CALL sys.flatten_blob_layers(" + arguments + ")"))
                .rootCause()
                .hasMessageContaining(message);
    }

    private long snapshots() throws Exception {
        return (Long) only(session.sql("SELECT COUNT(*) FROM db.`album$snapshots`")).getField(0);
    }

    private static Row only(List<Row> rows) {
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }
}
