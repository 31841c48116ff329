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

package org.apache.paimon.blobfallback;

import java.io.IOException;
import org.apache.paimon.annotation.Public;
import org.apache.paimon.blobfallback.host.Host;
import org.apache.paimon.blobfallback.inspect.BlobLayersTable;
import org.apache.paimon.blobfallback.inspect.BlobVerification;
import org.apache.paimon.blobfallback.inspect.BlobVerifier;
import org.apache.paimon.blobfallback.inspect.LayersPicture;
import org.apache.paimon.blobfallback.inspect.VerifyProgress;
import org.apache.paimon.blobfallback.serve.BlobReaderBuilder;
import org.apache.paimon.blobfallback.table.BlobFallbackTable;
import org.apache.paimon.blobfallback.table.TableDefaults;
import org.apache.paimon.blobfallback.update.BlobFlattenBuilder;
import org.apache.paimon.blobfallback.update.BlobUpdateBuilder;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;

/** The Java API, for services that do not go through the plugin's catalog. */
@Public
public final class BlobFallback {

    private BlobFallback() {}

    /**
     * A table whose reads know the placeholders of Paimon 2.0, if its option {@code
     * blob-fallback.enabled} is true. The option may be the table's own or come with a {@code
     * copy}.
     *
     * <p>A table without blob columns is wrapped too: it may have had one in an older snapshot or
     * tag, or get one later.
     *
     * @param table of the host, from any catalog
     * @return the table itself if it is wrapped already, or if there is nothing to do: it is not a
     *     table of data files, or has a primary key, or no data evolution, or the host is Paimon
     *     2.0 or later, which needs no plugin
     * @throws IllegalArgumentException if there is no table
     * @throws IllegalStateException if the host is older than Paimon 1.4
     */
    public static Table wrap(Table table) {
        boolean needsFallback = Host.needsFallback();
        return needsFallback && required(table) instanceof FileStoreTable
                ? BlobFallbackTable.wrap((FileStoreTable) table, TableDefaults.NONE)
                : table;
    }

    /**
     * As {@link #wrap(Table)}.
     *
     * @param table of the host, from any catalog
     * @return the table itself if it is wrapped already, or if there is nothing to do
     * @throws IllegalArgumentException if there is no table
     * @throws IllegalStateException if the host is older than Paimon 1.4
     */
    public static FileStoreTable wrap(FileStoreTable table) {
        return (FileStoreTable) wrap((Table) table);
    }

    /**
     * The system table {@code $blob_layers} of a table: one row for each blob file, with its layer,
     * counts of its entries, and the number of its bytes that are still read.
     *
     * @param table of the host or wrapped, with the options of the snapshot, tag or point in time
     *     to show
     * @throws IllegalArgumentException if the table has no data files
     * @throws IllegalStateException if the host is not Paimon 1.4
     */
    public static Table layers(Table table) {
        return new BlobLayersTable(dataTable(table, "layers"));
    }

    /**
     * Draws the layers of one column in the group that holds a row: one column for each row, one
     * line for each layer, winners as capital letters.
     *
     * @param table of the host or wrapped
     * @param column a blob column of it
     * @param rowId the {@code _ROW_ID} of a row of the group
     * @return lines of text, each ending with a line feed
     * @throws IllegalArgumentException if the table has no data files, the column is not a blob
     *     column, or no blob file of the column holds the row
     * @throws IOException if a blob file cannot be read or is corrupt; it names the file
     * @throws IllegalStateException if the host is not Paimon 1.4
     */
    public static String drawLayers(Table table, String column, long rowId) throws IOException {
        return new LayersPicture(dataTable(table, "layers"), column).draw(rowId);
    }

    /**
     * Checks all blob files of a table: each file's size and index, each entry's magic, length and
     * CRC32, and the rules of layers and groups. It reads every byte of them once, several files at
     * a time, and continues after a fault.
     *
     * @param table of the host or wrapped, with the options of the snapshot, tag or point in time
     *     to check
     * @return what is wrong, and where
     * @throws IllegalArgumentException if the table has no data files
     * @throws IOException if the check itself cannot continue
     * @throws IllegalStateException if the host is not Paimon 1.4
     */
    public static BlobVerification verify(Table table) throws IOException {
        return verify(table, (files, ofFiles, bytes, ofBytes) -> {});
    }

    /**
     * As {@link #verify(Table)}.
     *
     * @param progress is notified after each file
     * @throws IllegalArgumentException also if the listener is null
     */
    public static BlobVerification verify(Table table, VerifyProgress progress) throws IOException {
        if (progress == null) {
            throw new IllegalArgumentException(
                    "Expected a listener for the progress of the check, found null.");
        }
        return new BlobVerifier(dataTable(table, "blob files"), progress)
                .verify(Runtime.getRuntime().availableProcessors());
    }

    /**
     * Opens partial updates of a table's blob columns, on top of its newest snapshot, regardless of
     * the point in time that the table is opened at.
     *
     * @param table of the host or wrapped, with data evolution
     * @throws IllegalArgumentException if its blobs cannot be updated in part, or it has no
     *     snapshot; the message says what to do
     * @throws IllegalStateException if the host is not Paimon 1.4
     */
    public static BlobUpdateBuilder newUpdateBuilder(Table table) {
        Host.requireFallback("A partial update through the plugin");
        return new BlobUpdateBuilder(wrap(table));
    }

    /**
     * Rewrites the layers of a table's blob columns so that readers without the plugin can read the
     * table. It works on the newest snapshot, regardless of the point in time that the table is
     * opened at.
     *
     * @param table of the host or wrapped, with data evolution
     * @throws IllegalArgumentException if the table cannot have layers; the message says why
     * @throws IllegalStateException if the host is not Paimon 1.4
     */
    public static BlobFlattenBuilder newFlattenBuilder(Table table) {
        Host.requireFallback("Flattening through the plugin");
        return new BlobFlattenBuilder(wrap(table));
    }

    /**
     * Reads the blobs of single rows by their row ids, again and again: of the snapshot, tag or
     * point in time that the table's options name, or of the newest snapshot.
     *
     * @param table of the host or wrapped, with data evolution
     * @throws IllegalArgumentException if the table has no data files, its rows have no lasting
     *     ids, or it has no column in blob files; the message says what to do
     * @throws UnsupportedOperationException if the table is one of two branches, or its catalog has
     *     rules for queries
     * @throws IllegalStateException if the host is not Paimon 1.4
     */
    public static BlobReaderBuilder newBlobReader(Table table) {
        return new BlobReaderBuilder(dataTable(table, "single rows"));
    }

    private static FileStoreTable dataTable(Table table, String purpose) {
        Host.requireFallback("Looking at " + purpose);
        if (required(table) instanceof FileStoreTable) {
            return wrap((FileStoreTable) table);
        }
        throw new IllegalArgumentException(
                String.format(
                        "Table %s has no data files of its own, and so no %s: expected a data"
                                + " table, found a %s. Open the table itself.",
                        table.fullName(), purpose, table.getClass().getSimpleName()));
    }

    private static Table required(Table table) {
        if (table == null) {
            throw new IllegalArgumentException("Expected a table, found null.");
        }
        return table;
    }
}
