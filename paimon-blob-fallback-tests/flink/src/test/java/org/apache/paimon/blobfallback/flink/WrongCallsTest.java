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

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Calls of the procedures with what they cannot take: what Flink shows first names the table or
 * argument, what was expected and what was found, and nothing in the whole stack of it is a secret
 * of the catalog.
 */
class WrongCallsTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    private static final String SECRET = "wJalrXUtnFEMI";

    @TempDir static Path warehouse;

    private static FlinkCluster.Session session;

    @BeforeAll
    static void createTables() throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            Album.create(writer, "db.album").append(3).update("front", Map.of(1L, "x"));
        }
        session = FLINK.batch();
        session.sql(
                "CREATE CATALOG p WITH ('type'='paimon', 'warehouse'='%s',"
                        + " 'metastore'='blob-fallback', 'blob-fallback.enabled'='true',"
                        + " 's3.secret-key'='%s', 'token'='%s')",
                warehouse, SECRET, SECRET);
        session.sql("USE CATALOG p");
        session.sql("CREATE TABLE db.plain (id INT)");
        session.sql(
                "CREATE TABLE db.days (id INT, pic BYTES, d STRING) PARTITIONED BY (d) WITH"
                        + " ('row-tracking.enabled'='true', 'data-evolution.enabled'='true',"
                        + " 'blob-field'='pic')");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "album | SELECT 1 | Argument table must name a table of this catalog as"
                        + " 'database.table', found 'album'",
                "db.nope | SELECT 1 | Table db.nope does not exist",
                "db.album$files | SELECT 1 | Table album$files has no data files of its own",
                "db.plain | SELECT 1 | Table db.plain has no data evolution",
                "db.days | SELECT 1 | Table db.days has no snapshot yet",
                "db.album | SELECT front FROM album | source of an update of table db.album needs"
                        + " a column _ROW_ID, or the argument key, found the columns [front]",
                "db.album | SELECT _ROW_ID FROM `album$row_tracking` | needs at least one blob"
                        + " column, found the columns [_ROW_ID]",
                "db.album | SELECT 1 AS _ROW_ID, front FROM album | needs a BIGINT column _ROW_ID"
                        + " and not a INT NOT NULL",
                "db.album | SELECT _ROW_ID, name AS front FROM `album$row_tracking` | Column front"
                        + " of the source of an update of table db.album is a STRING, expected",
                "db.album | SELECT _ROW_ID, name FROM `album$row_tracking` | Column name of table"
                        + " db.album is a STRING, not a blob",
                "db.album | SELECT nope FROM album | source of an update of table db.album cannot"
                        + " be planned: Column 'nope' not found in any table; found",
                "db.album | SELEKT | source of an update of table db.album cannot be planned",
                "db.album | ' ' | Argument source must be a query, found ' '",
                "db.album | SELECT 1; SELECT 2 | Argument source must be a query, found 2"
                        + " statements",
                "db.album | SELECT _ROW_ID, front, front FROM `album$row_tracking` | needs each"
                        + " column once, and not front twice, found the columns [_ROW_ID, front,"
                        + " front0]",
            })
    void anUpdateNamesWhatItCannotTake(String table, String source, String message) {
        assertRefused(
                "update_blobs(`table` => '%s', source => '%s')"
                        .formatted(table, source.replace("' '", " ")),
                message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "key => 'nope' | Column nope of the key is not a normal column of table db.album,"
                        + " whose columns are [id, front, name, back]",
                "key => 'name' | needs the columns [name] of the key, found the columns [id, front]",
                "key => 'front' | Column front of the key is not a normal column",
                "key => 'id,id' | Argument key must name each column once, found 'id,id'",
                "key => '_ROW_ID' | Column _ROW_ID of the key cannot be one of [_ROW_ID,"
                        + " _SEQUENCE_NUMBER, _MATCHES] in an update of table db.album; with a"
                        + " column _ROW_ID in the source, leave out the argument key",
                "key => 'id, _MATCHES' | Column _MATCHES of the key cannot be one of",
                "key => 'id', source_sqls => 'NONSENSE' | Argument source_sqls has a statement that"
                        + " fails",
                "key => 'id', parallelism => 0 | Argument parallelism must be positive, found 0"
            })
    void anUpdateByKeyNamesWhatItCannotTake(String arguments, String message) {
        assertRefused(
                "update_blobs(`table` => 'db.album', source => 'SELECT id, front FROM album', "
                        + arguments
                        + ")",
                message);
    }

    @Test
    void anUpdateTakesRowIdsOrAKey() {
        assertRefused(
                "update_blobs(`table` => 'db.album', key => 'id', source =>"
                        + " 'SELECT _ROW_ID, id, front FROM `album$row_tracking`')",
                "needs no column _ROW_ID where rows are found by the argument key, found the columns"
                        + " [_ROW_ID, id, front]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "`table` => 'album' | Argument table must name a table of this catalog as"
                        + " 'database.table', found 'album'",
                "`table` => CAST(NULL AS STRING) | Argument table must name a table of this catalog"
                        + " as 'database.table', found 'null'",
                "`table` => 'db.nope' | Table db.nope does not exist",
                "`table` => 'db.album$ro' | Table album$ro has no data files of its own",
                "`table` => 'db.plain' | Table db.plain has no data evolution",
                "`table` => 'db.album', columns => 'nope' | Table db.album has no column nope; its"
                        + " blob columns are [front, back]",
                "`table` => 'db.album', columns => ',' | A flatten of table db.album needs a column",
                "`table` => 'db.album', partitions => 'd=1' | Table db.album has the partition"
                        + " columns [], found the partition {d=1}",
                "`table` => 'db.days', partitions => 'nonsense' | A partition is named like"
                        + " 'day=1/region=eu', with %2F for a slash in a value; found 'nonsense'",
                "`table` => 'db.days', partitions => 'x=1' | Table db.days has the partition columns"
                        + " [d], found the partition {x=1}",
                "`table` => 'db.album', min_layers => 0 | Argument min_layers must be positive",
                "`table` => 'db.album', least_layers => 0 | Argument least_layers must be positive",
                "`table` => 'db.album', min_layers => 2, least_layers => 3 | Arguments min_layers and"
                        + " least_layers are two names of one argument",
                "`table` => 'db.album', groups_per_commit => 0 | Argument groups_per_commit must be"
                        + " positive, found 0",
                "`table` => 'db.album', parallelism => -1 | Argument parallelism must be positive,"
                        + " found -1"
            })
    void aFlattenNamesWhatItCannotTake(String arguments, String message) {
        assertRefused("flatten_blob_layers(" + arguments + ")", message);
    }

    /** One that fails in the job, whose tasks have the catalog's options. */
    @Test
    void aFailedJobKeepsSecrets() {
        assertRefused(
                "update_blobs(`table` => 'db.album', source =>"
                        + " 'SELECT CAST(99 AS BIGINT) AS _ROW_ID, front FROM album')",
                "Updating blobs of db.album failed in job");
    }

    private static String stack(Throwable failure) {
        StringWriter stack = new StringWriter();
        failure.printStackTrace(new PrintWriter(stack));
        return stack.toString();
    }

    private static void assertRefused(String call, String message) {
        assertThatThrownBy(() -> session.sql("%s", "CALL sys." + call))
                .hasMessageStartingWith("The call method caused an error: ")
                .hasMessageContaining(message)
                .extracting(WrongCallsTest::stack)
                .asString()
                .contains(message)
                .doesNotContain(SECRET);
    }
}
