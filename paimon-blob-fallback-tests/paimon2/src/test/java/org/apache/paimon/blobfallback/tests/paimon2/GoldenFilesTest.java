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

package org.apache.paimon.blobfallback.tests.paimon2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The golden files of the plugin's unit tests (F2, F4) against the Paimon that wrote them. */
class GoldenFilesTest {

    private static final Path CHECKED_IN =
            Path.of(System.getProperty("tests.dir"))
                    .resolve("../paimon-blob-fallback/src/test/resources/golden");

    @TempDir private Path fresh;

    @Test
    void checkedInGoldenFilesAreWhatPaimon2Writes() throws IOException {
        GoldenFiles.write(fresh);

        assertThat(names(CHECKED_IN)).isEqualTo(names(fresh)).isNotEmpty();
        for (String name : names(fresh)) {
            assertThat(CHECKED_IN.resolve(name)).hasSameBinaryContentAs(fresh.resolve(name));
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .sorted()
                    .collect(Collectors.toList());
        }
    }
}
