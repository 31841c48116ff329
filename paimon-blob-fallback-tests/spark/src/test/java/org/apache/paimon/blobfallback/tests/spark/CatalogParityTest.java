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

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Statements answer in the plugin's catalog as in Paimon's own, each over a warehouse of its own.
 * The tables have no placeholder: what is compared is everything else.
 */
class CatalogParityTest {

    @RegisterExtension static final SparkExtension SPARK = new SparkExtension();

    private static final List<String> STATEMENTS =
            List.of(
                    "CREATE DATABASE %s.d COMMENT 'a database'",
                    "SHOW DATABASES IN %s",
                    "DESCRIBE DATABASE %s.d",
                    "CREATE TABLE %s.d.t (id INT COMMENT 'key', name STRING, pic BINARY, day STRING)"
                            + " PARTITIONED BY (day) TBLPROPERTIES ('row-tracking.enabled'='true',"
                            + " 'data-evolution.enabled'='true', 'blob-field'='pic')",
                    "SHOW TABLES IN %s.d",
                    "DESCRIBE TABLE %s.d.t",
                    "SHOW COLUMNS IN %s.d.t",
                    "INSERT INTO %s.d.t VALUES (1, 'a', X'01', 'mon'), (2, 'b', NULL, 'tue')",
                    "INSERT INTO %s.d.t VALUES (3, 'c', X'0303', 'mon')",
                    "SELECT * FROM %s.d.t ORDER BY id",
                    "SELECT pic, id FROM %s.d.t WHERE day = 'mon' ORDER BY id",
                    "SELECT COUNT(*), COUNT(pic), MAX(id) FROM %s.d.t",
                    "SELECT id, _ROW_ID FROM %s.d.`t$row_tracking` ORDER BY _ROW_ID",
                    "SELECT snapshot_id, commit_kind, total_record_count FROM %s.d.`t$snapshots`"
                            + " ORDER BY snapshot_id",
                    "SELECT partition, file_count FROM %s.d.`t$partitions` ORDER BY partition",
                    "SELECT schema_id, fields FROM %s.d.`t$schemas` ORDER BY schema_id",
                    "SHOW PARTITIONS %s.d.t",
                    "ALTER TABLE %s.d.t ADD COLUMN extra INT",
                    "ALTER TABLE %s.d.t RENAME COLUMN name TO title",
                    "ALTER TABLE %s.d.t ALTER COLUMN extra TYPE BIGINT",
                    "ALTER TABLE %s.d.t ALTER COLUMN id COMMENT 'a key'",
                    "ALTER TABLE %s.d.t SET TBLPROPERTIES ('snapshot.num-retained.min'='3')",
                    "SHOW TBLPROPERTIES %s.d.t ('snapshot.num-retained.min')",
                    "ALTER TABLE %s.d.t UNSET TBLPROPERTIES ('snapshot.num-retained.min')",
                    "DESCRIBE TABLE %s.d.t",
                    "INSERT INTO %s.d.t VALUES (4, 'd', X'04', 'tue', 9)",
                    "SELECT * FROM %s.d.t ORDER BY id",
                    "SELECT * FROM %s.d.t VERSION AS OF 1 ORDER BY id",
                    "CALL %s.sys.create_tag(table => 'd.t', tag => 'first', snapshot => 1)",
                    "SELECT COUNT(*) FROM %s.d.t VERSION AS OF 'first'",
                    "SELECT tag_name, snapshot_id FROM %s.d.`t$tags`",
                    "SHOW TAGS %s.d.t",
                    "CALL %s.sys.create_branch(table => 'd.t', branch => 'b', tag => 'first')",
                    "SELECT COUNT(*) FROM %s.d.`t$branch_b`",
                    "SELECT branch_name FROM %s.d.`t$branches`",
                    "MERGE INTO %s.d.t USING (SELECT 1 AS k, 'merged' AS v) s ON t.id = s.k"
                            + " WHEN MATCHED THEN UPDATE SET title = v",
                    "SELECT id, title, pic FROM %s.d.t ORDER BY id",
                    "UPDATE %s.d.t SET title = 'x' WHERE id = 1",
                    "DELETE FROM %s.d.t WHERE id = 1",
                    "INSERT OVERWRITE %s.d.t PARTITION (day = 'mon') VALUES (5, 'e', X'05', 1)",
                    "SELECT * FROM %s.d.t ORDER BY id",
                    "ALTER TABLE %s.d.t DROP COLUMN extra",
                    "ALTER TABLE %s.d.t DROP PARTITION (day = 'tue')",
                    "SELECT * FROM %s.d.t ORDER BY id",
                    "CALL %s.sys.rollback(table => 'd.t', version => '1')",
                    "SELECT COUNT(*) FROM %s.d.t",
                    "CALL %s.sys.delete_tag(table => 'd.t', tag => 'first')",
                    "CALL %s.sys.delete_branch(table => 'd.t', branch => 'b')",
                    "ALTER TABLE %s.d.t RENAME TO d.u",
                    "SHOW TABLES IN %s.d",
                    "TRUNCATE TABLE %s.d.u",
                    "SELECT COUNT(*) FROM %s.d.u",
                    "CREATE TABLE %s.d.k (id INT, v STRING) TBLPROPERTIES ('primary-key'='id',"
                            + " 'bucket'='1')",
                    "INSERT INTO %s.d.k VALUES (1, 'a'), (1, 'b'), (2, 'c')",
                    "DELETE FROM %s.d.k WHERE id = 2",
                    "SELECT * FROM %s.d.k",
                    "DROP TABLE %s.d.u",
                    "SELECT * FROM %s.d.u",
                    "DROP DATABASE %s.d",
                    "DROP DATABASE %s.d CASCADE",
                    "SHOW DATABASES IN %s");

