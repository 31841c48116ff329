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

package org.apache.paimon.blobfallback.format.column;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.paimon.blobfallback.format.BlobPlaceholder;
import org.apache.paimon.blobfallback.format.entry.BlobEntries;
import org.apache.paimon.blobfallback.format.entry.BlobEntry;
import org.apache.paimon.blobfallback.format.entry.EntryOutput;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.BlobData;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.types.ArrayType;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.MapType;

/**
 * The type of a column in blob files: how its payloads are written and read, and which of its
 * values stands for a placeholder.
 */
public abstract class BlobColumnType {

    /**
     * The type of a column.
     *
     * @throws IllegalArgumentException if no blob file can hold a column of that type
     */
    public static BlobColumnType of(DataType type) {
        if (!BlobColumns.isBlobColumn(type)) {
            throw new IllegalArgumentException(
                    "A blob file holds a BLOB, ARRAY<BLOB> or MAP<K, BLOB> column, not " + type);
        }
        if (type instanceof ArrayType) {
            return ArrayColumn.INSTANCE;
        }
        return type instanceof MapType
                ? new MapColumn(MapKey.of(((MapType) type).getKeyType()))
                : RawColumn.INSTANCE;
    }

    /**
     * The type of a column of a table.
     *
     * @throws UnsupportedOperationException if no blob file can hold a column of that type; it
     *     names table, column and type
     */
    public static BlobColumnType of(String tableName, DataField column) {
        try {
            return of(column.type());
        } catch (IllegalArgumentException e) {
            throw new UnsupportedOperationException(
                    String.format(
                            "Column %s of table %s is a %s, which this plugin does not know in blob"
                                    + " files. %s. Leave the column out, or use the Paimon that"
                                    + " wrote it.",
                            column.name(), tableName, column.type(), e.getMessage()),
                    e);
        }
    }

    /**
     * The value from an entry whose payload has been read.
     *
     * @param entries have the place of the payload
     * @param row of the entry
     * @param payload complete; the value may keep the array
     * @throws IOException if the payload is not sound; it names the file and the place
     */
    abstract Object decode(BlobEntries entries, int row, byte[] payload) throws IOException;

    /**
     * The value with its blobs left in the file; no bytes of a blob are read.
     *
     * @param entry place of the payload
     * @param asDescriptor whether blobs are wanted as descriptors; otherwise they are left in the
     *     file because the entry is too long for an array
     * @throws IOException if the payload is not sound; it names the file and the place
     */
    abstract Object describe(BlobEntry entry, boolean asDescriptor) throws IOException;

    /**
     * Checks a payload for faults that a read would not notice.
     *
     * @param faults receives each fault, with the file and the place
     * @throws IOException if the payload cannot be read or is not sound; it names the file and the
     *     place
     */
    public abstract void check(Payload payload, Consumer<IOException> faults) throws IOException;

    /** The value of the column that stands for a placeholder. */
    public abstract Object placeholder();

    /**
     * Whether a row's value, which is not null, is a placeholder.
     *
     * @param bySentinel whether a blob in memory that has the bytes of {@link
     *     BlobPlaceholder#toData()} is one
     */
    public abstract boolean isPlaceholder(InternalRow row, boolean bySentinel);

    /**
     * Writes a row's value, which is neither null nor a placeholder.
     *
     * @param sink is called for each blob in the value after it has been written
     * @return whether the sink asked for a flush
     */
    public abstract boolean write(InternalRow row, EntryOutput out, BlobSink sink)
            throws IOException;

    /** Whether a blob stands for a placeholder, by reference or, if asked for, by its bytes. */
    public static boolean isPlaceholder(Blob blob, boolean bySentinel) {
        return blob == BlobPlaceholder.INSTANCE
                // A placeholder copied by value is in memory, so a blob that is elsewhere is not
                // fetched.
                || (bySentinel
                        && blob instanceof BlobData
                        && BlobPlaceholder.isSentinel(blob.toData()));
    }

    /** Receives the place of each blob that has been written. */
    public interface BlobSink {

        /**
         * @param position of the blob's first byte in the file
         * @param length of the blob in bytes
         * @return whether to flush the output
         */
        boolean accept(long position, long length);
    }
}
