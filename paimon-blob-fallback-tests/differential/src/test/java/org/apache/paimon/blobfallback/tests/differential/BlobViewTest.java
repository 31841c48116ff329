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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.apache.paimon.blobfallback.tests.bridge.ViewOf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** R11: blob views, which Paimon 2.0 has added, beside blob-file columns. */
class BlobViewTest {

    private static final String PICTURES = "db.pictures";
    private static final String ALBUM = "db.album";

    @TempDir private Path warehouse;

    @Test
    void viewsHandOutTheNewestBlobsOfTheirTables() throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            write(sides);

            for (ReadRequest columns :
                    List.of(
                            ReadRequest.all(ALBUM),
                            ReadRequest.all(ALBUM).columns("picture"),
                            ReadRequest.all(ALBUM).columns("note", "picture", "_ROW_ID"),
                            ReadRequest.all(ALBUM).columns("id", "note"))) {
                sides.agreeOn(columns);
                sides.agreeOn(columns.range(1, 2));
                sides.agreeOn(columns.with("blob-as-descriptor", "true"));
            }
            assertThat(sides.read(ReadRequest.all(ALBUM).columns("id", "picture")))
                    .containsExactly("[0, p2]", "[1, new p1]", "[2, null]", "[3, null]");
        }
    }

    @Test
    void aViewOfARowThatDoesNotExistIsRefused() throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            write(sides);
            sides.writer()
                    .append(ALBUM, List.of(Arrays.asList(9, new ViewOf(PICTURES, 1, 77), null)));

            assertThatThrownBy(() -> sides.reader().read(ReadRequest.all(ALBUM)))
                    .hasStackTraceContaining("column picture of table db.album")
                    .hasStackTraceContaining("table db.pictures, field id 1, row id 77");
        }
    }

    @Test
    void viewThatIsNotToBeResolvedIsRefused() throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            write(sides);

            assertThatThrownBy(
                            () ->
                                    sides.reader()
                                            .read(
                                                    ReadRequest.all(ALBUM)
                                                            .with(
                                                                    "blob-view.resolve.enabled",
                                                                    "false")))
                    .hasStackTraceContaining("Column picture of table db.album is a blob view");
        }
    }

    private static void write(Sides sides) throws Exception {
        sides.writer().createTable(PICTURES, TableDefinition.of("id", "INT", "b", "BLOB"));
        sides.writer()
                .append(
                        PICTURES,
                        List.of(
                                Arrays.asList(0, null),
                                List.of(1, bytes("p1")),
                                List.of(2, bytes("p2"))));
        sides.writer()
                .update(PICTURES, List.of("b"), Map.of(1L, List.of(bytes("new p1"))), Map.of());
        sides.writer()
                .createTable(
                        ALBUM,
                        TableDefinition.of("id", "INT", "picture", "BLOB", "note", "BLOB")
                                .with("blob-field", "picture,note")
                                .with("blob-view-field", "picture"));
        sides.writer()
                .append(
                        ALBUM,
                        List.of(
                                List.of(0, new ViewOf(PICTURES, 1, 2), bytes("n0")),
                                List.of(1, new ViewOf(PICTURES, 1, 1), bytes("n1")),
                                Arrays.asList(2, new ViewOf(PICTURES, 1, 0), bytes("n2")),
                                Arrays.asList(3, null, bytes("n3"))));
        sides.writer()
                .update(ALBUM, List.of("note"), Map.of(1L, List.of(bytes("new n1"))), Map.of());
    }
}
