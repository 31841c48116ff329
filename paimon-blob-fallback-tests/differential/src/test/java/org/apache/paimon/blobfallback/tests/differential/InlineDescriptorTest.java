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

import static org.apache.paimon.blobfallback.tests.differential.Sides.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.Descriptor;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R11: descriptors that are kept inside normal files, beside blob-file columns. */
class InlineDescriptorTest {

    private static final String TABLE = "db.t";

    @TempDir private Path warehouse;
    @TempDir private Path elsewhere;

    @ParameterizedTest
    @ValueSource(strings = {"parquet", "orc", "avro"})
    void descriptorColumnIsTheHostsAndBlobFileColumnThePlugins(String format) throws Exception {
        Path file = Files.write(elsewhere.resolve("blobs"), bytes("0123456789"));
        try (Sides sides = new Sides(warehouse)) {
            sides.writer()
                    .createTable(
                            TABLE,
                            TableDefinition.of("id", "INT", "d", "BLOB", "b", "BLOB")
                                    .with("blob-field", "d,b")
                                    .with("blob-descriptor-field", "d")
                                    .with("file.format", format));
            sides.writer()
                    .append(
                            TABLE,
                            List.of(
                                    List.of(0, part(file, 0, 3), bytes("b0")),
                                    Arrays.asList(1, null, bytes("b1")),
                                    List.of(2, part(file, 3, 7), bytes("b2"))));
            sides.writer().update(TABLE, List.of("b"), Map.of(1L, List.of(bytes("new"))), Map.of());

            for (ReadRequest columns :
                    List.of(
                            ReadRequest.all(TABLE),
                            ReadRequest.all(TABLE).columns("b", "d"),
                            ReadRequest.all(TABLE).columns("d"))) {
                sides.agreeOn(columns);
                sides.agreeOn(columns.range(1, 2));
                sides.agreeOn(columns.with("blob-as-descriptor", "true"));
            }
            assertThat(sides.read(ReadRequest.all(TABLE)))
                    .containsExactly("[0, 012, b0]", "[1, null, new]", "[2, 3456789, b2]");
        }
    }

    private static Descriptor part(Path file, long offset, long length) {
        return new Descriptor(file.toString(), offset, length);
    }
}
