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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.blobfallback.tests.bridge.Descriptor;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a user of Spark SQL and of DataFrames sees of layered tables. */
class SparkSqlTest {

    @RegisterExtension static final SparkExtension SPARK = new SparkExtension();

    private SparkApplication spark;
    private String database;

    private void use(SparkVersion version) throws Exception {
        spark = SPARK.spark(version);
        database = "reads_" + version.ordinal();
    }

    private Album album(String name) throws Exception {
        return Album.layered(SPARK.writer(), database + "." + name);
    }

    private String table(String name) {
        return "paimon." + database + "." + name;
    }

    /** Weaker first: the catalog, the table, the session, the reader. */
    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void optionsAreTakenWhereverTheyStand(SparkVersion version) throws Exception {
        use(version);
        Album album = album("options");
        SparkRequest sql = SparkRequest.sql("SELECT * FROM " + table("options"));
        String off = "is a placeholder in blob file";

        assertReads(sql, album);
        spark.sql(
                "ALTER TABLE "
                        + table("options")
                        + " SET TBLPROPERTIES ('blob-fallback.enabled' = 'false')");
        assertThat(spark.failure(sql)).contains(off);
        assertReads(sql.with("spark.paimon.blob-fallback.enabled", "true"), album);
        assertReads(
                sql.with(
                        "spark.paimon.paimon." + database + ".options.blob-fallback.enabled",
                        "true"),
                album);
        assertReads(
                SparkRequest.table(table("options")).with("blob-fallback.enabled", "true"), album);
        spark.sql(
                "ALTER TABLE "
                        + table("options")
                        + " UNSET TBLPROPERTIES ('blob-fallback.enabled')");
        assertReads(sql, album);
        assertThat(spark.failure(sql.with("spark.paimon.blob-fallback.enabled", "false")))
                .contains(off);
        assertThat(
                        spark.failure(
                                SparkRequest.table(table("options"))
                                        .with("blob-fallback.enabled", "false")))
                .contains(off);
    }

    /** Every reader hands out file and position where the host's does, with and without layers. */
    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void metadataColumnsStandBesideBlobs(SparkVersion version) throws Exception {
        use(version);
        Album layered = album("metadata");
        SPARK.writer().createTable(database + ".plain", Album.DEFINITION);
        SPARK.writer()
                .append(
                        database + ".plain",
                        List.of(List.of(0, new byte[] {'f'}, "n", new byte[] {'b'})));

        assertThat(Album.texts(spark.sql("SELECT front, __paimon_bucket FROM " + table("plain"))))
                .isEqualTo(List.of(List.of("f", 0)));
        assertThat(Album.texts(spark.sql("SELECT id, __paimon_bucket FROM " + table("metadata"))))
                .containsExactlyInAnyOrderElementsOf(with(layered.rows("id"), 0));
        // Where rows come from several files, the host has no one file to name, with or without
        // layers.
        for (String name : List.of("plain", "metadata")) {
            assertThat(
                            spark.failure(
                                    SparkRequest.sql(
                                            "SELECT front, id, __paimon_bucket FROM "
                                                    + table(name))))
                    .contains("DataEvolutionIterator cannot be cast to class");
        }
        assertThat(Album.texts(spark.sql("SELECT front, _ROW_ID, back FROM " + table("metadata"))))
                .hasSize(10)
                .contains(List.of("third front-1", 1L, "second back-1"));
    }

    private static List<List<Object>> with(List<List<Object>> rows, Object value) {
        List<List<Object>> wider = new ArrayList<>();
        for (List<Object> row : rows) {
            List<Object> more = new ArrayList<>(row);
            more.add(value);
            wider.add(more);
        }
        return wider;
    }

    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void theLayersAreATable(SparkVersion version) throws Exception {
        use(version);
        album("layers");

        assertThat(
                        spark.sql(
                                "SELECT column_name, MAX(layer) FROM "
                                        + "paimon."
                                        + database
                                        + ".`layers$blob_layers` GROUP BY column_name ORDER BY 1"))
                .isEqualTo(List.of(List.of("back", 2), List.of("front", 3)));
    }

