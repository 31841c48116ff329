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

import org.apache.paimon.blobfallback.spark.FlattenBlobLayers;
import org.apache.paimon.blobfallback.spark.FlattenResult;
import org.apache.paimon.blobfallback.spark.UpdateBlobs;
import org.apache.paimon.blobfallback.spark.UpdateResult;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The Java of docs/spark.md. */
final class PageProgram {

    private PageProgram() {}

    static String run(SparkSession spark, String database) {
        Dataset<Row> source =
                spark.sql(
                        "SELECT id, back AS front FROM paimon."
                                + database
                                + ".my_table WHERE id = 2");
        UpdateResult updated =
                new UpdateBlobs(spark, "paimon." + database + ".my_table")
                        .withKey("id")
                        .run(source);
        FlattenResult flat =
                new FlattenBlobLayers(spark, "paimon." + database + ".my_table")
                        .withMinLayers(2)
                        .run();
        return updated + " " + flat;
    }
}
