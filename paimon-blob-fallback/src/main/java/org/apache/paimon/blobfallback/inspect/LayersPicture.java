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
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.column.BlobColumns;
import org.apache.paimon.blobfallback.format.index.BlobIndex;
import org.apache.paimon.blobfallback.host.PlannedFiles;
import org.apache.paimon.blobfallback.host.TimeTravel;
import org.apache.paimon.blobfallback.layers.Bunch;
import org.apache.paimon.blobfallback.layers.FileColumns;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.layers.Layer;
import org.apache.paimon.blobfallback.read.blobs.FileFaults;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.InnerTableScan;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.Pair;
import org.apache.paimon.utils.Range;

/**
 * Draws the layers of one column in one group as text: one column for each row, one line for each
 * layer, the newest at the top, winners as capital letters. If a group has more rows than fit in a
 * line, one character stands for several rows and shows the entry that ranks highest in {@link
 * #MARKS}.
 */
public final class LayersPicture {

    /** Maximum number of characters in the line of a layer. */
    private static final int WIDTH = 64;

    /** The characters of a line, in ascending rank. */
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
        this.table = TimeTravel.toPoint(table);
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
     * @return lines of text, each ending with a line feed
     * @throws IllegalArgumentException if no blob file of the column holds the row
     * @throws IOException if a file cannot be read or is corrupt, and may not be ignored; it names
     *     the file
     */
    public String draw(long rowId) throws IOException {
        Pair<Bunch, DataFilePathFactory> found = find(rowId);
        Bunch bunch = found.getLeft();
        Canvas canvas = new Canvas(bunch);
        new LayerWalk(table.fileIO(), new FileFaults(table.coreOptions()))
                .walk(
                        canvas.layers,
                        Collections.singletonList(bunch.range()),
                        found.getRight(),
                        canvas);
        return canvas.toText(
                String.format(
                        "Table %s, column %s, row ids %s to %s, layers: %s",
                        table.fullName(),
                        column.name(),
                        bunch.range().from,
                        bunch.range().to,
                        canvas.layers.size()));
    }

    private Pair<Bunch, DataFilePathFactory> find(long rowId) {
        FileColumns columns =
                new FileColumns(table.fullName(), table.schemaManager(), table.schema());
        // Each step adds the files that overlap those found so far, until the group is complete.
        Range wanted = new Range(rowId, rowId);
        Pair<Bunch, DataFilePathFactory> found = find(columns, wanted, rowId);
        while (found != null && !found.getLeft().range().equals(wanted)) {
            wanted = found.getLeft().range();
            found = find(columns, wanted, rowId);
        }
        if (found == null) {
            throw new IllegalArgumentException(
                    String.format(
                            "Table %s has no blob file of column %s that holds row id %s. Take"
                                    + " row ids from the column _ROW_ID.",
                            table.fullName(), column.name(), rowId));
        }
        return found;
    }

    /** The bunch of a row, and the folder of its files. */
    @Nullable
    private Pair<Bunch, DataFilePathFactory> find(FileColumns columns, Range rowIds, long rowId) {
        InnerTableScan scan = table.newScan().withRowRanges(Collections.singletonList(rowIds));
        for (DataSplit files : PlannedFiles.of(scan.plan())) {
            for (Group<DataFileMeta> group : Group.ofFiles(files.dataFiles())) {
                for (Bunch bunch : group.bunches(columns, id -> id == column.id())) {
                    if (bunch.range().from <= rowId && rowId <= bunch.range().to) {
                        return Pair.of(
                                bunch,
                                table.store()
                                        .pathFactory()
                                        .createDataFilePathFactory(
                                                files.partition(), files.bucket()));
                    }
                }
            }
        }
        return null;
    }

    /** The characters of a picture. */
    private static final class Canvas implements LayerWalk.Visitor {

        private final Range rows;
        private final List<Layer> layers;
        private final long rowsPerMark;
        private final char[][] lines;

        private char[] line;

        private Canvas(Bunch bunch) {
            this.rows = bunch.range();
            this.layers = bunch.layers();
            this.rowsPerMark = (rows.to - rows.from) / WIDTH + 1;
            int width = position(rows.to) + 1;
            this.lines = new char[layers.size()][width];
            for (char[] ofLayer : lines) {
                Arrays.fill(ofLayer, ' ');
            }
        }

        private int position(long rowId) {
            return (int) ((rowId - rows.from) / rowsPerMark);
        }

        private void mark(int position, char mark) {
            if (MARKS.indexOf(mark) > MARKS.indexOf(line[position])) {
                line[position] = mark;
            }
        }

        @Override
        public void file(int layer, DataFileMeta file, @Nullable BlobIndex index) {
            line = lines[layer - 1];
            Range drawn = Range.intersection(rows, file.nonNullRowIdRange());
            for (int i = position(drawn.from); i <= position(drawn.to); i++) {
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
                text.append(
                        String.format(
                                "%5s  %15s  |%s|\n",
                                i + 1, layers.get(i).sequenceNumber(), new String(lines[i])));
            }
            return text.append(LEGEND).append('\n').toString();
        }
    }
}
