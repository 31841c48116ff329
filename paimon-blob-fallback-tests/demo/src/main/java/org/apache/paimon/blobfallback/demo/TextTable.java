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

import java.util.ArrayList;
import java.util.List;

/** Rows of text in aligned columns, numbers to the right. */
final class TextTable {

    private static final String INDENT = "    ";
    private static final String GAP = "  ";

    private final List<String> header;
    private final List<List<String>> rows = new ArrayList<>();

    TextTable(List<String> header) {
        this.header = List.copyOf(header);
    }

    /** Adds a row, which must have as many cells as the header. */
    void add(List<String> row) {
        if (row.size() != header.size()) {
            throw new IllegalArgumentException(
                    "Expected " + header.size() + " cells, found " + row.size());
        }
        rows.add(List.copyOf(row));
    }

    /** The lines of the table: header, rule, rows. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(line(header, " "));
        lines.add(line(header.stream().map(name -> "").toList(), "-"));
        rows.forEach(row -> lines.add(line(row, " ")));
        return lines;
    }

    private String line(List<String> cells, String fill) {
        StringBuilder line = new StringBuilder(INDENT);
        for (int column = 0; column < cells.size(); column++) {
            String cell = cells.get(column);
            String padding = fill.repeat(width(column) - cell.length());
            line.append(column == 0 ? "" : GAP)
                    .append(isNumeric(column) ? padding + cell : cell + padding);
        }
        return line.toString().stripTrailing();
    }

    private int width(int column) {
        int width = header.get(column).length();
        for (List<String> row : rows) {
            width = Math.max(width, row.get(column).length());
        }
        return width;
    }

    private boolean isNumeric(int column) {
        return !rows.isEmpty()
                && rows.stream().allMatch(row -> row.get(column).matches("-?\\d+|NULL"));
    }
}
