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

package org.apache.paimon.blobfallback.spark;

import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import scala.runtime.AbstractFunction1;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Teaches Spark SQL the procedures {@code sys.flatten_blob_layers} and {@code sys.update_blobs} of
 * Paimon's catalogs. In {@code spark.sql.extensions} it comes after Paimon's own extension, which
 * runs what this one parses.
 */
public final class BlobFallbackSparkExtensions
        extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {

    @Override
    public BoxedUnit apply(SparkSessionExtensions extensions) {
        extensions.injectParser(
                new AbstractFunction2<SparkSession, ParserInterface, ParserInterface>() {
                    @Override
                    public ParserInterface apply(SparkSession spark, ParserInterface parser) {
                        return CallParser.before(parser, spark);
                    }
                });
        return BoxedUnit.UNIT;
    }
}
