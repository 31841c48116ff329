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

package org.apache.paimon.blobfallback.write;

import java.io.FileNotFoundException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.format.column.BlobColumns;
import org.apache.paimon.blobfallback.host.TimeTravel;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.types.DataField;

/** Which tables and columns can be written in layers, and why others cannot. */
public final class BlobTable {

    /** An option of Paimon 2.0: columns that are kept inline as references to other tables. */
    private static final String BLOB_VIEW_FIELD = "blob-view-field";

    /** What to do with columns that are not in blob files, to {@link #columns}. */
    public static final String UPDATE_OTHERWISE =
            "Update %s with CALL sys.data_evolution_merge_into.";

    private BlobTable() {}

    /**
     * Checks that the blob columns of a table can be written in layers.
     *
     * @throws IllegalArgumentException if they cannot; the message says what to do
     */
    public static FileStoreTable check(Table table) {
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
                            "Table %s has no data evolution, so its rows have no stable ids and"
                                    + " its blobs cannot be updated in part. Create a table with"
                                    + " 'row-tracking.enabled' = 'true' and"
                                    + " 'data-evolution.enabled' = 'true' and copy the rows.",
                            table.fullName()));
        }
        if (columns(data).isEmpty()) {
            throw new IllegalArgumentException(
                    String.format(
                            "Table %s has no column in blob files: expected a column of type BLOB,"
                                    + " ARRAY<BLOB> or MAP<K, BLOB>, found %s.",
                            table.fullName(), data.rowType().asSQLString()));
        }
        return current(data);
    }

    /**
     * The table as it is now, regardless of a point in time in its options, and without the cache
     * of snapshots, which does not notice that another process has reused a number after a
     * rollback.
     */
    private static FileStoreTable current(FileStoreTable table) {
        FileStoreTable current = TimeTravel.none(table);
        current.setSnapshotCache(null);
        return current;
    }

    /**
     * Whether the table still has a snapshot, and not another one with the same number.
     *
     * @param table that {@link #check} has returned
     */
    public static boolean has(FileStoreTable table, Snapshot snapshot) {
        try {
            return isSame(table.snapshotManager().tryGetSnapshot(snapshot.id()), snapshot);
        } catch (FileNotFoundException e) {
            return false;
        }
    }

    /** Manifest lists have unique names and are written for one snapshot. */
    public static boolean isSame(Snapshot one, Snapshot other) {
        return one.id() == other.id()
                && one.baseManifestList().equals(other.baseManifestList())
                && one.deltaManifestList().equals(other.deltaManifestList());
    }

    /**
     * Finds columns in blob files by name.
     *
     * @param purpose what needs them, for a message: "An update"
     * @param otherwise what to do with other columns: a sentence with {@code %s} for them
     * @param names of the columns; duplicates count once
     * @throws IllegalArgumentException if there is none, or one is not such a column; the message
     *     says what to do
     */
    public static List<DataField> columns(
            FileStoreTable table, String purpose, String otherwise, String[] names) {
        if (names == null || names.length == 0) {
            throw new IllegalArgumentException(
                    String.format(
                            "%s of table %s needs a column, found none.",
                            purpose, table.fullName()));
        }
        return Arrays.stream(names)
                .distinct()
                .map(name -> column(table, otherwise, name))
                .collect(Collectors.toList());
    }

    private static DataField column(FileStoreTable table, String otherwise, String name) {
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
                                    + " are %s. %s",
                            name,
                            table.fullName(),
                            column.type(),
                            columnNames(table),
                            String.format(otherwise, "other columns")));
        }
        if (isInline(table, name)) {
            throw new IllegalArgumentException(
                    String.format(
                            "Column %s of table %s is kept inline, as descriptors in the normal"
                                    + " files, and not in blob files; the columns in blob files are"
                                    + " %s. %s",
                            name,
                            table.fullName(),
                            columnNames(table),
                            String.format(otherwise, "it, like a column of bytes,")));
        }
        return column;
    }

    /** All columns in blob files. */
    public static List<DataField> columns(FileStoreTable table) {
        return table.rowType().getFields().stream()
                .filter(field -> BlobColumns.isBlobColumn(field.type()))
                .filter(field -> !isInline(table, field.name()))
                .collect(Collectors.toList());
    }

    /**
     * The table's newest snapshot.
     *
     * @throws IllegalArgumentException if the table has none, or does not exist any more
     */
    public static Snapshot latestSnapshot(FileStoreTable table) {
        Snapshot latest = table.snapshotManager().latestSnapshot();
        if (latest == null && !table.schemaManager().latest().isPresent()) {
            throw new IllegalArgumentException(
                    String.format(
                            "Table %s at %s does not exist any more: it was dropped or renamed.",
                            table.fullName(), table.location()));
        }
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
