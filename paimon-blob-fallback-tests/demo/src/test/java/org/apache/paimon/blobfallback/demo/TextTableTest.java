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

package org.apache.paimon.blobfallback.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {

    @Test
    void columnsAreAsWideAsTheirWidestCellAndNumbersStandToTheRight() {
        TextTable table = new TextTable(List.of("id", "name"));
        table.add(List.of("7", "a long name"));
        table.add(List.of("1234", "x"));
        table.add(List.of("NULL", ""));

        assertThat(table.lines())
                .containsExactly(
                        "      id  name",
                        "    ----  -----------",
                        "       7  a long name",
                        "    1234  x",
                        "    NULL");
    }

    @Test
    void aRowOfAnotherWidthIsRefused() {
        TextTable table = new TextTable(List.of("id", "name"));

        assertThatThrownBy(() -> table.add(List.of("1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Expected 2 cells, found 1");
    }
}
