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

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark runs: small tables, one read or update each, times are not looked at. */
class BenchmarksTest {

    @TempDir private Path warehouse;

    @BeforeEach
    void nameTheWarehouse() {
        System.setProperty(Warehouse.PROPERTY, warehouse.toString());
    }

    @AfterEach
    void forgetTheWarehouse() {
        System.clearProperty(Warehouse.PROPERTY);
    }

    @Test
    void bothPaimonsReadTheSameFromDiskAndFromAStoreAndUpdate() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();

        List<String> lines =
                Benchmarks.run(
                        "small-8-layers|large-8-layers-store|filter-1-layer|growth-rows-100000|update-100-rows|1000-rows-.*|one-warm-row",
                        1,
                        new Measurement(0, 0, 1, 200),
                        new PrintStream(printed, true, StandardCharsets.UTF_8));

        assertThat(lines).hasSize(8);
        assertThat(lines.get(0)).startsWith("scenario,");
        assertThat(lines.get(1)).startsWith("small-8-layers,2500,8,8,100,DISK,");
        assertThat(lines.get(2)).startsWith("large-8-layers-store,10,65536,8,100,STORE_20_MS,");
        assertThat(lines.get(3)).startsWith("1000-rows-first,5000,1024,8,100,DISK,");
        assertThat(lines.get(4)).startsWith("1000-rows-warm,5000,1024,8,100,DISK,");
        assertThat(lines.get(5)).startsWith("filter-1-layer,100,65536,1,0,DISK,");
        assertThat(lines.get(6)).startsWith("growth-rows-100000,500,8,8,100,DISK,");
        assertThat(lines.get(7)).startsWith("update-100-rows,5000,8,1,0,DISK,");
        assertThat(lines).allSatisfy(line -> assertThat(line.split(",", -1)).hasSize(21));
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("small-8-layers ", "large-8-layers-store ", "us a read by position");
    }
}
