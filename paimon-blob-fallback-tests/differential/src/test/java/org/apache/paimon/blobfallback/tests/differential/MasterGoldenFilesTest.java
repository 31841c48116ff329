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

package org.apache.paimon.blobfallback.tests.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** F7: the golden files of key types that 2.0 does not have, against the Paimon that wrote them. */
class MasterGoldenFilesTest {

    private static final Path CHECKED_IN =
            Path.of(System.getProperty("tests.dir"))
                    .resolve("../paimon-blob-fallback/src/test/resources/golden-master");

    @TempDir private Path fresh;

    @Test
    void checkedInGoldenFilesAreWhatPaimonsMasterWrites() throws Exception {
        Optional<PaimonRuntime> master = SharedRuntimes.paimonMaster();
        assumeTrue(master.isPresent(), "Paimon's master is not there.");
        master.get()
                .classLoader()
                .loadClass("org.apache.paimon.blobfallback.tests.paimon2.GoldenFiles")
                .getMethod("writeOfMaster", Path.class)
                .invoke(null, fresh);

        assertThat(names(CHECKED_IN)).isEqualTo(names(fresh)).isNotEmpty();
        for (String name : names(fresh)) {
            assertThat(CHECKED_IN.resolve(name)).hasSameBinaryContentAs(fresh.resolve(name));
        }
    }

    private static List<String> names(Path folder) throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
