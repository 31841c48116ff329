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

package org.apache.paimon.blobfallback.tests.paimon2;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.Descriptor;
import org.apache.paimon.blobfallback.tests.bridge.Placeholder;
import org.apache.paimon.blobfallback.tests.bridge.ViewOf;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.BinaryVector;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.BlobArrayPlaceholder;
import org.apache.paimon.data.BlobMapPlaceholder;
import org.apache.paimon.data.BlobPlaceholder;
import org.apache.paimon.data.BlobViewStruct;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericArray;
import org.apache.paimon.data.GenericMap;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.types.ArrayType;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypeJsonParser;
import org.apache.paimon.types.DataTypeRoot;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.DecimalType;
import org.apache.paimon.types.MapType;
import org.apache.paimon.types.RowType;

/** Turns the bridge's JDK values into Paimon's and its type names into types. */
final class Values {

    private Values() {}

    static DataType type(String name) {
        String trimmed = name.trim();
        if (trimmed.startsWith("ARRAY<")) {
            return DataTypes.ARRAY(type(trimmed.substring("ARRAY<".length(), closing(trimmed))));
        }
        if (trimmed.startsWith("MAP<")) {
            String inner = trimmed.substring("MAP<".length(), closing(trimmed));
            int comma = inner.indexOf(',', inner.startsWith("DECIMAL") ? inner.indexOf(')') : 0);
            return DataTypes.MAP(type(inner.substring(0, comma)), type(inner.substring(comma + 1)));
        }
        if (trimmed.startsWith("VECTOR<")) {
            String[] inner = trimmed.substring("VECTOR<".length(), closing(trimmed)).split(",");
            return DataTypes.VECTOR(Integer.parseInt(inner[1].trim()), type(inner[0]));
        }
        return DataTypeJsonParser.parseAtomicTypeSQLString(trimmed);
    }

    private static int closing(String name) {
        return name.lastIndexOf('>');
    }

    static GenericRow row(RowType type, List<Object> values) {
        if (values.size() != type.getFieldCount()) {
            throw new IllegalArgumentException(
                    "Expected " + type.getFieldNames() + ", found " + values.size() + " values.");
        }
        GenericRow row = new GenericRow(values.size());
        for (int i = 0; i < values.size(); i++) {
            row.setField(i, internal(type.getTypeAt(i), values.get(i)));
        }
        return row;
    }

    static Object internal(DataType type, Object value) {
        if (value == null) {
            return null;
        }
        if (value == Placeholder.UNTOUCHED) {
            return placeholder(type);
        }
        switch (type.getTypeRoot()) {
            case CHAR:
            case VARCHAR:
                return BinaryString.fromString((String) value);
            case BLOB:
                return blob(value);
            case ARRAY:
                return array((ArrayType) type, (List<?>) value);
            case MAP:
                return map((MapType) type, (Map<?, ?>) value);
            case DECIMAL:
                DecimalType decimal = (DecimalType) type;
                return Decimal.fromBigDecimal(
                        (BigDecimal) value, decimal.getPrecision(), decimal.getScale());
            case DATE:
                return (int) ((LocalDate) value).toEpochDay();
            case TIME_WITHOUT_TIME_ZONE:
                return (int) (((LocalTime) value).toNanoOfDay() / 1_000_000);
            case TIMESTAMP_WITHOUT_TIME_ZONE:
                return Timestamp.fromLocalDateTime((LocalDateTime) value);
            case BINARY:
            case VARBINARY:
                return value instanceof ByteBuffer key ? key.array() : value;
            case VECTOR:
                return BinaryVector.fromPrimitiveArray(floats((List<?>) value));
            default:
                return value;
        }
    }

    private static Blob blob(Object value) {
        if (value instanceof ViewOf view) {
            return Blob.fromView(
                    new BlobViewStruct(
                            Identifier.fromString(view.table()), view.fieldId(), view.rowId()));
        }
        if (value instanceof Descriptor descriptor) {
            return Blob.fromFile(
                    LocalFileIO.create(),
                    descriptor.uri(),
                    descriptor.offset(),
                    descriptor.length());
        }
        return Blob.fromData((byte[]) value);
    }

    static Object placeholder(DataType type) {
        switch (type.getTypeRoot()) {
            case BLOB:
                return BlobPlaceholder.INSTANCE;
            case ARRAY:
                return BlobArrayPlaceholder.INSTANCE;
            case MAP:
                return BlobMapPlaceholder.INSTANCE;
            default:
                throw new IllegalArgumentException(type + " has no placeholder.");
        }
    }

    private static float[] floats(List<?> values) {
        float[] floats = new float[values.size()];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (Float) values.get(i);
        }
        return floats;
    }

    private static GenericArray array(ArrayType type, List<?> values) {
        Object[] elements = new Object[values.size()];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = internal(type.getElementType(), values.get(i));
        }
        return new GenericArray(elements);
    }

    private static GenericMap map(MapType type, Map<?, ?> values) {
        Map<Object, Object> map = new LinkedHashMap<>();
        values.forEach(
                (key, value) ->
                        map.put(
                                internal(type.getKeyType(), key),
                                internal(type.getValueType(), value)));
        return new GenericMap(map);
    }

    /** The values of a row as the bridge has them; for partitions, hence no nested types. */
    static List<Object> external(RowType type, InternalRow row) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < type.getFieldCount(); i++) {
            Object value = InternalRow.createFieldGetter(type.getTypeAt(i), i).getFieldOrNull(row);
            values.add(
                    type.getTypeAt(i).getTypeRoot() == DataTypeRoot.VARCHAR && value != null
                            ? value.toString()
                            : value);
        }
        return values;
    }
}
