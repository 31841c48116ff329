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

package org.apache.paimon.blobfallback.tests.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pictures of docs/performance.md can be drawn from what the benchmark prints. */
class PlotsTest {

    @TempDir private Path folder;

    @Test
    void eachThingThatGrowsIsAPictureOfBothPaimons() throws Exception {
        List<Path> drawn =
                Plots.draw(
                        List.of(
                                Result.header(),
                                "large-1-layer,2000,65536,1,0,DISK,40.0,39.0,1.0,1.0,1,1,1,1,1,1",
                                "growth-rows-1000,1000,8,8,100,DISK,4.0,0.5,8.0,,1,1,1,1,1,1",
                                "growth-rows-10000,10000,8,8,100,DISK,40.0,4.0,10.0,,1,1,1,1,1,1",
                                "growth-layers-1,100,8,1,100,DISK,4.0,0.5,8.0,,1,1,1,1,1,1",
                                "growth-layers-2,100,8,2,100,DISK,7.0,0.6,8.0,,1,1,1,1,1,1"),
                        folder.resolve("new"));

        assertThat(drawn)
                .extracting(Path::getFileName)
                .extracting(Path::toString)
                .containsExactly("layers.svg", "rows.svg");
        for (Path picture : drawn) {
            assertThat(Files.readString(picture))
                    .contains("<svg", "Paimon 2.0.0", "Paimon 1.4.2 and plugin", "ms a read");
        }
    }

    @Test
    void resultsThatShowNoGrowthAreRefused() {
        assertThatThrownBy(() -> Plots.draw(List.of(Result.header()), folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("growth-");
    }
}
