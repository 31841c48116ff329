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

package org.apache.paimon.blobfallback.read;

import static org.apache.paimon.blobfallback.testtable.BlobLayer.PLACEHOLDER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.blobfallback.testtable.OnLayeredTable;
import org.apache.paimon.blobfallback.testtable.TableRows;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.Test;

/** Groups that a blob file joins from several ranges of normal files. */
class OddLayoutsTest extends OnLayeredTable {

    @Test
    void aBlobFileOverSeveralRangesOfNormalFilesIsReadRangeByRange() throws Exception {
        table.append(0, 2).append(3, 5);
        table.layer("pic").file(0, "p0", PLACEHOLDER, null, "p3", PLACEHOLDER, "p5").commit();

        assertThat(table.read("id", "pic", "doc", "_ROW_ID").rows())
                .containsExactly(
                        List.of(0, "p0", "doc0", 0L),
                        List.of(1, "pic1", "doc1", 1L),
                        Arrays.asList(2, null, "doc2", 2L),
                        List.of(3, "p3", "doc3", 3L),
                        List.of(4, "pic4", "doc4", 4L),
                        List.of(5, "p5", "doc5", 5L));
        assertThat(table.read("pic").values())
                .containsExactly("p0", "pic1", null, "p3", "pic4", "p5");
        assertThat(table.read("pic", "id").range(2, 3).rows())
                .containsExactly(Arrays.asList(null, 2), List.of("p3", 3));
    }

    @Test
    void aBlobFileOverTheEndOfOneRangeAndTheStartOfTheNextReadsInBoth() throws Exception {
        table.append(0, 2).append(3, 5);
        table.layer("pic").file(2, "p2", "p3").commit();

        assertThat(table.read("id", "pic").rows())
                .containsExactly(
                        List.of(0, "pic0"),
                        List.of(1, "pic1"),
                        List.of(2, "p2"),
                        List.of(3, "p3"),
                        List.of(4, "pic4"),
                        List.of(5, "pic5"));
        assertThat(rowCount()).isEqualTo(6);
    }

    @Test
    void blobsOfRowsThatNoNormalFileHasAreNoRows() throws Exception {
        table.append(0, 2);
        table.layer("pic").file(1, "p1", "p2").commit();
        table.append(3, 4);
        table.layer("pic").file(2, "q2", "q3").commit();

        assertThat(table.read("pic").values()).containsExactly("pic0", "p1", "q2", "q3", "pic4");
        assertThat(table.read("id").values()).containsExactly(0, 1, 2, 3, 4);
        assertThat(rowCount()).isEqualTo(5);
    }

    /** A plan may not keep the normal files of one range and leave out those of the next. */
    @Test
    void whereOneRangeNeedsItsNormalFileTheOthersOfTheSameBlobFileKeepTheirRows() throws Exception {
        table.append(0, 2).append(3, 5);
        table.alter(SchemaChange.addColumn("late", DataTypes.BLOB()));
        table.layer("late").file(2, "l2", "l3", PLACEHOLDER, "l5").commit();

        assertThat(table.read("late").values()).containsExactly(null, null, "l2", "l3", null, "l5");
        assertThat(table.read("_ROW_ID", "late").range(1, 4).rows())
                .containsExactly(
                        Arrays.asList(1L, null),
                        List.of(2L, "l2"),
                        List.of(3L, "l3"),
                        Arrays.asList(4L, null));
        assertThat(rowCount()).isEqualTo(6);
    }

    @Test
    void blobsOfRowsThatNoNormalFileHasAreNoRowsWhereNoNormalColumnIsRead() throws Exception {
        table.append(0, 2);
        table.layer("pic").file(1, "p1", PLACEHOLDER, "p3").commit();

        assertThat(table.read("pic").values()).containsExactly("pic0", "p1", "pic2");
        assertThat(table.read("_ROW_ID", "pic").range(2, 3).rows())
                .containsExactly(List.of(2L, "pic2"));
        assertThat(table.read("doc", "pic").rows()).hasSize(3);
        assertThat(rowCount()).isEqualTo(3);
    }

