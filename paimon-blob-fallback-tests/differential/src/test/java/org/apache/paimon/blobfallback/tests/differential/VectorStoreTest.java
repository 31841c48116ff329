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

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    private static List<List<Object>> rows(int from, int to) {
        List<List<Object>> rows = new ArrayList<>();
        for (int i = from; i < to; i++) {
            rows.add(List.of(i, List.of((float) i, (float) -i), bytes("b" + i)));
        }
        return rows;
    }
}
