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

package org.apache.paimon.blobfallback.table;

import static org.apache.paimon.blobfallback.testtable.BlobLayer.PLACEHOLDER;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.blobfallback.testtable.TableRows;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** R21: a table is read at another time under the schema of that time, with its layers. */
class TableInTimeTest {

    private static final Map<String, String> ON = Map.of("blob-fallback.enabled", "true");

    @TempDir java.nio.file.Path folder;

    @ParameterizedTest
    @CsvSource({"scan.snapshot-id, 2", "scan.tag-name, before", "scan.version, before"})
    void aBlobColumnThatWasDroppedSinceReadsWithItsLayers(String option, String value)
            throws Exception {
        LayeredTable table = layersOfADroppedColumn();

        FileStoreTable now = BlobFallback.wrap(table.stock()).copy(ON);
        assertThat(now.rowType().getFieldNames()).containsExactly("id");
        assertThat(TableRows.of(now).rows()).isEqualTo(ids(0, 1, 2, 3));
        FileStoreTable then = now.copy(Map.of(option, value));
        assertThat(TableRows.of(then).columns("id", "b").rows())
                .containsExactly(
                        List.of(0, "old0"),
                        List.of(1, "NEW1"),
                        List.of(2, "old2"),
                        List.of(3, "NEW3"));
        assertThat(TableRows.of(BlobFallback.layers(then)).columns("layer").values())
                .containsExactly(1, 2);
        assertThat(BlobFallback.verify(then).faults()).isEmpty();
    }

    @Test
    void aTableThatWasCopiedToBeforeItsColumnsKeepsItsWrapper() throws Exception {
        LayeredTable table = LayeredTable.create(LocalFileIO.create(), folder, schemaOfIds());
        table.append(table.stock().rowType(), List.of(GenericRow.of(0)));
        table.alter(SchemaChange.addColumn("pic", DataTypes.BLOB()));
        table.append(table.stock().rowType(), List.of(GenericRow.of(1, LayeredTable.blob("old1"))));
        table.layer("pic").file(1, "NEW1").commit();

        FileStoreTable before = table.table().copy(Map.of("scan.snapshot-id", "1"));
        assertThat(before.rowType().getFieldNames()).containsExactly("id");
        assertThat(TableRows.of(before).rows()).isEqualTo(ids(0));
        for (FileStoreTable after :
                List.of(
                        before.copyWithLatestSchema().copy(Map.of("scan.snapshot-id", "3")),
                        before.copy(Map.of("scan.snapshot-id", "3")))) {
            assertThat(TableRows.of(after).columns("id", "pic").rows())
                    .containsExactly(Arrays.asList(0, null), List.of(1, "NEW1"));
        }
    }

    @Test
    void aBranchWithoutBlobColumnsLeadsBackToOneThatHasThem() throws Exception {
        LayeredTable table = LayeredTable.create(LocalFileIO.create(), folder, schemaOfIds());
        table.append(table.stock().rowType(), List.of(GenericRow.of(0)));
        table.stock().createTag("bare");
        table.stock().createBranch("bare", "bare");
        table.alter(SchemaChange.addColumn("pic", DataTypes.BLOB()));
        table.append(table.stock().rowType(), List.of(GenericRow.of(1, LayeredTable.blob("old1"))));
        table.layer("pic").file(1, "NEW1").commit();

        FileStoreTable bare = BlobFallback.wrap(table.stock()).switchToBranch("bare");
        assertThat(bare.rowType().getFieldNames()).containsExactly("id");
        assertThat(TableRows.of(bare.switchToBranch("main").copy(ON)).columns("pic").values())
                .containsExactly(null, "NEW1");
    }

    @Test
    void aPairOfBranchesReadsAColumnThatWasDroppedSince() throws Exception {
        LayeredTable table = layersOfADroppedColumn();
        table.stock().createBranch("other", "before");
        table.alter(SchemaChange.setOption("scan.fallback-branch", "other"));

        FileStoreTable pair = BlobFallback.wrap(table.stock()).copy(ON);
        assertThat(TableRows.of(pair.copy(Map.of("scan.snapshot-id", "2"))).columns("b").values())
                .containsExactly("old0", "NEW1", "old2", "NEW3");
    }

    /** R15: changes between tags are those between their snapshots. */
    @ParameterizedTest
    @CsvSource({"incremental-between, 'one,two'", "incremental-between, '1,2'"})
    void changesOfAnUpdateAreItsValuesAndNullElsewhere(String option, String between)
            throws Exception {
        LayeredTable table = tagged();

        assertThat(
                        TableRows.of(table.table().copy(Map.of(option, between)))
                                .columns("_ROW_ID", "name", "pic")
                                .rows())
                .containsExactly(Arrays.asList(0L, null, null), Arrays.asList(1L, null, "new"));
    }

    @ParameterizedTest
    @CsvSource({
        "incremental-between, 'two,three', auto",
        "incremental-between, '2,3', diff",
        "incremental-between, '2,3', delta"
    })
    void changesOfAnAppendAreItsRows(String option, String between, String mode) throws Exception {
        LayeredTable table = tagged();

        assertThat(
                        TableRows.of(
                                        table.table()
                                                .copy(
                                                        Map.of(
                                                                option,
                                                                between,
                                                                "incremental-between-scan-mode",
                                                                mode)))
                                .columns("_ROW_ID", "id", "pic", "doc")
                                .rows())
                .containsExactly(List.of(2L, 2, "pic2", "doc2"));
    }

    /** An update of two rows, then an append of one; a tag at each snapshot. */
    private LayeredTable tagged() throws Exception {
        LayeredTable table = LayeredTable.create(LocalFileIO.create(), folder);
        table.append(0, 1);
        table.layer("pic").file(0, PLACEHOLDER, "new").commit();
        table.append(2, 2);
        table.stock().createTag("one", 1);
        table.stock().createTag("two", 2);
        table.stock().createTag("three", 3);
        return table;
    }

    private LayeredTable layersOfADroppedColumn() throws Exception {
        Schema schema =
                LayeredTable.options(
                                Schema.newBuilder()
                                        .column("id", DataTypes.INT())
                                        .column("b", DataTypes.BLOB()))
                        .build();
        LayeredTable table = LayeredTable.create(LocalFileIO.create(), folder, schema);
        List<GenericRow> rows = new ArrayList<>();
        for (int id = 0; id < 4; id++) {
            rows.add(GenericRow.of(id, LayeredTable.blob("old" + id)));
        }
        table.append(table.stock().rowType(), rows);
        table.layer("b").file(0, PLACEHOLDER, "NEW1", PLACEHOLDER, "NEW3").commit();
        table.stock().createTag("before");
        table.alter(SchemaChange.dropColumn("b"));
        return table;
    }

    private static Schema schemaOfIds() {
        return LayeredTable.options(Schema.newBuilder().column("id", DataTypes.INT())).build();
    }

    private static List<List<Object>> ids(Object... ids) {
        return Arrays.stream(ids).map(List::of).toList();
    }
}
