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

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;

/** The versions of Spark that the tests run, each with the host's connector for it. */
public enum SparkVersion {
    SPARK_3_5("spark-3.5", "2.12", "paimon-spark-3.5_2.12-1.4.2.jar"),
    SPARK_4_0("spark-4.0", "2.13", "paimon-spark-4.0_2.13-1.4.2.jar");

    private static final String CONNECTORS_DIR = "spark.connectors.dir";

    private final String module;
    private final String scala;
    private final String connector;

    SparkVersion(String module, String scala, String connector) {
        this.module = module;
        this.scala = scala;
        this.connector = connector;
    }

    /**
     * Whether the connectors are there; if not, a line on the standard output says how to have
     * them.
     */
    static boolean connectorsAreThere() {
        for (SparkVersion version : values()) {
            if (!Files.exists(version.connector())) {
                System.out.printf(
                        "%s is not there (-D%s=...): the tests in Spark are skipped. CONTRIBUTING.md"
                                + " says how to make it.%n",
                        version.connector(), CONNECTORS_DIR);
                return false;
            }
        }
        return true;
    }

    /** The tests module that holds the jars of the installation. */
    String module() {
        return module;
    }

    /** The version of Scala that it is built for. */
    String scala() {
        return scala;
    }

    /** The host's connector, which no registry serves. */
    Path connector() {
        String named = System.getProperty(CONNECTORS_DIR);
        Path folder =
                named == null
                        ? Runtimes.testsDir().resolve("../../shared/engines")
                        : Path.of(named);
        return folder.resolve(connector).toAbsolutePath().normalize();
    }
}
