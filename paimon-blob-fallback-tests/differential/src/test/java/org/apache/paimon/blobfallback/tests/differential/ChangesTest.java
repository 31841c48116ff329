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

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * R15: a read of what one snapshot has changed sees the files of that snapshot alone. Of a partial
 * update these are the rows of the touched groups: the new values, and null wherever the snapshot
 * says nothing. Paimon 2.0 fails on such rows, as it hands out its placeholders.
 */
class ChangesTest {

    private static final String TABLE = "db.t";
    private static final ReadRequest ROWS =
            ReadRequest.all(TABLE).columns("_ROW_ID", "p", "id", "b", "c");

    @TempDir private Path warehouse;

    @Test
    void changesOfAnAppendAreItsRows() throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            write(sides);

            assertThat(sides.readChanges(ROWS, 1))
                    .containsExactly("[0, x, 0, b0, c0]", "[1, x, 1, b1, c1]", "[2, x, 2, b2, c2]");
        }
    }

    @Test
    void changesOfAPartialUpdateAreItsValuesAndNullElsewhere() throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            write(sides);

            assertThat(sides.readChanges(ROWS, 2))
                    .containsExactly(
                            "[0, x, null, null, null]",
                            "[1, x, null, new, null]",
                            "[2, x, null, null, null]");
            assertThat(
                            sides.readChanges(
                                    ReadRequest.all(TABLE)
                                            .columns("b", "_ROW_ID", "_SEQUENCE_NUMBER"),
                                    2))
                    .containsExactly("[null, 0, -1]", "[new, 1, 2]", "[null, 2, -1]");
            assertThat(sides.readChanges(ReadRequest.all(TABLE).columns("_ROW_ID", "p"), 2))
                    .containsExactly("[0, x]", "[1, x]", "[2, x]");
        }
    }

    @Test
    void rowsBetweenTwoSnapshotsAreReadByTheSameRules() throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            write(sides);

            assertThat(sides.read(ROWS.with("incremental-between", "0,2")))
                    .containsExactly(
                            "[0, x, 0, b0, c0]", "[1, x, 1, new, c1]", "[2, x, 2, b2, c2]");
        }
    }

    private static void write(Sides sides) throws Exception {
        sides.writer()
                .createTable(
                        TABLE,
                        TableDefinition.of("p", "STRING", "id", "INT", "b", "BLOB", "c", "BLOB")
                                .partitionedBy("p"));
        sides.writer()
                .append(
                        TABLE,
                        List.of(
                                Arrays.asList("x", 0, bytes("b0"), bytes("c0")),
                                Arrays.asList("x", 1, bytes("b1"), bytes("c1")),
                                Arrays.asList("x", 2, bytes("b2"), bytes("c2"))));
        sides.writer().update(TABLE, List.of("b"), Map.of(1L, List.of(bytes("new"))), Map.of());
    }
}
