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

package org.apache.paimon.blobfallback.serve;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.paimon.blobfallback.format.column.BlobColumnType;
import org.apache.paimon.blobfallback.format.column.BlobForm;
import org.apache.paimon.blobfallback.format.io.ReadThreads;
import org.apache.paimon.blobfallback.read.blobs.KeptBunch;
import org.apache.paimon.blobfallback.read.blobs.RowLookup;
import org.apache.paimon.types.DataField;

/** The rows of one call: each is read once, group by group and column by column. */
final class RowRequest {

    private final String tableName;
    private final List<DataField> columns;
    private final List<BlobColumnType> columnTypes;

    /** Ascending, each once. */
    private final long[] rowIds;

    private final BlobRow.Found[] found;

    /** By row and column. */
    private final Object[][] values;

    private final List<Part> parts = new ArrayList<>();

    /**
     * @param columns to read
     * @param columnTypes of the columns
     * @param snapshot that the rows belong to
     * @param asked row ids in any order
     */
    RowRequest(
            String tableName,
            List<DataField> columns,
            List<BlobColumnType> columnTypes,
            ServedSnapshot snapshot,
            long[] asked) {
        this.tableName = tableName;
        this.columns = columns;
        this.columnTypes = columnTypes;
        this.rowIds = Arrays.stream(asked).sorted().distinct().toArray();
        this.found = new BlobRow.Found[rowIds.length];
        this.values = new Object[rowIds.length][columns.size()];
        int row = 0;
        while (row < rowIds.length) {
            ServedGroup group = snapshot.groupOf(rowIds[row]);
            if (group == null) {
                found[row++] = BlobRow.Found.NOTHING;
            } else {
                row = addPart(group, row);
            }
        }
    }

    /** Adds the rows of a group and returns the first row after them. */
    private int addPart(ServedGroup group, int first) {
        int end = first;
        while (end < rowIds.length && rowIds[end] <= group.range().to) {
            found[end] = group.isDeleted(rowIds[end]) ? BlobRow.Found.DELETED : BlobRow.Found.ROW;
            end++;
        }
        int[] rows =
                IntStream.range(first, end)
                        .filter(row -> found[row] == BlobRow.Found.ROW)
                        .toArray();
        if (rows.length > 0) {
            parts.add(new Part(group, rows));
        }
        return end;
    }

    /**
     * The work to do, in any order and concurrently.
     *
     * @throws UnsupportedOperationException if a column cannot be read in the group of a row
     */
    List<ReadThreads.Task> tasks(RowLookup lookup, BlobForm form) {
        List<ReadThreads.Task> tasks = new ArrayList<>();
        for (Part part : parts) {
            for (int i = 0; i < columns.size(); i++) {
                KeptBunch bunch = part.group.bunch(i);
                if (bunch != null) {
                    int column = i;
                    tasks.add(() -> part.read(lookup, bunch, column, form));
                }
            }
        }
        return tasks;
    }

    /**
     * The rows, after all tasks have ended.
     *
     * @param asked row ids that the request was made for
     */
    List<BlobRow> rows(long[] asked) {
        List<BlobRow> rows = new ArrayList<>(asked.length);
        for (long rowId : asked) {
            int row = Arrays.binarySearch(rowIds, rowId);
            rows.add(new BlobRow(tableName, rowId, found[row], columns, values[row]));
        }
        return rows;
    }

    /** The rows of one group. */
    private final class Part {

        private final ServedGroup group;
        private final int[] rows;
        private final long[] ofGroup;

        private Part(ServedGroup group, int[] rows) {
            this.group = group;
            this.rows = rows;
            this.ofGroup = Arrays.stream(rows).mapToLong(row -> rowIds[row]).toArray();
        }

        private void read(RowLookup lookup, KeptBunch bunch, int column, BlobForm form)
                throws IOException {
            Object[] read =
                    lookup.read(
                            bunch,
                            ofGroup,
                            columnTypes.get(column),
                            form,
                            String.format(
                                    "column %s of table %s",
                                    columns.get(column).name(), tableName));
            for (int i = 0; i < rows.length; i++) {
                values[rows[i]][column] = read[i];
            }
        }
    }
}
