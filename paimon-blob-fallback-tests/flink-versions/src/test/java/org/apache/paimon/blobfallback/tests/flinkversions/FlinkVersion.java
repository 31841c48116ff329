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

package org.apache.paimon.blobfallback.tests.flinkversions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;

/** A version of Flink that the connectors of Paimon 1.4 are made for. */
enum FlinkVersion {
    FLINK_1_18("1.18", "1.18"),
    FLINK_1_19("1.19", "1.19"),
    FLINK_1_20("1.20", "1.20"),
    FLINK_2_0("2.0", null),
    FLINK_2_1("2.1", "2.2"),
    FLINK_2_2("2.2", "2.2");

    private static final String CONNECTORS_DIR = "flink.connectors.dir";

    private final String name;

    /** Version in the name of the connector; null if it is published, with the host in it. */
    private final String connector;

    FlinkVersion(String name, String connector) {
        this.name = name;
        this.connector = connector;
    }

    /** Whether all connectors are there; if not, one line says what is skipped. */
    static boolean connectorsAreThere() {
        for (FlinkVersion version : values()) {
            if (version.connector != null && !Files.exists(version.connector())) {
                System.out.printf(
                        "%s is not there (-D%s=...): the tests in Flink 1.18 to 2.2 are skipped."
                                + " CONTRIBUTING.md says how to make it.%n",
                        version.connector(), CONNECTORS_DIR);
                return false;
            }
        }
        return true;
    }

    private Path connector() {
        String named = System.getProperty(CONNECTORS_DIR);
        Path folder =
                named == null
                        ? Runtimes.testsDir().resolve("../../shared/engines")
                        : Path.of(named);
        return folder.resolve("paimon-flink-" + connector + "-1.4.2.jar")
                .toAbsolutePath()
                .normalize();
    }

    /** The jars of the installation, with the host and its connector and without the plugin. */
    List<Path> jars() throws IOException {
        List<Path> jars = new ArrayList<>(Runtimes.jars("flinks/flink-" + name));
        if (connector == null) {
            jars.removeIf(jar -> jar.getFileName().toString().startsWith("paimon-bundle"));
        } else {
            jars.add(connector());
        }
        return jars;
    }
}
