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
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.PluginWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest.Filter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest.Filter.Kind;
import org.apache.paimon.blobfallback.tests.bridge.SchemaEdit;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** R20: filters on tables that have global indexes of Paimon 2.0, its master and the host. */
class GlobalIndexTest {

    private static final String TABLE = "db.t";

    @TempDir private Path warehouse;

    private Sides sides;

    @BeforeEach
    void createTable() throws Exception {
        sides = new Sides(warehouse);
        sides.writer()
                .createTable(
                        TABLE,
                        TableDefinition.of(
                                "id", "INT", "a", "INT", "name", "STRING", "pic", "BLOB"));
        // Rows 0 to 9, of which 4 has no a.
        sides.writer().append(TABLE, rows(0, 9));
    }

    @AfterEach
    void closeSides() throws Exception {
        sides.close();
    }

    /** The host takes this format for its own, and finds no row in it. */
    @ParameterizedTest
    @ValueSource(strings = {"", "fast", "full", "detail"})
    void aBitmapOfPaimon2LosesNoRow(String mode) throws Exception {
        sides.writer().indexGlobally(TABLE, "a", "bitmap");
        sides.writer().append(TABLE, rows(10, 12));

        assertThat(ids(mode, between("a", 9, 9))).containsExactly("[9]");
        assertThat(ids(mode, between("a", 8, 11))).containsExactly("[8]", "[9]", "[10]", "[11]");
        assertThat(ids(mode, Filter.of("a", Kind.IS_NULL))).containsExactly("[4]");
        assertThat(ids(mode, Filter.of("a", Kind.IS_NOT_NULL))).hasSize(12);
    }

    @ParameterizedTest
    @CsvSource({
        "scalar-index.search-mode, full", "scalar-index.search-mode, detail",
        "global-index.search-mode, full", "global-index.search-mode, detail",
        "scalar-index.search-mode, fast", "global-index.search-mode, fast",
        "vector-index.search-mode, full"
    })
    void aBtreeOfPaimon2FindsInEachSearchModeWhatItFindsThere(String option, String mode)
            throws Exception {
        sides.writer().indexGlobally(TABLE, "a", "btree");
        sides.writer().append(TABLE, rows(10, 12));

        for (Filter filter :
                List.of(
                        between("a", 9, 9),
                        between("a", 11, 11),
                        between("a", 3, 11),
                        Filter.of("a", Kind.IS_NULL),
                        Filter.of("a", Kind.IS_NOT_NULL),
                        between("name", "n3", "n5"))) {
            sides.agreeOn(
                    ReadRequest.all(TABLE)
                            .columns("id", "pic", "a", "name")
                            .with(option, mode)
                            .where(filter));
        }
        boolean finds = !mode.equals("fast") && !option.startsWith("vector");
        assertThat(
                        sides.read(
                                ReadRequest.all(TABLE)
                                        .columns("id", "a")
                                        .with(option, mode)
                                        .where(between("a", 11, 11))))
                .isEqualTo(finds ? List.of("[11, 11]") : List.of());
    }

    @Test
    void theModeOfFiltersIsStrongerThanThatOfAllIndexes() throws Exception {
        sides.writer().indexGlobally(TABLE, "a", "btree");
        sides.writer().append(TABLE, rows(10, 12));

        sides.agreeOn(
                ReadRequest.all(TABLE)
                        .columns("id", "a")
                        .with("scalar-index.search-mode", "full")
                        .with("global-index.search-mode", "fast")
                        .where(between("a", 11, 11)));
    }

    /** Its own bitmaps are not used either: nothing tells them from those of Paimon 2.0. */
    @ParameterizedTest
    @CsvSource({"btree, full", "btree, detail", "bitmap, fast", "bitmap, full", "bitmap, detail"})
    void anIndexThatTheHostBuildsOnATableWithLayersLosesNoRow(String type, String mode)
            throws Exception {
        sides.writer().update(TABLE, List.of("pic"), Map.of(3L, List.of(bytes("new"))), Map.of());
        indexByHost(type);
        sides.writer().append(TABLE, rows(10, 12));

        assertThat(ids(mode, between("a", 8, 11))).containsExactly("[8]", "[9]", "[10]", "[11]");
        assertThat(ids(mode, Filter.of("a", Kind.IS_NULL))).containsExactly("[4]");
        assertThat(ids(mode, between("a", 3, 3))).containsExactly("[3]");
    }

