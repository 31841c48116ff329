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
import java.util.ArrayList;
import java.util.Arrays;
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

/** R9: deletion vectors of Paimon 2.0 on data-evolution tables, which the host refuses to load. */
class DeletionVectorTest {

    private static final String TABLE = "db.t";

    @TempDir private Path warehouse;

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void deletedRowsVanishFromEveryProjection(String bitmap64) throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            write(sides.writer(), bitmap64);

            for (ReadRequest request : requests()) {
                sides.agreeOn(request);
            }
            assertThat(sides.read(ReadRequest.all(TABLE).columns("id")))
                    .doesNotContain("[3]", "[4]", "[11]")
                    .hasSize(17);
        }
    }

    /** The last blob column is dropped, and the table read as it was before. */
    @ParameterizedTest
    @ValueSource(strings = {"scan.tag-name=before", "scan.snapshot-id=5"})
    void aTableThatHasNoBlobsAnyMoreReadsAsItWas(String travel) throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            write(sides.writer(), "false");
            sides.writer().createTag(TABLE, "before");
            sides.writer()
                    .alter(
                            TABLE,
                            List.of(
                                    SchemaEdit.of(SchemaEdit.Kind.DROP_COLUMN, "b"),
                                    SchemaEdit.of(SchemaEdit.Kind.DROP_COLUMN, "c")));
            String[] option = travel.split("=");
            ReadRequest before = ReadRequest.all(TABLE).with(option[0], option[1]);

            sides.agreeOn(before);
            sides.agreeOn(before.columns("b", "_ROW_ID"));
            assertThat(sides.read(before.columns("id", "b")))
                    .hasSize(17)
                    .contains("[5, u5]", "[12, b12]")
                    .doesNotContain("[3, u3]");
            assertThat(sides.read(ReadRequest.all(TABLE))).hasSize(17).contains("[5]");
        }
    }

    @Test
    void withoutTheOptionTheTableLoadsAndItsReadSaysWhatToDo() throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            write(sides.writer(), "false");

            assertThatThrownBy(
                            () ->
                                    sides.reader()
                                            .read(
                                                    ReadRequest.all(TABLE)
                                                            .with(
                                                                    "blob-fallback.enabled",
                                                                    "false")))
                    .hasMessageContaining("Table db.t has both 'data-evolution.enabled'")
                    .hasMessageContaining("'blob-fallback.enabled' = 'true'");
        }
    }

    /** Two groups of ten rows; updates before and after the deletions. */
    private static void write(PaimonWriter writer, String bitmap64) throws Exception {
        writer.createTable(
                TABLE,
                TableDefinition.of("id", "INT", "b", "BLOB", "c", "BLOB")
                        .with("deletion-vectors.enabled", "true")
                        .with("deletion-vectors.bitmap64", bitmap64));
        writer.append(TABLE, rows(0, 10));
        writer.append(TABLE, rows(10, 20));
        writer.update(
                TABLE,
                List.of("b"),
                Map.of(3L, List.of(bytes("u3")), 5L, List.of(bytes("u5"))),
                Map.of());
        writer.delete(TABLE, List.of(3L, 4L, 11L));
        writer.update(TABLE, List.of("c"), Map.of(12L, List.of(bytes("v12"))), Map.of());
    }

    private static List<ReadRequest> requests() {
        List<ReadRequest> requests = new ArrayList<>();
        for (ReadRequest columns :
                List.of(
                        ReadRequest.all(TABLE),
                        ReadRequest.all(TABLE).columns("b"),
                        ReadRequest.all(TABLE).columns("c", "id"),
                        ReadRequest.all(TABLE).columns("b", "_ROW_ID", "c", "_SEQUENCE_NUMBER"),
                        ReadRequest.all(TABLE).columns("_ROW_ID"),
                        ReadRequest.all(TABLE).columns("_SEQUENCE_NUMBER", "_ROW_ID"),
                        ReadRequest.all(TABLE).columns("id"))) {
            requests.add(columns);
            requests.add(columns.range(2, 4).range(11, 13));
            requests.add(columns.range(3, 3));
            requests.add(columns.range(0, 19));
        }
        return requests;
    }

    private static List<List<Object>> rows(int from, int to) {
        List<List<Object>> rows = new ArrayList<>();
        for (int i = from; i < to; i++) {
            rows.add(Arrays.asList(i, bytes("b" + i), i % 4 == 0 ? null : bytes("c" + i)));
        }
        return rows;
    }
}
