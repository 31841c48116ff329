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

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.types.Row;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything except reads of blobs works through the plugin's catalog as on its delegate, including
 * the error messages: the same statements run on both.
 */
class CatalogParityTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();

    private static final String DATA_EVOLUTION =
            "'row-tracking.enabled'='true', 'data-evolution.enabled'='true', 'blob-field'='pic'";

    /** Before a statement that fails on Paimon alone; any other must succeed there. */
    private static final String FAILS = "fails: ";

    private static final String FAILED = "FAILED ";

    @TempDir Path folder;

    @Test
    void databasesAreTheDelegates() {
        both(
                "SHOW DATABASES",
                "CREATE DATABASE d COMMENT 'pictures'",
                "fails: CREATE DATABASE d",
                "CREATE DATABASE IF NOT EXISTS d",
                "SHOW DATABASES",
                "CREATE TABLE d.t (id INT)",
                "fails: DROP DATABASE d",
                "fails: DROP DATABASE nowhere",
                "DROP DATABASE d CASCADE",
                "SHOW DATABASES");
    }

    @Test
    void blobTablesAreCreatedFilledAlteredAndDropped() {
        both(
                "CREATE DATABASE d",
                "USE d",
                "CREATE TABLE t (id INT, pic BYTES) WITH (" + DATA_EVOLUTION + ")",
                "fails: CREATE TABLE t (id INT, pic BYTES) WITH (" + DATA_EVOLUTION + ")",
                "CREATE TABLE IF NOT EXISTS t (id INT)",
                "fails: CREATE TABLE broken (id INT, pic BYTES) WITH ('blob-field'='pic')",
                "SHOW TABLES",
                "DESCRIBE t",
                "SHOW CREATE TABLE t",
                "INSERT INTO t VALUES (1, X'01'), (2, CAST(NULL AS BYTES)), (3, X'')",
                "SELECT * FROM t",
                "SELECT MIN(_ROW_ID), MAX(_ROW_ID), MAX(_SEQUENCE_NUMBER) FROM t$row_tracking",
                "SELECT snapshot_id, schema_id, commit_kind, total_record_count FROM t$snapshots",
                "SELECT file_format, record_count, first_row_id, write_cols FROM t$files",
                "SELECT * FROM t$ro",
                "SELECT * FROM t$audit_log",
                "fails: SELECT * FROM t$binlog",
                "ALTER TABLE t ADD name STRING",
                "ALTER TABLE t RENAME name TO title",
                "INSERT INTO t VALUES (4, X'04', 'four')",
                "SELECT title, pic, id FROM t",
                "ALTER TABLE t DROP title",
                "ALTER TABLE t SET ('snapshot.num-retained.min'='3')",
                "SELECT * FROM t$options",
                "ALTER TABLE t RESET ('snapshot.num-retained.min')",
                "fails: ALTER TABLE t SET ('data-evolution.enabled'='false')",
                "SELECT schema_id, fields FROM t$schemas",
                "SELECT * FROM t",
                "ALTER TABLE t RENAME TO t2",
                "SHOW TABLES",
                "SELECT COUNT(*), COUNT(pic) FROM t2",
                "fails: DELETE FROM t2 WHERE id = 1",
                "fails: UPDATE t2 SET id = 9 WHERE id = 1",
                "TRUNCATE TABLE t2",
                "SELECT * FROM t2",
                "DROP TABLE t2",
                "fails: DROP TABLE t2",
                "DROP TABLE IF EXISTS t2",
                "SHOW TABLES");
    }

    @Test
    void snapshotsTagsAndBranchesAreManaged() {
        both(
                "CREATE DATABASE d",
                "USE d",
                "CREATE TABLE t (id INT, pic BYTES) WITH (" + DATA_EVOLUTION + ")",
                "INSERT INTO t VALUES (1, X'01')",
                "CALL sys.create_tag(`table` => 'd.t', tag => 'one', snapshot_id => CAST(1 AS BIGINT))",
                "SELECT tag_name, snapshot_id FROM t$tags",
                "INSERT INTO t VALUES (2, X'02')",
                "SELECT * FROM t /*+ OPTIONS('scan.tag-name'='one') */",
                "SELECT * FROM t /*+ OPTIONS('scan.snapshot-id'='1') */",
                "fails: SELECT * FROM t /*+ OPTIONS('scan.snapshot-id'='99') */",
                "CALL sys.create_branch('d.t', 'side', 'one')",
                "SELECT branch_name FROM t$branches",
                "INSERT INTO t$branch_side VALUES (3, X'03')",
                "SELECT * FROM t$branch_side",
                "SELECT * FROM t",
                "CALL sys.rollback_to(`table` => 'd.t', snapshot_id => CAST(1 AS BIGINT))",
                "SELECT * FROM t",
                "CALL sys.delete_branch(`table` => 'd.t', branch => 'side')",
                "SELECT branch_name FROM t$branches",
                "CALL sys.delete_tag(`table` => 'd.t', tag => 'one')",
                "SELECT tag_name FROM t$tags",
                "INSERT INTO t VALUES (4, X'04')",
                "CALL sys.expire_snapshots(`table` => 'd.t', retain_max => 1, retain_min => 1)",
                "SELECT COUNT(*) FROM t$snapshots",
                "SELECT * FROM t");
    }

    @Test
    void otherTablesAreTheDelegates() {
        both(
                "CREATE DATABASE d",
                "USE d",
                "CREATE TABLE keyed (id INT PRIMARY KEY NOT ENFORCED, v STRING) WITH ('bucket'='1')",
                "INSERT INTO keyed VALUES (1, 'a'), (2, 'b')",
                "UPDATE keyed SET v = 'c' WHERE id = 2",
                "DELETE FROM keyed WHERE id = 1",
                "SELECT * FROM keyed",
                "SELECT * FROM keyed$audit_log",
                "CREATE TABLE days (id INT, d STRING) PARTITIONED BY (d)",
                "INSERT INTO days VALUES (1, 'mon'), (2, 'tue')",
                "SHOW PARTITIONS days",
                "SELECT * FROM days WHERE d = 'tue'",
                "ALTER TABLE days DROP PARTITION (d = 'mon')",
                "INSERT OVERWRITE days VALUES (5, 'tue')",
                "SELECT * FROM days",
                "CREATE TABLE copied WITH ('bucket'='-1') AS SELECT * FROM days",
                "SELECT * FROM copied",
                "CREATE TABLE alike WITH ('bucket'='-1') LIKE days (EXCLUDING OPTIONS)",
                "DESCRIBE alike",
                "fails: CREATE VIEW seen AS SELECT id FROM days",
                "SHOW VIEWS",
                "SHOW TABLES",
                "fails: SELECT * FROM nowhere");
    }

    /** Runs the statements on the plugin's catalog and on the host's, and compares each outcome. */
    private void both(String... statements) {
        Side plugin =
                new Side("plugin", "'metastore'='blob-fallback', 'blob-fallback.enabled'='true'");
        Side stock = new Side("stock", "'metastore'='filesystem'");
        SoftAssertions outcomes = new SoftAssertions();
        for (String line : statements) {
            boolean fails = line.startsWith(FAILS);
            String statement = fails ? line.substring(FAILS.length()) : line;
            String expected = stock.outcome(statement);
            outcomes.assertThat(expected.startsWith(FAILED))
                    .as("%s fails on Paimon alone: %s", statement, expected)
                    .isEqualTo(fails);
            outcomes.assertThat(plugin.outcome(statement)).as(statement).isEqualTo(expected);
        }
        outcomes.assertAll();
    }

    private final class Side {

        private final FlinkCluster.Session session = FLINK.batch();
        private final Path warehouse;

        private Side(String name, String option) {
            warehouse = folder.resolve(name);
            String created =
                    outcome(
                            "CREATE CATALOG c WITH ('type'='paimon', 'warehouse'='"
                                    + warehouse
                                    + "', "
                                    + option
                                    + ")");
            assertThat(created).isEqualTo("[+I[OK]]");
            assertThat(outcome("USE CATALOG c")).isEqualTo("[+I[OK]]");
        }

        /** The rows of the statement or the root of its failure, without what names the side. */
        private String outcome(String statement) {
            String outcome;
            try {
                List<Row> rows = session.sql(statement);
                outcome =
                        rows.stream()
                                .sorted(Comparator.comparing(Row::toString))
                                .toList()
                                .toString();
            } catch (Exception e) {
                Throwable root = e;
                while (root.getCause() != null) {
                    root = root.getCause();
                }
                outcome = FAILED + root;
            }
            return outcome.replace(warehouse.toString(), "WAREHOUSE")
                    .replaceAll("org\\.apache\\.paimon\\.[\\w.]*Table\\b", "TABLE CLASS");
        }
    }
}