    /** R24 */
    @Test
    void aBlobFileOverSeveralRangesHasOneRowInTheTableOfLayers() throws Exception {
        writeOverTwoRanges();

        assertThat(layers("column_name", "first_row_id", "last_row_id", "layer", "winner_count"))
                .containsExactlyInAnyOrder(
                        List.of("pic", 0L, 2L, 2, 2L),
                        List.of("pic", 3L, 5L, 3, 1L),
                        // The second layer of rows 3 to 5 and the first of the others.
                        List.of("pic", 2L, 5L, 2, 2L),
                        List.of("pic", 3L, 5L, 1, 1L),
                        List.of("doc", 0L, 2L, 1, 3L),
                        List.of("doc", 3L, 5L, 1, 3L));
        assertThat(layers("superseded_bytes").stream().mapToLong(row -> (Long) row.get(0)).sum())
                // pic2, pic3, pic4 and p4.
                .isEqualTo(3 * (16 + 4) + 16 + 2);
    }

    /** R24 */
    @Test
    void entriesWithoutARowAreSupersededAndAFileOfSuchEntriesIsInNoLayer() throws Exception {
        table.append(0, 2);
        table.layer("pic").file(1, PLACEHOLDER, "p2", "p3", "p4").commit();
        table.layer("pic").file(4, "q4").commit();

        assertThat(layers("column_name", "first_row_id", "layer", "winner_count"))
                .containsExactlyInAnyOrder(
                        List.of("pic", 0L, 2, 2L),
                        List.of("pic", 1L, 1, 1L),
                        List.of("pic", 4L, 0, 0L),
                        List.of("doc", 0L, 1, 3L));
        assertThat(table.read("pic").values()).containsExactly("pic0", "pic1", "p2");
    }

    /** R24 */
    @Test
    void aPictureShowsTheRowsOfItsGroupAlone() throws Exception {
        writeOverTwoRanges();

        assertThat(BlobFallback.drawLayers(table.table(), "pic", 1).lines())
                .contains(
                        "Table table, column pic, row ids 0 to 2, layers: 2",
                        "    1                3  |  D|",
                        "    2                1  |DDd|");
        assertThat(BlobFallback.drawLayers(table.table(), "pic", 5).lines())
                .contains(
                        "Table table, column pic, row ids 3 to 5, layers: 3",
                        "    1                4  |.D.|",
                        "    2                3  |Dd.|",
                        "    3                2  |ddD|");
    }

    /** R24 */
    @Test
    void aBlobFileOverSeveralRangesIsNotAFaultButAnOverlapInALayerIs() throws Exception {
        writeOverTwoRanges();
        assertThat(BlobFallback.verify(table.table()).faults()).isEmpty();

        table.layer("pic").sequence(3).file(5, "again").commit();

        assertThat(BlobFallback.verify(table.table()).faults())
                .singleElement()
                .asString()
                .contains("must not overlap", "sequence number 3", "[2, 5]", "[5, 5]");
    }

    /** A blob file of rows 2 to 5 over the ranges 0 to 2 and 3 to 5, and an update on top. */
    private void writeOverTwoRanges() throws Exception {
        table.append(0, 2).append(3, 5);
        table.layer("pic").file(2, "p2", "p3", "p4", PLACEHOLDER).commit();
        try (BlobUpdate update = BlobFallback.newUpdateBuilder(table.table()).newUpdate()) {
            update.set(4, "pic", LayeredTable.blob("u4")).commit();
        }
    }

    private List<List<Object>> layers(String... columns) throws Exception {
        return TableRows.of(BlobFallback.layers(table.table())).columns(columns).rows();
    }

    @Test
    void normalFilesThatOverlapInPartAreAnErrorThatNamesThem() throws Exception {
        table.append(0, 2).append(3, 5);
        List<DataFileMeta> files =
                table.files().stream()
                        .filter(file -> file.fileName().endsWith(".avro"))
                        .map(file -> file.assignFirstRowId(file.nonNullFirstRowId() / 2))
                        .toList();

        assertThatThrownBy(() -> Group.ofFiles(files))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(files.get(0).fileName())
                .hasMessageContaining(files.get(1).fileName());
    }

    private long rowCount() {
        return table.table().newReadBuilder().newScan().plan().splits().stream()
                .map(Split::mergedRowCount)
                .mapToLong(count -> count.getAsLong())
                .sum();
    }
}
