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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.SchemaEdit;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * R2, R6, R9: with {@code scan.fallback-branch} a partition that the main branch lacks comes from
 * the other branch. Both branches have partial updates of their own, over the same row ids.
 */
class FallbackBranchTest {

    private static final String TABLE = "db.t";
    private static final String SIDE = "db.t$branch_side";

    @TempDir private Path warehouse;

    @ParameterizedTest
    @CsvSource({"false, false", "true, true", "true, false", "false, true"})
    void eachBranchIsReadWithItsOwnLayers(boolean mainHasVectors, boolean sideHasVectors)
            throws Exception {
        List<String> rows = rows(mainHasVectors, sideHasVectors);
        try (Sides sides = new Sides(warehouse)) {
            write(sides.writer(), mainHasVectors, sideHasVectors);
            sides.writer().alter(TABLE, set("scan.fallback-branch", "side"));

            for (ReadRequest columns :
                    List.of(
                            ReadRequest.all(TABLE),
                            ReadRequest.all(TABLE).columns("b"),
                            ReadRequest.all(TABLE).columns("b", "part", "_ROW_ID"),
                            ReadRequest.all(TABLE).columns("id", "part"))) {
                sides.agreeOn(columns);
                sides.agreeOn(columns.range(1, 3));
                sides.agreeOn(columns.with("blob-as-descriptor", "true"));
                assertThat(sides.reader().count(columns)).hasValue(rows.size());
            }
            assertThat(sides.read(ReadRequest.all(TABLE).columns("part", "id", "b")))
                    .containsExactlyInAnyOrderElementsOf(rows);
        }
    }

    @Test
    void aPrimaryBranchComesBeforeTheTable() throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            write(sides.writer(), true, true);
            sides.writer().alter(TABLE, set("scan.primary-branch", "side"));

            sides.agreeOn(ReadRequest.all(TABLE));
            assertThat(sides.reader().count(ReadRequest.all(TABLE))).hasValue(3);
            assertThat(sides.read(ReadRequest.all(TABLE).columns("part", "id", "b")))
                    .containsExactlyInAnyOrder(
                            "[main, 0, hidden]", "[main, 2, a2]", "[side, 4, side]");
        }
    }

    /** Rows 2 and 3 are deleted where their branch has deletion vectors. */
    private static List<String> rows(boolean mainHasVectors, boolean sideHasVectors) {
        List<String> rows =
                new ArrayList<>(List.of("[main, 0, a0]", "[main, 1, main]", "[side, 4, side]"));
        if (!mainHasVectors) {
            rows.add("[main, 2, a2]");
        }
        if (!sideHasVectors) {
            rows.add("[side, 3, b3]");
        }
        return rows;
    }

    private static void write(PaimonWriter writer, boolean mainHasVectors, boolean sideHasVectors)
            throws Exception {
        writer.createTable(
                TABLE,
                TableDefinition.of("id", "INT", "b", "BLOB", "part", "STRING")
                        .partitionedBy("part")
                        .with("deletion-vectors.modifiable", "true")
                        .with("deletion-vectors.enabled", Boolean.toString(mainHasVectors)));
        writer.append(
                TABLE,
                List.of(
                        List.of(0, bytes("a0"), "main"),
                        List.of(1, bytes("a1"), "main"),
                        List.of(2, bytes("a2"), "main")));
        writer.createTag(TABLE, "start");
        writer.createBranch(TABLE, "side", "start");
        writer.alter(SIDE, set("deletion-vectors.enabled", Boolean.toString(sideHasVectors)));
        writer.update(TABLE, List.of("b"), Map.of(1L, List.of(bytes("main"))), Map.of());
        writer.update(SIDE, List.of("b"), Map.of(0L, List.of(bytes("hidden"))), Map.of());
        writer.append(
                SIDE, List.of(List.of(3, bytes("b3"), "side"), List.of(4, bytes("b4"), "side")));
        writer.update(SIDE, List.of("b"), Map.of(4L, List.of(bytes("side"))), Map.of());
        if (mainHasVectors) {
            writer.delete(TABLE, List.of(2L));
        }
        if (sideHasVectors) {
            writer.delete(SIDE, List.of(1L, 3L));
        }
    }

    private static List<SchemaEdit> set(String key, String value) {
        return List.of(SchemaEdit.of(SchemaEdit.Kind.SET_OPTION, key, value));
    }
}