    /** What docs/host-faults.md says of Paimon 2.0. */
    @Test
    void paimon2FailsOnABitmapOfTheHost() throws Exception {
        indexByHost("bitmap");

        assertThatThrownBy(
                        () ->
                                sides.agreeOn(
                                        ReadRequest.all(TABLE)
                                                .columns("id", "a")
                                                .where(between("a", 9, 9))))
                .hasStackTraceContaining("Cannot read the array length because \"buffer\" is null");
    }

    private void indexByHost(String type) throws Exception {
        try (PluginWriter writer = SharedRuntimes.hostBehindPlugin().find(PluginWriter.class)) {
            writer.open(Map.of("warehouse", warehouse.toString(), "metastore", "blob-fallback"));
            writer.indexGlobally(TABLE, "a", type);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"btree", "bitmap"})
    void anIndexOfMasterLosesNoRow(String type) throws Exception {
        assumeTrue(SharedRuntimes.paimonMaster().isPresent());
        try (Sides master = new Sides(warehouse, SharedRuntimes.paimonMaster().get())) {
            master.writer().indexGlobally(TABLE, "a", type);
            master.writer().append(TABLE, rows(10, 12));
        }

        assertThat(ids("full", between("a", 8, 11))).containsExactly("[8]", "[9]", "[10]", "[11]");
        assertThat(ids("detail", Filter.of("a", Kind.IS_NULL))).containsExactly("[4]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fast", "full", "detail"})
    void rowsWhoseValueWasRewrittenAfterTheIndexWasBuiltAreFound(String mode) throws Exception {
        sides.writer().indexGlobally(TABLE, "a", "btree");
        sides.writer().update(TABLE, List.of("a"), Map.of(3L, List.of(77)), Map.of());

        assertThat(ids(mode, between("a", 77, 77))).containsExactly("[3]");
        assertThat(ids(mode, between("a", 3, 3))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fast", "full", "detail"})
    void rowsOfAColumnWhoseTypeHasChangedSinceAreFound(String mode) throws Exception {
        sides.writer().indexGlobally(TABLE, "a", "btree");
        sides.writer()
                .alter(TABLE, List.of(SchemaEdit.of(SchemaEdit.Kind.CHANGE_TYPE, "a", "BIGINT")));

        assertThat(ids(mode, between("a", 9L, 9L))).containsExactly("[9]");
    }

    @Test
    void theEmptyStringIsFound() throws Exception {
        sides.writer().append(TABLE, List.of(Arrays.asList(10, 10, "", bytes("p10"))));
        sides.writer().indexGlobally(TABLE, "name", "btree");

        assertThat(ids("full", between("name", "", ""))).containsExactly("[10]");
        assertThat(ids("fast", between("name", "", "n1"))).containsExactly("[0]", "[1]", "[10]");
    }

    @Test
    void anIndexOnOneOfTwoPartitionsHidesNoRowOfTheOther() throws Exception {
        String table = "db.p";
        sides.writer()
                .createTable(
                        table,
                        TableDefinition.of("pt", "INT", "a", "INT", "pic", "BLOB")
                                .partitionedBy("pt"));
        for (int i = 0; i < 3; i++) {
            sides.writer().append(table, List.of(List.of(i % 2, i, bytes("p" + i))));
        }
        sides.writer().indexGlobally(table, "a", "btree");
        sides.writer().append(table, List.of(List.of(1, 3, bytes("p3"))));

        for (int a = 0; a < 4; a++) {
            assertThat(
                            sides.read(
                                    ReadRequest.all(table)
                                            .columns("a", "pic")
                                            .with("scalar-index.search-mode", "full")
                                            .where(between("a", a, a))))
                    .containsExactly("[" + a + ", p" + a + "]");
        }
    }

    /** Ids of the rows; the filter's column is read too, for the rows to be filtered by it. */
    private List<String> ids(String mode, Filter filter) throws Exception {
        ReadRequest request = ReadRequest.all(TABLE).columns("id", "a", "name").where(filter);
        return sides
                .read(mode.isEmpty() ? request : request.with("scalar-index.search-mode", mode))
                .stream()
                .map(row -> row.substring(0, row.indexOf(',')) + "]")
                .toList();
    }

    private static Filter between(String column, Object from, Object to) {
        return Filter.of(column, Kind.BETWEEN, from, to);
    }

    private static List<List<Object>> rows(int from, int to) {
        List<List<Object>> rows = new ArrayList<>();
        for (int id = from; id <= to; id++) {
            rows.add(Arrays.asList(id, id == 4 ? null : id, "n" + id, bytes("p" + id)));
        }
        return rows;
    }
}
