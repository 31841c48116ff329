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
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.PluginWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables that Paimon's master writes: what comes after 2.0 is read as well. */
class PaimonMasterTest {

    private static final String TABLE = "db.t";

    @TempDir private Path warehouse;

    @Test
    void updatesAndCompactionsOfMasterAreReadAsTheyAreThere() throws Exception {
        try (Sides sides = sides()) {
            PaimonWriter writer = sides.writer();
            writer.createTable(
                    TABLE,
                    TableDefinition.of("id", "INT", "name", "STRING", "b", "BLOB")
                            .with("blob.target-file-size", "1 b"));
            writer.append(
                    TABLE, List.of(List.of(0, "n0", bytes("b0")), List.of(1, "n1", bytes("b1"))));
            writer.append(TABLE, List.of(List.of(2, "n2", bytes("b2"))));
            writer.update(TABLE, List.of("b"), Map.of(1L, List.of(bytes("u1"))), Map.of());
            writer.update(TABLE, List.of("name"), Map.of(2L, List.of("m2")), Map.of());
            List<String> rows = List.of("[0, n0, b0]", "[1, n1, u1]", "[2, m2, b2]");
            assertThat(sides.read(ReadRequest.all(TABLE))).isEqualTo(rows);

            assertThat(writer.compact(TABLE, false, Map.of("compaction.min.file-num", "2")))
                    .isPositive();
            assertThat(sides.read(ReadRequest.all(TABLE))).isEqualTo(rows);
            sides.agreeOn(ReadRequest.all(TABLE).columns("b", "_ROW_ID"));

            assertThat(writer.compact(TABLE, true, Map.of("compaction.min.file-num", "2")))
                    .isPositive();
            assertThat(sides.read(ReadRequest.all(TABLE))).isEqualTo(rows);
            sides.agreeOn(ReadRequest.all(TABLE).columns("b", "_ROW_ID"));
        }
    }

    /** A compacted file of master has a sequence number a column, which 1.4 and 2.0 do not know. */
    @Test
    void compactedFilesWithASequenceNumberAColumnAreReadAndUpdated() throws Exception {
        try (Sides sides = sides();
                PluginWriter plugin = SharedRuntimes.hostBehindPlugin().find(PluginWriter.class)) {
            plugin.open(Map.of("warehouse", warehouse.toString(), "metastore", "blob-fallback"));
            PaimonWriter writer = sides.writer();
            writer.createTable(
                    TABLE,
                    TableDefinition.of("id", "INT", "name", "STRING", "b", "BLOB")
                            .with("global-index.column-update-action", "ignore"));
            writer.append(
                    TABLE, List.of(List.of(0, "n0", bytes("b0")), List.of(1, "n1", bytes("b1"))));
            writer.update(TABLE, List.of("name"), Map.of(1L, List.of("m1")), Map.of());
            assertThat(writer.compact(TABLE, false, Map.of("compaction.min.file-num", "2")))
                    .isPositive();
            writer.update(TABLE, List.of("b"), Map.of(0L, List.of(bytes("u0"))), Map.of());
            plugin.update(TABLE, "b", Map.of(1L, bytes("u1")));

            assertThat(sides.read(ReadRequest.all(TABLE)))
                    .containsExactly("[0, n0, u0]", "[1, m1, u1]");
            sides.agreeOn(ReadRequest.all(TABLE).columns("b", "name", "_ROW_ID"));

            plugin.flatten(TABLE);
            assertThat(sides.read(ReadRequest.all(TABLE)))
                    .containsExactly("[0, n0, u0]", "[1, m1, u1]");
            sides.agreeOn(ReadRequest.all(TABLE));
        }
    }

    @Test
    void rowsThatMasterHasDeletedForGoodAreGoneAndTheOthersHaveNewIds() throws Exception {
        try (Sides sides = sides()) {
            PaimonWriter writer = sides.writer();
            writer.createTable(
                    TABLE,
                    TableDefinition.of("id", "INT", "b", "BLOB")
                            .with("deletion-vectors.enabled", "true"));
            writer.append(
                    TABLE,
                    List.of(
                            List.of(0, bytes("b0")),
                            List.of(1, bytes("b1")),
                            List.of(2, bytes("b2"))));
            writer.update(TABLE, List.of("b"), Map.of(2L, List.of(bytes("u2"))), Map.of());
            writer.delete(TABLE, List.of(0L));

            assertThat(writer.materializeDeletions(TABLE)).isPositive();
            assertThat(sides.read(ReadRequest.all(TABLE).columns("id", "b", "_ROW_ID")))
                    .containsExactly("[1, b1, 3]", "[2, u2, 4]");
            sides.agreeOn(ReadRequest.all(TABLE).columns("b", "_ROW_ID"));
        }
    }

    private Sides sides() throws Exception {
        Optional<PaimonRuntime> master = SharedRuntimes.paimonMaster();
        assumeTrue(master.isPresent(), "Paimon's master is not there.");
        return new Sides(warehouse, master.get());
    }
}
