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
import java.util.Collections;
import java.util.List;
import org.apache.paimon.annotation.Public;
import org.apache.paimon.blobfallback.format.io.BlobReadTable;
import org.apache.paimon.blobfallback.host.TimeTravel;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.blobfallback.write.BlobTable;
import org.apache.paimon.table.FallbackReadFileStoreTable;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataField;

/** Chooses the columns of a table to read by row id. */
@Public
public final class BlobReaderBuilder {

    private static final String OTHERWISE = "Read %s with a query of the table.";

    private final FileStoreTable table;
    private List<DataField> columns;

    /**
     * A builder for all columns of a table that are in blob files.
     *
     * @param table with the options of the snapshot, tag or point in time to read
     * @throws IllegalArgumentException if its rows have no stable ids, or it has no such column;
     *     the message says what to do
     * @throws UnsupportedOperationException if the table is one of two branches, or its catalog has
     *     rules for queries
     */
    public BlobReaderBuilder(FileStoreTable table) {
        check(table);
        FileStoreTable copy =
                TimeTravel.toPoint(table)
                        .copyWithoutTimeTravel(
                                Collections.singletonMap(
                                        BlobFallbackOptions.ENABLED.key(), "true"));
        // A cache does not notice that another process has reused a number after a rollback.
        copy.setSnapshotCache(null);
        // The catalog may refuse the read.
        copy.newRead();
        this.table = copy;
        this.columns = BlobTable.columns(copy);
        if (columns.isEmpty()) {
            throw new IllegalArgumentException(
                    String.format(
                            "Table %s has no column in blob files: expected a column of type BLOB,"
                                    + " ARRAY<BLOB> or MAP<K, BLOB>, found %s.",
                            table.fullName(), table.rowType().asSQLString()));
        }
    }

    private static void check(FileStoreTable table) {
        if (!table.primaryKeys().isEmpty() || !table.coreOptions().dataEvolutionEnabled()) {
            throw new IllegalArgumentException(
                    String.format(
                            "The rows of table %s have no stable ids: expected a table without"
                                    + " primary key and with 'row-tracking.enabled' = 'true' and"
                                    + " 'data-evolution.enabled' = 'true', found the primary key %s"
                                    + " and the options %s. Read it with a query.",
                            table.fullName(), table.primaryKeys(), table.options()));
        }
        if (table instanceof FallbackReadFileStoreTable) {
            throw new UnsupportedOperationException(
                    String.format(
                            "Table %s reads two branches, in which one row id means two rows:"
                                    + " expected a table of one branch. Open the branch itself, by"
                                    + " the name of the table with $branch_ and its own.",
                            table.fullName()));
        }
        if (table.coreOptions().queryAuthEnabled()) {
            throw new UnsupportedOperationException(
                    String.format(
                            "The catalog of table %s has rules for each query"
                                    + " ('query-auth.enabled' = 'true'), which a read by row id does not apply. Read the table with a query.",
                            table.fullName()));
        }
    }

    /**
     * Chooses columns.
     *
     * @param names of at least one column that is in blob files
     * @throws IllegalArgumentException if one is not such a column; the message says what to do
     */
    public BlobReaderBuilder withColumns(String... names) {
        columns = BlobTable.columns(table, "A reader of single rows", OTHERWISE, names);
        return this;
    }

    /**
     * Creates the reader, which plans the snapshot, tag or point in time that the table's options
     * name, or the newest snapshot. The caller closes it.
     *
     * @throws IOException if the plan cannot be made, or files of a layer overlap; it names both
     * @throws UnsupportedOperationException if a column has a type that blob files do not support
     */
    public BlobReader newReader() throws IOException {
        return new BlobReader(table, columns, BlobReadTable.optionsOf(table));
    }
}
