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
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.engine.Arguments;
import org.apache.paimon.blobfallback.engine.KeyColumns;
import org.apache.paimon.blobfallback.update.BlobUpdateBuilder;
import org.apache.paimon.flink.source.FlinkSourceBuilder;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.system.RowTrackingTable;

/** The rows of an update, as a query gives them. */
final class UpdateSource {

    private static final String ROW_ID = SpecialFields.ROW_ID.name();

    /** Columns of the rows that are found by key, besides those of the source. */
    private static final List<String> OWN_COLUMNS =
            Collections.unmodifiableList(
                    Arrays.asList(
                            ROW_ID, SpecialFields.SEQUENCE_NUMBER.name(), ToUpdateRow.MATCHES));

    private final DataStream<Tuple2<Long, Row>> rows;
    private final List<String> columns;
    private final List<ColumnValues> values;

    private UpdateSource(
            DataStream<Tuple2<Long, Row>> rows, List<String> columns, List<ColumnValues> values) {
        this.rows = rows;
        this.columns = columns;
        this.values = values;
    }

    /**
     * Checks and plans a query.
     *
     * @param environment that the table environment belongs to
     * @param tables plans the query
     * @param builder of the update, which gets its columns
     * @param key names of columns by which rows are found; empty if the query has their ids
     * @throws IllegalArgumentException if the query cannot be planned, or its columns are not the
     *     row id or the key, and columns in blob files under their names, with bytes for BLOB
     */
    static UpdateSource of(
            StreamExecutionEnvironment environment,
            StreamTableEnvironment tables,
            FileStoreTable table,
            BlobUpdateBuilder builder,
            String query,
            List<String> key) {
        KeyColumns.check(table, key, OWN_COLUMNS);
        Table source = plan(table, query, () -> tables.sqlQuery(query));
        List<String> columns = new ArrayList<>();
        List<String> names = source.getResolvedSchema().getColumnNames();
        checkNoColumnTwice(table, names);
        if (key.isEmpty()) {
            checkRowId(table, source, names);
        } else {
            checkKey(table, key, names);
        }
        for (Column column : source.getResolvedSchema().getColumns()) {
            String name = column.getName();
            if (key.isEmpty() ? !name.equals(ROW_ID) : !key.contains(name)) {
                columns.add(name);
            }
        }
        if (columns.isEmpty()) {
            throw refuse(table, "at least one blob column", names);
        }
        builder.withColumns(columns.toArray(new String[0]));
        List<ColumnValues> values = values(table, source, columns);
        Table rows =
                key.isEmpty()
                        ? source
                        : byKey(environment, tables, builder.snapshotTable(), source, key);
        return new UpdateSource(
                plan(table, query, () -> tables.toDataStream(rows))
                        .map(
                                new ToUpdateRow(
                                        table.fullName(),
                                        rows.getResolvedSchema().getColumnNames(),
                                        key,
                                        columns,
                                        values))
                        .returns(UpdateRow.type(values))
                        .name("Rows to update in " + table.fullName()),
                columns,
                values);
    }

    DataStream<Tuple2<Long, Row>> rows() {
        return rows;
    }

    /** Names of the columns that are updated, in the order of a row's values. */
    List<String> columns() {
        return columns;
    }

    /** The values of these columns. */
    List<ColumnValues> values() {
        return values;
    }

    /**
     * Joins the query with the table. The table's rows are counted by key first, so that a key that
     * several rows have comes once, with their number.
     */
    private static Table byKey(
            StreamExecutionEnvironment environment,
            StreamTableEnvironment tables,
            FileStoreTable table,
            Table source,
            List<String> key) {
        String names = key.stream().map(UpdateSource::quote).collect(Collectors.joining(", "));
        return tables.sqlQuery(
                String.format(
                        "SELECT t.%1$s, t.%2$s, s.* FROM %3$s AS s JOIN (SELECT %4$s,"
                                + " MIN(%1$s) AS %1$s, COUNT(*) AS %2$s FROM %5$s"
                                + " GROUP BY %4$s) AS t ON %6$s",
                        quote(ROW_ID),
                        quote(ToUpdateRow.MATCHES),
                        source,
                        names,
                        tables.fromDataStream(keys(environment, table, key)),
                        key.stream()
                                .map(name -> "s." + quote(name) + " = t." + quote(name))
                                .collect(Collectors.joining(" AND "))));
    }

