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
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.table.source.Split;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups that a blob file joins from several ranges of normal files. */
class OddLayoutsTest {

    @TempDir private java.nio.file.Path folder;

    private final CountingFileIO fileIO = CountingFileIO.vectored();
    private LayeredTable table;

    @BeforeEach
    void createTable() throws Exception {
        table = LayeredTable.create(fileIO, folder);
    }

    @AfterEach
    void everyStreamIsClosed() {
        fileIO.assertNothingOpen();
    }

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

    @Test
    void normalFilesThatOverlapInPartAreAnErrorThatNamesThem() throws Exception {
        table.append(0, 2).append(3, 5);
        List<DataFileMeta> files =
                table.files().stream()
                        .filter(file -> file.fileName().endsWith(".avro"))
                        .map(file -> file.assignFirstRowId(file.nonNullFirstRowId() / 2))
                        .toList();

        assertThatThrownBy(() -> RowIdGroup.of(files))
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
