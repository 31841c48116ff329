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

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.BlobColumns;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.BlobIndex;
import org.apache.paimon.blobfallback.read.FileColumns;
import org.apache.paimon.blobfallback.read.FileFaults;
import org.apache.paimon.globalindex.IndexedSplit;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.InnerTableScan;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.Range;

/**
 * Draws the layers of one column in one group as text: rows along, layers down, the newest at the
 * top, winners as capital letters. Of a group with more rows than fit in a line, one character
 * stands for several rows, and shows the most telling of them.
 */
public final class LayersPicture {

    /** Most characters that a layer takes. */
    private static final int WIDTH = 64;

    /** What a character can be, from the least to the most telling. */
    private static final String MARKS = " .?ndND";

    private static final char PLACEHOLDER = '.';
    private static final char UNREADABLE = '?';

    private static final String LEGEND =
            "D data, N null: what the row shows. d, n: hidden by a newer layer."
                    + " . placeholder, blank: not in the layer.";

    private final FileStoreTable table;
    private final DataField column;

    /**
     * @param table whose layers to draw
     * @param columnName a blob column of it
     * @throws IllegalArgumentException if there is no such column
     */
    public LayersPicture(FileStoreTable table, String columnName) {
        this.table = table;
        this.column =
                table.rowType().getFields().stream()
                        .filter(field -> field.name().equals(columnName))
                        .filter(field -> BlobColumns.isBlobColumn(field.type()))
                        .findAny()
                        .orElseThrow(
                                () -> noBlobColumn(table.fullName(), table.rowType(), columnName));
    }

    private static IllegalArgumentException noBlobColumn(
            String table, RowType rowType, String columnName) {
        return new IllegalArgumentException(
                String.format(
                        "Table %s has no blob column %s: expected one of %s, found %s.",
                        table,
                        columnName,
                        rowType.getFields().stream()
                                .filter(field -> BlobColumns.isBlobColumn(field.type()))
                                .map(DataField::name)
                                .collect(Collectors.toList()),
                        rowType.containsField(columnName)
                                ? "a column of type " + rowType.getField(columnName).type()
                                : "no such column"));
    }

    /**
     * Draws the group that holds a row. Reads the indexes of its blob files and no payload.
     *
     * @return lines with a line feed behind each
     * @throws IllegalArgumentException if no blob file of the column holds the row
     * @throws IOException if a file cannot be read or is corrupt, and may not be ignored; it names
     *     the file
     */
    public String draw(long rowId) throws IOException {
        LayeredBunch bunch = bunch(rowId);
        Canvas canvas = new Canvas(bunch);
        new LayerWalk(table.fileIO(), new FileFaults(table.coreOptions())).walk(bunch, canvas);
        return canvas.toText(
                String.format(
                        "Table %s, column %s, row ids %d to %d, layers: %d",
                        table.fullName(),
                        column.name(),
                        bunch.range().from,
                        bunch.range().to,
                        bunch.layers().size()));
    }

    private LayeredBunch bunch(long rowId) {
        FileColumns columns =
                new FileColumns(table.fullName(), table.schemaManager(), table.schema());
        // Each step finds the files that overlap what is known of the group, up to all of it.
        Range wanted = new Range(rowId, rowId);
        LayeredBunch found = find(columns, wanted, rowId);
        while (found != null && !found.range().equals(wanted)) {
            wanted = found.range();
            found = find(columns, wanted, rowId);
        }
        if (found == null) {
            throw new IllegalArgumentException(
                    String.format(
                            "Table %s has no blob file of column %s that holds row id %d. Take"
                                    + " row ids from the column _ROW_ID.",
                            table.fullName(), column.name(), rowId));
        }
        return found;
    }

    @Nullable
    private LayeredBunch find(FileColumns columns, Range rowIds, long rowId) {
        InnerTableScan scan = table.newScan().withRowRanges(Collections.singletonList(rowIds));
        for (Split split : scan.plan().splits()) {
            DataSplit files =
                    split instanceof IndexedSplit
                            ? ((IndexedSplit) split).dataSplit()
                            : (DataSplit) split;
            for (LayeredBunch bunch :
                    LayeredBunch.of(
                            files, table.store().pathFactory(), columns, id -> id == column.id())) {
                if (bunch.range().from <= rowId && rowId <= bunch.range().to) {
                    return bunch;
                }
            }
        }
        return null;
    }

    /** The characters of a picture. */
    private static final class Canvas implements LayerWalk.Visitor {

        private final LayeredBunch bunch;
        private final long rowsPerMark;
        private final char[][] lines;

        private int layer;

        private Canvas(LayeredBunch bunch) {
            this.bunch = bunch;
            this.rowsPerMark = (bunch.range().to - bunch.range().from) / WIDTH + 1;
            int width = position(bunch.range().to) + 1;
            this.lines = new char[bunch.layers().size()][width];
            for (char[] line : lines) {
                Arrays.fill(line, ' ');
            }
        }

        private int position(long rowId) {
            return (int) ((rowId - bunch.range().from) / rowsPerMark);
        }

        private void mark(int position, char mark) {
            char[] line = lines[layer - 1];
            if (MARKS.indexOf(mark) > MARKS.indexOf(line[position])) {
                line[position] = mark;
            }
        }

        @Override
        public void file(int nextLayer, DataFileMeta file, @Nullable BlobIndex index) {
            layer = nextLayer;
            Range range = file.nonNullRowIdRange();
            for (int i = position(range.from); i <= position(range.to); i++) {
                mark(i, index == null ? UNREADABLE : PLACEHOLDER);
            }
        }

        @Override
        public void entry(long rowId, long length, boolean wins) {
            char mark = length == BlobFileLayout.NULL_LENGTH ? 'n' : 'd';
            mark(position(rowId), wins ? Character.toUpperCase(mark) : mark);
        }

        private String toText(String title) {
            StringBuilder text = new StringBuilder(title).append('\n');
            if (rowsPerMark > 1) {
                text.append("One character stands for ").append(rowsPerMark).append(" rows.\n");
            }
            text.append("layer  sequence number\n");
            for (int i = 0; i < lines.length; i++) {
                List<DataFileMeta> files = bunch.layers().get(i);
                text.append(
                        String.format(
                                "%5d  %15d  |%s|\n",
                                i + 1, files.get(0).maxSequenceNumber(), new String(lines[i])));
            }
            return text.append(LEGEND).append('\n').toString();
        }
    }
}
