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

package org.apache.paimon.blobfallback.update;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.format.BlobColumns;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.types.DataField;

/** What of a table can be written in layers, and why the rest cannot. */
final class BlobTable {

    /** An option of Paimon 2.0: columns that are kept inline as references to other tables. */
    private static final String BLOB_VIEW_FIELD = "blob-view-field";

    private BlobTable() {}

    /**
     * The table as one whose blob columns can be written in layers.
     *
     * @throws IllegalArgumentException if it is not such a table; the message says what to do
     */
    static FileStoreTable check(Table table) {
        if (table == null) {
            throw new IllegalArgumentException("Expected a table, found null.");
        }
        if (!(table instanceof FileStoreTable)) {
            throw new IllegalArgumentException(
                    String.format(
                            "Table %s has no data files of its own: expected a data table, found a"
                                    + " %s. Open the table itself.",
                            table.fullName(), table.getClass().getSimpleName()));
        }
        FileStoreTable data = (FileStoreTable) table;
        if (!data.schema().primaryKeys().isEmpty()) {
            throw new IllegalArgumentException(
                    String.format(
                            "Table %s has the primary key %s: its blobs cannot be updated by row"
                                    + " id. Write the whole row with a new value instead.",
                            table.fullName(), data.schema().primaryKeys()));
        }
        if (!data.coreOptions().dataEvolutionEnabled()) {
            throw new IllegalArgumentException(
                    String.format(
                            "Table %s has no data evolution, so its rows have no lasting ids and"
                                    + " its blobs cannot be updated in part. Create a table with"
                                    + " 'row-tracking.enabled' = 'true' and"
                                    + " 'data-evolution.enabled' = 'true' and copy the rows.",
                            table.fullName()));
        }
        if (columns(data).isEmpty()) {
            throw new IllegalArgumentException(
                    String.format(
                            "Table %s keeps no column in blob files: expected a column of type BLOB,"
                                    + " ARRAY<BLOB> or MAP<K, BLOB>, found %s.",
                            table.fullName(), data.rowType().asSQLString()));
        }
        return data;
    }

    /**
     * Some columns whose values are kept in blob files.
     *
     * @param purpose what needs them, for a message: "An update"
     * @param names of them; one that comes twice counts once
     * @throws IllegalArgumentException if there is none, or one is not such a column; the message
     *     says what to do
     */
    static List<DataField> columns(FileStoreTable table, String purpose, String[] names) {
        if (names == null || names.length == 0) {
            throw new IllegalArgumentException(
                    String.format(
                            "%s of table %s needs a column, found none.",
                            purpose, table.fullName()));
        }
        return Arrays.stream(names)
                .distinct()
                .map(name -> column(table, name))
                .collect(Collectors.toList());
    }

    private static DataField column(FileStoreTable table, String name) {
        if (!table.rowType().containsField(name)) {
            throw new IllegalArgumentException(
                    String.format(
                            "Table %s has no column %s; its blob columns are %s.",
                            table.fullName(), name, columnNames(table)));
        }
        DataField column = table.rowType().getField(name);
        if (!BlobColumns.isBlobColumn(column.type())) {
            throw new IllegalArgumentException(
                    String.format(
                            "Column %s of table %s is a %s, not a blob; the table's blob columns"
                                    + " are %s. Update other columns with MERGE INTO.",
                            name, table.fullName(), column.type(), columnNames(table)));
        }
        if (isInline(table, name)) {
            throw new IllegalArgumentException(
                    String.format(
                            "Column %s of table %s is kept inline, as descriptors in the normal"
                                    + " files, and not in blob files; the columns in blob files are"
                                    + " %s. Update it with MERGE INTO like a column of bytes.",
                            name, table.fullName(), columnNames(table)));
        }
        return column;
    }

    /** Every column whose values are kept in blob files. */
    static List<DataField> columns(FileStoreTable table) {
        return table.rowType().getFields().stream()
                .filter(field -> BlobColumns.isBlobColumn(field.type()))
                .filter(field -> !isInline(table, field.name()))
                .collect(Collectors.toList());
    }

    /**
     * The table's newest snapshot.
     *
     * @throws IllegalArgumentException if the table has none
     */
    static Snapshot latestSnapshot(FileStoreTable table) {
        Snapshot latest = table.snapshotManager().latestSnapshot();
        if (latest == null) {
            throw new IllegalArgumentException(
                    "Table " + table.fullName() + " has no snapshot yet, so it has no rows.");
        }
        return latest;
    }

    private static List<String> columnNames(FileStoreTable table) {
        return columns(table).stream().map(DataField::name).collect(Collectors.toList());
    }

    private static boolean isInline(FileStoreTable table, String column) {
        Set<String> descriptors = table.coreOptions().blobDescriptorField();
        String views = table.options().get(BLOB_VIEW_FIELD);
        return descriptors.contains(column)
                || (views != null && trimmed(views.split(",")).contains(column));
    }

    private static List<String> trimmed(String[] names) {
        return new ArrayList<>(Arrays.stream(names).map(String::trim).collect(Collectors.toList()));
    }
}