    /** A stream that takes what is there: the table first, then each update by itself. */
    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void aStreamGivesWhatIsThereAndEnds(SparkVersion version) throws Exception {
        use(version);
        Album album = album("stream");

        assertThat(
                        Album.texts(
                                spark.rows(
                                        SparkRequest.of(
                                                SparkRequest.Kind.STREAM, table("stream")))))
                .containsExactlyInAnyOrderElementsOf(album.rows());
    }

    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void descriptorsPointAtTheWinners(SparkVersion version) throws Exception {
        use(version);
        album("descriptors");

        List<List<Object>> rows =
                spark.rows(
                        SparkRequest.table(table("descriptors"))
                                .with("blob-as-descriptor", "true")
                                .columns("front")
                                .asDescriptors());

        assertThat(rows).hasSize(10);
        assertThat(((Descriptor) rows.get(1).get(0)).length()).isEqualTo("third front-1".length());
    }

    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void filtersArePushedToTheTable(SparkVersion version) throws Exception {
        use(version);
        Album album = album("filtered");
        String query = "SELECT front FROM " + table("filtered") + " WHERE id BETWEEN 1 AND 2";

        assertThat(Album.texts(spark.sql(query)))
                .containsExactlyInAnyOrderElementsOf(album.rows("front").subList(1, 3));
        assertThat(
                        spark.rows(SparkRequest.of(SparkRequest.Kind.EXPLAIN, query))
                                .get(0)
                                .get(0)
                                .toString())
                .contains("GreaterOrEqual(id, 1)", "LessOrEqual(id, 2)");
        assertThat(
                        spark.sql(
                                "SELECT COUNT(*), COUNT(front) FROM "
                                        + table("filtered")
                                        + " WHERE name > 'name-7'"))
                .isEqualTo(List.of(List.of(2L, 2L)));
    }

    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void earlierSnapshotsAreReadAsTheyWere(SparkVersion version) throws Exception {
        use(version);
        album("travel");
        SPARK.writer().createTag(database + ".travel", "now");
        String query = "SELECT front FROM " + table("travel") + " VERSION AS OF %s WHERE id = 1";

        assertThat(Album.texts(spark.sql(String.format(query, 2))))
                .isEqualTo(List.of(List.of("front-1")));
        assertThat(Album.texts(spark.sql(String.format(query, 3))))
                .isEqualTo(List.of(List.of("second front-1")));
        assertThat(Album.texts(spark.sql(String.format(query, "'now'"))))
                .isEqualTo(List.of(List.of("third front-1")));
    }

    /** {@code load} makes a table of the host by its path: no catalog, no plugin. */
    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void aPathGoesAroundTheCatalog(SparkVersion version) throws Exception {
        use(version);
        Album album = album("path");
        String path = SPARK.warehouse() + "/" + database + ".db/path";

        assertThat(spark.failure(SparkRequest.of(SparkRequest.Kind.LOAD, path)))
                .contains(
                        "is a placeholder, since Paimon 2.0 has updated the blob column in part."
                                + " Read the table through a catalog with");
        assertReads(SparkRequest.of(SparkRequest.Kind.LOAD, path).with("catalog", "paimon"), album);
    }

    /** On tables with columns in blob files: what the CALL of the plugin is there for. */
    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void whatTheHostCannotChangeIsRefusedAndNothingChanges(SparkVersion version) throws Exception {
        use(version);
        Album album = album("merged");
        String merge =
                "MERGE INTO %s AS t USING (SELECT 1 AS id, X'00' AS pic, 'new' AS title) AS s ON"
                        + " t.id = s.id WHEN MATCHED THEN UPDATE SET t.%s";

        for (String assignment : List.of("front = s.pic", "name = s.title")) {
            assertThat(
                            spark.failure(
                                    SparkRequest.sql(
                                            String.format(merge, table("merged"), assignment))))
                    .contains(
                            "DataEvolution does not support writing partial columns with raw-data"
                                    + " BLOB type");
        }
        assertThat(
                        spark.failure(
                                SparkRequest.sql(
                                        "UPDATE "
                                                + table("merged")
                                                + " SET name = '' WHERE id = 1")))
                .contains("Update operation is not supported when data evolution is enabled yet.");
        assertThat(
                        spark.failure(
                                SparkRequest.sql(
                                        "DELETE FROM " + table("merged") + " WHERE id = 1")))
                .contains("Delete operation is not supported when data evolution is enabled yet.");
        assertReads(SparkRequest.table(table("merged")), album);
    }

    private void assertReads(SparkRequest request, Album album) throws Exception {
        assertThat(Album.texts(spark.rows(request)))
                .containsExactlyInAnyOrderElementsOf(album.rows());
    }
}
