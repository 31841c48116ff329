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
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Both procedures on a table that Flink SQL made, from a session for unbounded queries. */
class ProceduresInStreamingSessionTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();

    @TempDir Path warehouse;

    /** W1 and W6 by partition; the source is a temporary view that is made for the call. */
    @Test
    void aPartitionIsUpdatedAndFlattened() throws Exception {
        FlinkCluster.Session batch = FLINK.batch().createPluginCatalog("p", warehouse);
        batch.sql("CREATE DATABASE p.db");
        batch.sql(
                "CREATE TABLE p.db.parted (id INT, pic BYTES, `day` STRING) PARTITIONED BY (`day`)"
                        + " WITH ('row-tracking.enabled'='true', 'data-evolution.enabled'='true',"
                        + " 'blob-field'='pic')");
        batch.sql(
                "INSERT INTO p.db.parted VALUES (1, CAST('one' AS BYTES), 'mon'),"
                        + " (2, CAST('two' AS BYTES), 'mon'), (3, CAST('three' AS BYTES), 'tue')");
        FlinkCluster.Session streaming = FLINK.streaming().createPluginCatalog("p", warehouse);

        assertThat(
                        streaming
                                .sql(
                                        "CALL p.sys.update_blobs(`table` => 'db.parted',"
                                                + " source_sqls => 'CREATE TEMPORARY VIEW v AS"
                                                + " SELECT id, `day`, CAST(''new'' AS BYTES) AS pic"
                                                + " FROM parted WHERE id <> 2;',"
                                                + " source => 'SELECT * FROM v',"
                                                + " key => 'id,day')")
                                .get(0)
                                .getField(0))
                .isEqualTo(2L);
        assertThat(
                        streaming
                                .sql(
                                        "CALL p.sys.flatten_blob_layers(`table` => 'db.parted',"
                                                + " partitions => 'day=mon')")
                                .get(0)
                                .getField(0))
                .isEqualTo(1L);

        assertThat(batch.sql("SELECT id, CAST(pic AS STRING) FROM p.db.parted"))
                .containsExactlyInAnyOrder(Row.of(1, "new"), Row.of(2, "two"), Row.of(3, "new"));
        assertThat(
                        batch.sql(
                                "SELECT `partition`, MAX(layer) FROM p.db.`parted$blob_layers`"
                                        + " GROUP BY `partition`"))
                .containsExactlyInAnyOrder(Row.of("day=mon", 1), Row.of("day=tue", 2));
        assertThatThrownBy(
                        () ->
                                streaming.sql(
                                        "CALL p.sys.update_blobs(`table` => 'db.parted', source =>"
                                                + " 'SELECT id, pic FROM v', key => 'id')"))
                .rootCause()
                .hasMessageContaining("'v' not found");
    }
}
