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

import java.lang.reflect.Array;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.engine.BlobsOfBytes;
import org.apache.paimon.blobfallback.format.column.MapKey;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.GenericMap;
import org.apache.paimon.flink.LogicalTypeConversion;

/**
 * The values of a MAP&lt;K, BLOB&gt; column: maps to bytes and nulls. Between tasks they are a row
 * of two arrays, keys and bytes, since Flink's own map type allows no null key.
 */
final class MapValues implements ColumnValues {

    private static final long serialVersionUID = 1L;

    private final MapKey key;

    MapValues(MapKey key) {
        this.key = key;
    }

    @Override
    public boolean accepts(LogicalType source) {
        if (!source.is(LogicalTypeRoot.MAP)) {
            return false;
        }
        LogicalType value = source.getChildren().get(1);
        return value.is(LogicalTypeFamily.BINARY_STRING)
                && key.accepts(LogicalTypeConversion.toDataType(source.getChildren().get(0)));
    }

    @Override
    public String expected() {
        return "a map of " + key.type() + " to bytes";
    }

    @Override
    public TypeInformation<?> travelType() {
        return Types.ROW(
                Types.OBJECT_ARRAY(TypeInformation.of(key.javaClass())), ColumnValues.BYTES);
    }

    @Override
    public Object pack(Object value) {
        Map<?, ?> map = (Map<?, ?>) value;
        Object[] keys = (Object[]) Array.newInstance(key.javaClass(), map.size());
        byte[][] bytes = new byte[map.size()][];
        int next = 0;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            keys[next] = entry.getKey();
            bytes[next++] = (byte[]) entry.getValue();
        }
        return Row.of(keys, bytes);
    }

    @Override
    public long length(Object packed) {
        return BlobsOfBytes.length((byte[][]) ((Row) packed).getField(1));
    }

    @Override
    public void set(
            BlobUpdate update, long rowId, String column, Object packed, BlobsOfBytes blobs) {
        Object[] keys = (Object[]) ((Row) packed).getField(0);
        Blob[] values = blobs.blobs((byte[][]) ((Row) packed).getField(1));
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keys.length; i++) {
            map.put(keys[i] == null ? null : key.fromJava(keys[i]), values[i]);
        }
        update.set(rowId, column, new GenericMap(map));
    }
}
