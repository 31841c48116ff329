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

import static org.apache.paimon.utils.Preconditions.checkArgument;

import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.BlobPlaceholder;
import org.apache.paimon.blobfallback.format.column.BlobColumnType;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalMap;
import org.apache.paimon.types.DataField;
import org.apache.paimon.utils.Range;

/** The values that an update has for one column, by row id. */
final class UpdateColumn {

    private final String tableName;
    private final DataField field;
    private final Class<?> valueClass;
    private final Object placeholder;
    private final NavigableMap<Long, Object> values = new TreeMap<>();

    /**
     * @param tableName for messages
     */
    UpdateColumn(String tableName, DataField field) {
        this.tableName = tableName;
        this.field = field;
        this.placeholder = BlobColumnType.of(tableName, field).placeholder();
        switch (field.type().getTypeRoot()) {
            case ARRAY:
                valueClass = InternalArray.class;
                break;
            case MAP:
                valueClass = InternalMap.class;
                break;
            default:
                valueClass = Blob.class;
        }
    }

    DataField field() {
        return field;
    }

    /** The value that a writer of blob files writes as a placeholder in this column. */
    Object placeholder() {
        return placeholder;
    }

    /**
     * Sets or replaces the value of a row.
     *
     * @throws IllegalArgumentException if it is neither null nor of the column's class, or null
     *     where the column is NOT NULL
     */
    void set(long rowId, @Nullable Object value) {
        checkArgument(
                value == null || valueClass.isInstance(value),
                "Column %s of table %s is a %s and takes a %s, found a %s for row id %s.",
                field.name(),
                tableName,
                field.type(),
                valueClass.getSimpleName(),
                value == null ? null : value.getClass().getSimpleName(),
                rowId);
        checkArgument(
                value != null || field.type().isNullable(),
                "Column %s of table %s is a %s, found null for row id %s.",
                field.name(),
                tableName,
                field.type(),
                rowId);
        checkArgument(
                value != BlobPlaceholder.INSTANCE,
                "A placeholder is not a value: leave row id %s of column %s of table %s out of the"
                        + " update.",
                rowId,
                field.name(),
                tableName);
        values.put(rowId, value);
    }

    NavigableSet<Long> rowIds() {
        return values.navigableKeySet();
    }

    /** The values of the rows of a range, both ends included. */
    NavigableMap<Long, Object> values(Range range) {
        return values.subMap(range.from, true, range.to, true);
    }
}
