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

import java.io.Serializable;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.paimon.blobfallback.engine.BlobsOfBytes;
import org.apache.paimon.blobfallback.format.column.BlobColumnType;
import org.apache.paimon.blobfallback.format.column.MapKey;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.MapType;

/**
 * The values of one column of an update: in the source, between tasks, and as they are set. Bytes
 * of a blob may be those of a descriptor.
 */
interface ColumnValues extends Serializable {

    /** The type of a list of byte arrays, of which any may be null. */
    TypeInformation<byte[][]> BYTES =
            Types.OBJECT_ARRAY(PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

    /**
     * The values of a column in blob files.
     *
     * @param tableName for messages
     * @param column a BLOB, ARRAY&lt;BLOB&gt; or MAP&lt;K, BLOB&gt;
     * @throws UnsupportedOperationException if the keys are of a type that blob files do not have
     */
    static ColumnValues of(String tableName, DataField column) {
        BlobColumnType.of(tableName, column);
        DataType type = column.type();
        switch (type.getTypeRoot()) {
            case ARRAY:
                return new ArrayValues();
            case MAP:
                return new MapValues(MapKey.of(((MapType) type).getKeyType()));
            default:
                return new ScalarValues();
        }
    }

    /** Whether a column of the source can be set. */
    boolean accepts(LogicalType source);

    /** What {@link #accepts} expects, in words. */
    String expected();

    /** The type of a value between tasks. */
    TypeInformation<?> travelType();

    /** Converts a value of the source, never null, to its form between tasks. */
    Object pack(Object value);

    /** Bytes of a packed value, never null, without the overhead of objects. */
    long length(Object packed);

    /** Sets a packed value, never null. */
    void set(BlobUpdate update, long rowId, String column, Object packed, BlobsOfBytes blobs);
}
