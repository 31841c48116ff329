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

package org.apache.paimon.blobfallback.tests.reader;

import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.Descriptor;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalMap;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.InternalVector;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.types.ArrayType;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.MapType;
import org.apache.paimon.types.RowType;

/** Turns Paimon's rows into the bridge's JDK values, copying what the next row may overwrite. */
final class ExternalValues {

    private final RowType type;
    private final InternalRow.FieldGetter[] getters;

    private final boolean descriptors;

    /**
     * @param descriptors whether a blob is where its bytes are, or its bytes
     */
    ExternalValues(RowType type, boolean descriptors) {
        this.type = type;
        this.descriptors = descriptors;
        this.getters = new InternalRow.FieldGetter[type.getFieldCount()];
        for (int i = 0; i < getters.length; i++) {
            getters[i] = InternalRow.createFieldGetter(type.getTypeAt(i), i);
        }
    }

    List<Object> of(InternalRow row) {
        List<Object> values = new ArrayList<>(getters.length);
        for (int i = 0; i < getters.length; i++) {
            values.add(external(type.getTypeAt(i), getters[i].getFieldOrNull(row)));
        }
        return values;
    }

    private Object external(DataType type, Object value) {
        if (value == null) {
            return null;
        }
        switch (type.getTypeRoot()) {
            case CHAR:
            case VARCHAR:
                return value.toString();
            case DECIMAL:
                return ((Decimal) value).toBigDecimal();
            case DATE:
                return LocalDate.ofEpochDay((Integer) value);
            case TIME_WITHOUT_TIME_ZONE:
                return LocalTime.ofNanoOfDay((Integer) value * 1_000_000L);
            case TIMESTAMP_WITHOUT_TIME_ZONE:
                return ((Timestamp) value).toLocalDateTime();
            case BLOB:
                return blob((Blob) value);
            case ARRAY:
                return array(((ArrayType) type).getElementType(), (InternalArray) value);
            case MAP:
                return map((MapType) type, (InternalMap) value);
            case VECTOR:
                return floats(((InternalVector) value).toFloatArray());
            default:
                return value;
        }
    }

    private static List<Object> floats(float[] vector) {
        List<Object> floats = new ArrayList<>(vector.length);
        for (float element : vector) {
            floats.add(element);
        }
        return floats;
    }

    private Object blob(Blob blob) {
        if (!descriptors) {
            return blob.toData();
        }
        BlobDescriptor descriptor = blob.toDescriptor();
        return new Descriptor(descriptor.uri(), descriptor.offset(), descriptor.length());
    }

    private List<Object> array(DataType elementType, InternalArray array) {
        InternalArray.ElementGetter getter = InternalArray.createElementGetter(elementType);
        List<Object> elements = new ArrayList<>(array.size());
        for (int i = 0; i < array.size(); i++) {
            elements.add(external(elementType, getter.getElementOrNull(array, i)));
        }
        return elements;
    }

    private Map<Object, Object> map(MapType type, InternalMap map) {
        List<Object> keys = array(type.getKeyType(), map.keyArray());
        List<Object> values = array(type.getValueType(), map.valueArray());
        Map<Object, Object> result = new LinkedHashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            // An array of bytes equals no other one.
            Object key = keys.get(i);
            result.put(key instanceof byte[] ? ByteBuffer.wrap((byte[]) key) : key, values.get(i));
        }
        return result;
    }
}
