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

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** W5, W6: two applications write layers of one table at the same time. */
class ConcurrentJobsTest {

    private static final String TABLE = "concurrent.album";
    private static final int ROUNDS = 3;

    @RegisterExtension static final SparkExtension SPARK = new SparkExtension();

    @Test
    void updatesAndFlattensOfTwoApplicationsAllLand() throws Exception {
        Album album = Album.layered(SPARK.writer(), TABLE);
        SparkApplication first = SPARK.spark(SparkVersion.SPARK_3_5);
        SparkApplication second = SPARK.spark(SparkVersion.SPARK_4_0);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                String value = "round " + round;
                Future<?> one = threads.submit(rows(first, 1, value));
                Future<?> other = threads.submit(rows(second, 2, value));
                one.get();
                other.get();
                album.updatedByOthers("front", Map.of(1L, value, 2L, value, 7L, value, 8L, value));
            }
        } finally {
            threads.shutdownNow();
        }

        SPARK.assertNothingButTheTable(TABLE, album);
    }

    /** Updates a row of each group, and flattens. */
    private static Callable<Void> rows(SparkApplication spark, int row, String value) {
        return () -> {
            List<List<Object>> updated =
                    spark.sql(
                            String.format(
                                    "CALL paimon.sys.update_blobs(table => '%s', source => \""
                                            + "SELECT %dL AS _ROW_ID, CAST('%s' AS BINARY) AS front"
                                            + " UNION ALL SELECT %dL, CAST('%3$s' AS BINARY)\")",
                                    TABLE, row, value, row + 6));
            assertThat(updated.get(0).get(0)).isEqualTo(2L);
            spark.sql("CALL paimon.sys.flatten_blob_layers(table => '" + TABLE + "')");
            return null;
        };
    }
}
