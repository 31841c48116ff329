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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.SchemaEdit;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Paimon 2.0 has added and the host cannot know is refused by name. */
class UnknownFeaturesTest {

    @TempDir private Path warehouse;

    @Test
    void managedBlobsOfPrimaryKeyTablesAreRefused() throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            sides.writer()
                    .createTable(
                            "db.t",
                            TableDefinition.of("id", "INT NOT NULL", "b", "BLOB")
                                    .with("primary-key", "id")
                                    .with("bucket", "1")
                                    .with("row-tracking.enabled", "false")
                                    .with("data-evolution.enabled", "false"));

            assertThatThrownBy(() -> sides.reader().read(ReadRequest.all("db.t")))
                    .hasMessageContaining("Table db.t has a primary key and blob columns")
                    .hasMessageContaining("Paimon 2.0");
        }
    }

    @Test
    void normalColumnsInAFormatOfPaimon2AreRefusedAndBlobsStillRead() throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            sides.writer()
                    .createTable(
                            "db.t",
                            TableDefinition.of("id", "INT", "b", "BLOB")
                                    .with("file.format", "row"));
            sides.writer()
                    .append("db.t", List.of(List.of(0, bytes("b0")), List.of(1, bytes("b1"))));
            sides.writer().update("db.t", List.of("b"), Map.of(1L, List.of(bytes("u"))), Map.of());

            assertThatThrownBy(() -> sides.reader().read(ReadRequest.all("db.t")))
                    .hasMessageContaining("Table db.t is written in the format 'row'")
                    .hasMessageContaining("Paimon 2.0");

            sides.writer()
                    .alter(
                            "db.t",
                            List.of(
                                    SchemaEdit.of(
                                            SchemaEdit.Kind.SET_OPTION, "file.format", "avro")));

            assertThatThrownBy(() -> sides.reader().read(ReadRequest.all("db.t")))
                    .hasStackTraceContaining("of table db.t is in the format 'row'")
                    .hasStackTraceContaining("Paimon 2.0");
            assertThat(sides.read(ReadRequest.all("db.t").columns("b")))
                    .containsExactly("[b0]", "[u]");
        }
    }
}