    /** What Paimon 1.4.2 itself refuses in Spark. */
    private static final Set<String> REFUSED =
            Set.of(
                    "UPDATE %s.d.t SET title = 'x' WHERE id = 1",
                    "DELETE FROM %s.d.t WHERE id = 1",
                    "SELECT * FROM %s.d.u",
                    "DROP DATABASE %s.d");

    @TempDir private Path folder;

    @ParameterizedTest
    @EnumSource(SparkVersion.class)
    void statementsAnswerAsInPaimonsOwnCatalog(SparkVersion version) throws Exception {
        SparkApplication spark = SPARK.spark(version);
        catalog(spark, "alone", List.of());
        catalog(spark, "wrapped", List.of("metastore=blob-fallback", "blob-fallback.enabled=true"));

        List<String> refused = new ArrayList<>();
        for (String statement : STATEMENTS) {
            SparkAnswer alone = answer(spark, statement, "alone");
            SparkAnswer wrapped = answer(spark, statement, "wrapped");

            assertThat(outcome(wrapped, "wrapped"))
                    .as(statement)
                    .isEqualTo(outcome(alone, "alone"));
            if (alone.failure() != null) {
                refused.add(statement);
            }
        }
        assertThat(refused).containsExactlyInAnyOrderElementsOf(REFUSED);
    }

    private void catalog(SparkApplication spark, String name, List<String> options)
            throws Exception {
        String key = "`spark.sql.catalog." + name;
        spark.sql("SET " + key + "`=org.apache.paimon.spark.SparkCatalog");
        spark.sql("SET " + key + ".warehouse`=" + folder.resolve(name));
        for (String option : options) {
            String[] pair = option.split("=");
            spark.sql("SET " + key + "." + pair[0] + "`=" + pair[1]);
        }
    }

    private static SparkAnswer answer(SparkApplication spark, String statement, String catalog)
            throws Exception {
        return spark.ask(SparkRequest.sql(String.format(statement, catalog)));
    }

    /** The rows, or the first line of the failure, with the catalog's name taken out. */
    private static String outcome(SparkAnswer answer, String catalog) {
        String text =
                answer.failure() == null
                        ? Album.texts(answer.rows()).toString()
                        : answer.failure().lines().findFirst().orElse("");
        return text.replace(catalog, "catalog");
    }
}
