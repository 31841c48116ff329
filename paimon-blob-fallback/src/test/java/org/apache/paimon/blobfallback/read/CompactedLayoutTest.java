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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.paimon.blobfallback.testtable.OnLayeredTable;
import org.apache.paimon.blobfallback.testtable.TableRows;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The layout that compaction leaves: what were several groups are one, so that each layer has gaps
 * where the others were written.
 *
 * <pre>
 * row id    0    1    2    3    4    5    6    7    8    9
 * layer 1  [a0   a1   a2   a3]                               first group, appended
 * layer 2                      [b4   b5   b6] [b7   b8   b9]  second group, two files
 * layer 5  [-    c1   -    null]                              update of the first group
 * layer 7                      [d4   -    -    -    null -]   update of the second group
 * winner    a0   c1   a2  null  d4   b5   b6   b7  null  b9
 * </pre>
 */
class CompactedLayoutTest extends OnLayeredTable {

    private static final List<Object> WINNERS =
            Arrays.asList("a0", "c1", "a2", null, "d4", "b5", "b6", "b7", null, "b9");
    private static final List<Long> LAYERS = List.of(1L, 5L, 1L, 5L, 7L, 2L, 2L, 2L, 7L, 2L);

    @BeforeEach
    void writeLayers() throws Exception {
        table.appendWithoutBlobs(0, 9);
        table.layer("pic").sequence(1).file(0, "a0", "a1", "a2", "a3").commit();
        table.layer("pic").sequence(2).file(4, "b4", "b5", "b6").file(7, "b7", "b8", "b9").commit();
        table.layer("pic").sequence(5).file(0, PLACEHOLDER, "c1", PLACEHOLDER, null).commit();
        table.layer("pic")
                .sequence(7)
                .file(4, "d4", PLACEHOLDER, PLACEHOLDER, PLACEHOLDER, null, PLACEHOLDER)
                .commit();
    }

    /** R2, R3, R5. */
    @Test
    void theWholeTableReadsAsItsWinners() throws IOException {
        assertThat(table.read("pic").values()).isEqualTo(WINNERS);
        assertThat(table.read("id", "pic").values()).isEqualTo(WINNERS);
        assertThat(table.read("pic", "_ROW_ID", "_SEQUENCE_NUMBER").rows()).isEqualTo(rows(0, 9));
    }

    /** R4, R6: each row alone. */
    @Test
    void eachRowReadsAloneAsItsWinner() throws IOException {
        for (int rowId = 0; rowId <= 9; rowId++) {
            assertThat(read().range(rowId, rowId).rows()).isEqualTo(rows(rowId, rowId));
            assertThat(table.read("name", "pic").range(rowId, rowId).rows())
                    .containsExactly(Arrays.asList("name" + rowId, WINNERS.get(rowId)));
        }
    }

    /** R6: each row left out. */
    @Test
    void eachRowCanBeLeftOut() throws IOException {
        for (int rowId = 1; rowId < 9; rowId++) {
            List<List<Object>> expected = rows(0, rowId - 1);
            expected.addAll(rows(rowId + 1, 9));
            assertThat(read().range(0, rowId - 1).range(rowId + 1, 9).rows()).isEqualTo(expected);
        }
    }

    /** R7. */
    @Test
    void descriptorsNameTheFilesOfTheWinners() throws IOException {
        List<Object> descriptors = table.read("pic").option("blob-as-descriptor", true).values();
        for (int rowId = 0; rowId <= 9; rowId++) {
            if (WINNERS.get(rowId) == null) {
                assertThat(descriptors.get(rowId)).isNull();
                continue;
            }
            long layer = LAYERS.get(rowId);
            long row = rowId;
            String file =
                    table.blobFiles("pic").stream()
                            .filter(f -> f.maxSequenceNumber() == layer)
                            .filter(f -> f.nonNullRowIdRange().from <= row)
                            .filter(f -> row <= f.nonNullRowIdRange().to)
                            .findFirst()
                            .orElseThrow()
                            .fileName();
            assertThat(descriptors.get(rowId).toString()).startsWith(file + "@").endsWith("+2");
        }
    }

    private TableRows read() {
        return table.read("pic", "_ROW_ID", "_SEQUENCE_NUMBER");
    }

    private static List<List<Object>> rows(int from, int to) {
        List<List<Object>> rows = new ArrayList<>();
        for (int rowId = from; rowId <= to; rowId++) {
            rows.add(Arrays.asList(WINNERS.get(rowId), (long) rowId, LAYERS.get(rowId)));
        }
        return rows;
    }
}