    /**
     * The keys and ids of all rows. They are not read by SQL, in which hints and options of the job
     * could select another snapshot.
     *
     * @param table at the snapshot of the update
     */
    private static DataStream<RowData> keys(
            StreamExecutionEnvironment environment, FileStoreTable table, List<String> key) {
        RowTrackingTable rows = new RowTrackingTable(table);
        List<String> names = new ArrayList<>(key);
        names.add(ROW_ID);
        return new FlinkSourceBuilder(rows)
                .env(environment)
                .sourceBounded(true)
                .sourceName("Keys of " + table.fullName())
                .projection(rows.rowType().getFieldIndices(names))
                .build();
    }

    private static List<ColumnValues> values(
            FileStoreTable table, Table source, List<String> columns) {
        List<ColumnValues> all = new ArrayList<>();
        for (String name : columns) {
            ColumnValues values = ColumnValues.of(table.fullName(), table.rowType().getField(name));
            DataType found = source.getResolvedSchema().getColumn(name).get().getDataType();
            if (!values.accepts(found.getLogicalType())) {
                throw new IllegalArgumentException(
                        String.format(
                                "Column %s of the source of an update of table %s is a %s, expected"
                                        + " %s.",
                                name, table.fullName(), found, values.expected()));
            }
            all.add(values);
        }
        return all;
    }

    private static void checkRowId(FileStoreTable table, Table source, List<String> names) {
        if (!names.contains(ROW_ID)) {
            throw refuse(table, "a column " + ROW_ID + ", or the argument key", names);
        }
        Column rowId = source.getResolvedSchema().getColumn(ROW_ID).get();
        if (!rowId.getDataType().getLogicalType().is(LogicalTypeRoot.BIGINT)) {
            throw refuse(
                    table,
                    "a BIGINT column " + ROW_ID + " and not a " + rowId.getDataType(),
                    names);
        }
    }

    /** Flink appends a number to the name of a column that occurs twice. */
    private static void checkNoColumnTwice(FileStoreTable table, List<String> names) {
        for (String name : names) {
            String first = name.replaceFirst("\\d+$", "");
            if (!first.equals(name)
                    && names.contains(first)
                    && !table.rowType().containsField(name)) {
                throw refuse(table, "each column once, and not " + first + " twice", names);
            }
        }
    }

    private static void checkKey(FileStoreTable table, List<String> key, List<String> names) {
        for (String own : OWN_COLUMNS) {
            if (names.contains(own)) {
                throw refuse(
                        table,
                        "no column " + own + " where rows are found by the argument key",
                        names);
            }
        }
        if (!names.containsAll(key)) {
            throw refuse(table, "the columns " + key + " of the key", names);
        }
    }

    /** Adds to Flink's message where the query comes from. */
    private static <T> T plan(FileStoreTable table, String query, Supplier<T> planner) {
        try {
            return planner.get();
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    String.format(
                            "The source of an update of table %s cannot be planned: %s; found"
                                    + " \"%s\".",
                            table.fullName(), Arguments.reason(e), query),
                    e);
        }
    }

    private static IllegalArgumentException refuse(
            FileStoreTable table, String expected, List<String> found) {
        return new IllegalArgumentException(
                String.format(
                        "The source of an update of table %s needs %s, found the columns %s.",
                        table.fullName(), expected, found));
    }

    private static String quote(String name) {
        return "`" + name.replace("`", "``") + "`";
    }
}
