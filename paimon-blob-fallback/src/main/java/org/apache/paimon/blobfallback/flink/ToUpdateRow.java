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

package org.apache.paimon.blobfallback.flink;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.types.Row;
import org.apache.paimon.table.SpecialFields;

/** Extracts the row id and the values from a row of the source. */
final class ToUpdateRow implements MapFunction<Row, Tuple2<Long, Row>> {

    /** Column with the number of rows of the table that have the key. */
    static final String MATCHES = "_MATCHES";

    private static final long serialVersionUID = 1L;

    private final String tableName;
    private final List<String> key;
    private final int rowId;
    private final int matches;
    private final int[] keyColumns;
    private final int[] valuePositions;
    private final ColumnValues[] columns;

    /**
     * @param names of the row's columns
     * @param key names of the columns of the key, empty if there is none
     * @param columns names of the columns with the values
     * @param values those of these columns, in their order
     */
    ToUpdateRow(
            String tableName,
            List<String> names,
            List<String> key,
            List<String> columns,
            List<ColumnValues> values) {
        this.tableName = tableName;
        this.key = new ArrayList<>(key);
        this.rowId = names.indexOf(SpecialFields.ROW_ID.name());
        this.matches = names.indexOf(MATCHES);
        this.keyColumns = key.stream().mapToInt(names::indexOf).toArray();
        this.valuePositions = columns.stream().mapToInt(names::indexOf).toArray();
        this.columns = values.toArray(new ColumnValues[0]);
    }

    @Override
    public Tuple2<Long, Row> map(Row row) {
        Long id = (Long) row.getField(rowId);
        if (id == null) {
            throw new SuppressRestartsException(
                    new IllegalArgumentException(
                            "The source of an update of table "
                                    + tableName
                                    + " has a row whose _ROW_ID is null."));
        }
        if (keyColumns.length > 0 && (Long) row.getField(matches) > 1) {
            throw new SuppressRestartsException(
                    new IllegalArgumentException(
                            String.format(
                                    "The key %s = %s matches %s rows of table %s, expected one:"
                                            + " choose a key that tells rows apart, or update by"
                                            + " _ROW_ID.",
                                    key,
                                    Row.project(row, keyColumns),
                                    row.getField(matches),
                                    tableName)));
        }
        Row values = new Row(columns.length);
        for (int i = 0; i < columns.length; i++) {
            Object value = row.getField(valuePositions[i]);
            values.setField(i, value == null ? null : columns[i].pack(value));
        }
        return Tuple2.of(id, values);
    }
}
