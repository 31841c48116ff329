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
import org.junit.jupiter.params.provider.ValueSource;

/** R11: vector-store files beside the blob files of a group. */
class VectorStoreTest {

    private static final String TABLE = "db.t";

    @TempDir private Path warehouse;

    @Test
    void vectorsAndBlobsStayInTheirRows() throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            sides.writer()
                    .createTable(
                            TABLE,
                            TableDefinition.of("id", "INT", "v", "VECTOR<FLOAT, 2>", "b", "BLOB")
                                    .with("vector-field", "v")
                                    .with("vector.file.format", "json")
                                    .with("vector.target-file-size", "1 b")
                                    .with("file.compression", "none"));
            sides.writer().append(TABLE, rows(0, 12));
            sides.writer().append(TABLE, rows(12, 20));
            sides.writer().update(TABLE, List.of("b"), Map.of(3L, List.of(bytes("u3"))), Map.of());

            for (ReadRequest columns :
                    List.of(
                            ReadRequest.all(TABLE),
                            ReadRequest.all(TABLE).columns("b", "v"),
                            ReadRequest.all(TABLE).columns("v", "_ROW_ID"),
                            ReadRequest.all(TABLE).columns("v"),
                            ReadRequest.all(TABLE).columns("id", "v"),
                            ReadRequest.all(TABLE).columns("_ROW_ID", "b", "id"))) {
                sides.agreeOn(columns);
                sides.agreeOn(columns.range(2, 4).range(9, 13));
                sides.agreeOn(columns.range(3, 3).range(11, 11));
            }
        }
    }

    /** The formats of normal files know no vectors, not even as columns that are not there. */
    @ParameterizedTest
    @ValueSource(strings = {"parquet", "orc"})
    void rowsWithoutAVectorStoreFileHaveNoVector(String format) throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            PaimonWriter writer = sides.writer();
            writer.createTable(
                    TABLE,
                    TableDefinition.of("id", "INT", "b", "BLOB", "name", "STRING")
                            .with("file.format", format)
                            .with("vector.file.format", "json")
                            .with("file.compression", "none"));
            writer.append(
                    TABLE, List.of(List.of(0, bytes("b0"), "n0"), List.of(1, bytes("b1"), "n1")));
            writer.alter(
                    TABLE,
                    List.of(
                            SchemaEdit.of(SchemaEdit.Kind.ADD_COLUMN, "v", "VECTOR<FLOAT, 2>"),
                            SchemaEdit.of(SchemaEdit.Kind.SET_OPTION, "vector-field", "v")));

            assertThat(sides.read(ReadRequest.all(TABLE)))
                    .containsExactly("[0, b0, n0, null]", "[1, b1, n1, null]");
            assertThat(sides.read(ReadRequest.all(TABLE).columns("v", "id")))
                    .containsExactly("[null, 0]", "[null, 1]");
            assertThat(sides.read(ReadRequest.all(TABLE).columns("v").range(1, 1)))
                    .containsExactly("[null]");

            writer.append(TABLE, List.of(List.of(2, bytes("b2"), "n2", List.of(1f, 2f))));
            writer.update(TABLE, List.of("name"), Map.of(2L, List.of("new")), Map.of());

            assertThat(sides.readChanges(ReadRequest.all(TABLE), 3))
                    .containsExactly("[null, null, new, null]");
            assertThat(sides.read(ReadRequest.all(TABLE).columns("v", "name")))
                    .containsExactly("[null, n0]", "[null, n1]", "[[1.0, 2.0], new]");
        }
    }

    private static List<List<Object>> rows(int from, int to) {
        List<List<Object>> rows = new ArrayList<>();
        for (int i = from; i < to; i++) {
            rows.add(List.of(i, List.of((float) i, (float) -i), bytes("b" + i)));
        }
        return rows;
    }
}
