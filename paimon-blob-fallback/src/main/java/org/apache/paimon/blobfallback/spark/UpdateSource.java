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

package org.apache.paimon.blobfallback.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.paimon.blobfallback.update.BlobUpdateBuilder;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.SpecialFields;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The rows of an update. */
final class UpdateSource {

    static final String ROW_ID = SpecialFields.ROW_ID.name();

    /** Column with the number of rows of the table that have the key. */
    static final String MATCHES = "_MATCHES";

    private final Dataset<Row> rows;
    private final List<String> key;
    private final List<String> columns;
    private final List<UpdateValues> values;

    private UpdateSource(
            Dataset<Row> rows, List<String> key, List<String> columns, List<UpdateValues> values) {
        this.rows = rows;
        this.key = key;
        this.columns = columns;
        this.values = values;
    }

    /**
     * Checks a source.
     *
     * @param builder of the update, which gets its columns
     * @param key names of columns by which rows are found; empty if the source has their ids
     * @throws IllegalArgumentException if its columns are not the row id or the key, and columns in
     *     blob files under their names, with bytes for BLOB
     */
    static UpdateSource of(
            SparkSession spark,
            FileStoreTable table,
            BlobUpdateBuilder builder,
            Dataset<Row> source,
            List<String> key)
            throws IOException {
        TableKeys keys = new TableKeys(table, key);
        List<String> names = Arrays.asList(source.columns());
        List<String> columns = new ArrayList<>(names);
        for (String name : names) {
            if (names.indexOf(name) != names.lastIndexOf(name)) {
                throw refuse(table, "each column once, and not " + name + " twice", names);
            }
        }
        if (key.isEmpty()) {
            checkRowId(table, source, names);
            columns.remove(ROW_ID);
        } else {
            for (String own : TableKeys.OWN_COLUMNS) {
                if (names.contains(own)) {
                    throw refuse(table, "no column " + own + " where a key finds the rows", names);
                }
            }
            if (!names.containsAll(key)) {
                throw refuse(table, "the columns " + key + " of the key", names);
            }
            columns.removeAll(key);
        }
        if (columns.isEmpty()) {
            throw refuse(table, "at least one blob column", names);
        }
        builder.withColumns(columns.toArray(new String[0]));
        List<UpdateValues> values = new ArrayList<>();
        for (String name : columns) {
            values.add(values(table, source, name));
        }
        Dataset<Row> rows =
                key.isEmpty()
                        ? source
                        : source.join(
                                keys.of(spark, builder.snapshotId()),
                                key.toArray(new String[0]),
                                "inner");
        return new UpdateSource(rows, key, columns, values);
    }

    private static UpdateValues values(FileStoreTable table, Dataset<Row> source, String name) {
        UpdateValues values = UpdateValues.of(table.rowType().getField(name).type());
        DataType found = source.schema().apply(name).dataType();
        if (!values.accepts(found)) {
            throw new IllegalArgumentException(
                    String.format(
                            "Column %s of the source of an update of table %s is %s, expected %s.",
                            name, table.fullName(), found.sql(), values.expected()));
        }
        return values;
    }

    private static void checkRowId(FileStoreTable table, Dataset<Row> source, List<String> names) {
        if (!names.contains(ROW_ID)) {
            throw refuse(table, "a column " + ROW_ID + ", or a key", names);
        }
        DataType type = source.schema().apply(ROW_ID).dataType();
        if (!type.equals(DataTypes.LongType)) {
            throw refuse(table, "a BIGINT column " + ROW_ID + " and not a " + type.sql(), names);
        }
    }

    private static IllegalArgumentException refuse(
            FileStoreTable table, String expected, List<String> found) {
        return new IllegalArgumentException(
                String.format(
                        "The source of an update of table %s needs %s, found the columns %s.",
                        table.fullName(), expected, found));
    }

    /** The row id of each row; with a key also how many rows of the table have it, and the key. */
    Dataset<Row> rowIds() {
        List<Column> selected = new ArrayList<>();
        selected.add(Columns.of(ROW_ID));
        if (!key.isEmpty()) {
            selected.add(Columns.of(MATCHES));
            key.forEach(name -> selected.add(Columns.of(name)));
        }
        return rows.select(selected.toArray(new Column[0]));
    }

    /** The row id of each row and the values of its columns. */
    Dataset<Row> values() {
        List<Column> selected = new ArrayList<>();
        selected.add(Columns.of(ROW_ID));
        columns.forEach(name -> selected.add(Columns.of(name)));
        return rows.select(selected.toArray(new Column[0]));
    }

    /** Names of the columns of the key; none if the source has row ids. */
    List<String> key() {
        return key;
    }

    /** Names of the columns that are updated, in the order of {@link #values()}. */
    List<String> columns() {
        return columns;
    }

    /** How these columns' values are set. */
    List<UpdateValues> setters() {
        return values;
    }
}
