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

package org.apache.paimon.blobfallback.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.paimon.blobfallback.BlobFallback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pictures of groups that this plugin has written. */
class LayersPictureTest {

    @TempDir private Path folder;

    @Test
    void rowsGoAlongAndLayersDownWithWinnersAsCapitals() throws Exception {
        LayeredTable table = new LayeredTable(folder, Map.of());
        table.append("mon", 3);
        table.append("mon", 8);
        table.update("pic", Map.of(5L, 100, 6L, 200));
        Map<Long, Integer> withNull = new HashMap<>(Map.of(6L, 50));
        withNull.put(9L, null);
        table.update("pic", withNull);
        table.update("pic", Map.of(9L, 0));

        assertThat(BlobFallback.drawLayers(table.table(), "pic", 4))
                .isEqualTo(
                        """
                        Table table, column pic, row ids 3 to 10, layers: 4
                        layer  sequence number
                            1                5  |......D.|
                            2                4  |...D..n.|
                            3                3  |..Dd....|
                            4                2  |DDddDDdD|
                        D data, N null: what the row shows. d, n: hidden by a newer layer. . placeholder, blank: not in the layer.
                        """);
    }

    @Test
    void aCharacterOfAWideGroupShowsTheMostTellingOfItsRows() throws Exception {
        LayeredTable table = new LayeredTable(folder, Map.of());
        table.append("mon", 150);
        Map<Long, Integer> nullAtTheEnd = new HashMap<>(Map.of(4L, 1));
        nullAtTheEnd.put(149L, null);
        table.update("pic", nullAtTheEnd);

        assertThat(BlobFallback.drawLayers(table.table(), "pic", 149).lines())
                .contains(
                        "One character stands for 3 rows.",
                        "    1                2  |.D" + ".".repeat(47) + "N|",
                        "    2                1  |" + "D".repeat(50) + "|");
    }

    @Test
    void fallbackMayBeOnOrOff() throws Exception {
        LayeredTable table = new LayeredTable(folder, Map.of("blob-fallback.enabled", "true"));
        table.append("mon", 2);
        table.update("doc", Map.of(0L, 1));

        String on = BlobFallback.drawLayers(table.table(), "doc", 0);

        assertThat(on).contains("|D.|", "|dD|");
        assertThat(
                        BlobFallback.drawLayers(
                                table.table().copy(Map.of("blob-fallback.enabled", "false")),
                                "doc",
                                0))
                .isEqualTo(on);
    }

    @Test
    void aRowOrAColumnThatDoesNotExistIsRefused() throws Exception {
        LayeredTable table = new LayeredTable(folder, Map.of());
        table.append("mon", 2);

        assertThatThrownBy(() -> BlobFallback.drawLayers(table.table(), "pic", 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Table table has no blob file of column pic that holds row id 2. Take row ids"
                                + " from the column _ROW_ID.");
        assertThatThrownBy(() -> BlobFallback.drawLayers(table.table(), "pict", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Table table has no blob column pict: expected one of [pic, doc], found no such"
                                + " column.");
    }
}
