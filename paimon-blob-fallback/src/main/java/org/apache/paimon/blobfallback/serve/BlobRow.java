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

import java.util.List;
import javax.annotation.Nullable;
import org.apache.paimon.annotation.Public;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalMap;
import org.apache.paimon.types.ArrayType;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.MapType;

/** What a {@link BlobReader} has found for a row id. */
@Public
public final class BlobRow {

    private final String tableName;
    private final long rowId;
    private final Found found;
    private final List<DataField> columns;
    private final Object[] values;

    /** Whether a row id has a row. */
    enum Found {
        ROW,
        DELETED,
        NOTHING
    }

    /**
     * @param tableName for messages
     * @param columns of the values
     * @param values by column
     */
    BlobRow(String tableName, long rowId, Found found, List<DataField> columns, Object[] values) {
        this.tableName = tableName;
        this.rowId = rowId;
        this.found = found;
        this.columns = columns;
        this.values = values;
    }

    /** The requested row id. */
    public long rowId() {
        return rowId;
    }

    /**
     * Whether the snapshot has the row. Otherwise the row {@link #isDeleted()} or does not exist.
     */
    public boolean exists() {
        return found == Found.ROW;
    }

    /**
     * Whether a deletion vector has deleted the row. False if the row has been removed by a rewrite
     * or compaction since.
     */
    public boolean isDeleted() {
        return found == Found.DELETED;
    }

    /**
     * Whether the row has a null.
     *
     * @param column that is read
     * @throws IllegalArgumentException if the column is not read
     * @throws IllegalStateException if the row does not exist
     */
    public boolean isNull(String column) {
        return value(column) == null;
    }

    /**
     * The blob of a BLOB column.
     *
     * @param column that is read
     * @return null if the row has a null; a blob of 2 GiB or more streams and has no array
     * @throws IllegalArgumentException if the column is not read, or of another type
     * @throws IllegalStateException if the row does not exist
     */
    @Nullable
    public Blob getBlob(String column) {
        return (Blob) value(column, "BLOB");
    }

    /** As {@link #getBlob}, of an ARRAY&lt;BLOB&gt; column. */
    @Nullable
    public InternalArray getArray(String column) {
        return (InternalArray) value(column, "ARRAY");
    }

    /** As {@link #getBlob}, of a MAP&lt;K, BLOB&gt; column. */
    @Nullable
    public InternalMap getMap(String column) {
        return (InternalMap) value(column, "MAP");
    }

    @Nullable
    private Object value(String column, String kind) {
        DataField field = columns.get(position(column));
        String ofColumn =
                field.type() instanceof ArrayType
                        ? "ARRAY"
                        : field.type() instanceof MapType ? "MAP" : "BLOB";
        if (!ofColumn.equals(kind)) {
            throw new IllegalArgumentException(
                    String.format(
                            "Column %s of table %s is a %s, and was requested as %s.",
                            column, tableName, field.type(), kind));
        }
        return value(column);
    }

    @Nullable
    private Object value(String column) {
        int position = position(column);
        if (!exists()) {
            throw new IllegalStateException(
                    String.format(
                            "Row id %s of table %s %s, so it has no blob in column %s. Ask"
                                    + " whether the row exists first.",
                            rowId,
                            tableName,
                            isDeleted() ? "is deleted" : "does not exist",
                            column));
        }
        return values[position];
    }

    private int position(String column) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(column)) {
                return i;
            }
        }
        throw new IllegalArgumentException(
                String.format(
                        "The reader of table %s does not read column %s. Name it in withColumns.",
                        tableName, column));
    }
}
