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

package org.apache.paimon.blobfallback.tests.spark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.Descriptor;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;

/** Turns Spark's rows into JDK values, as the bridge has them. */
final class RowValues {

    private final StructType schema;
    private final boolean descriptors;

    /**
     * @param descriptors whether bytes are blobs' descriptors
     */
    RowValues(StructType schema, boolean descriptors) {
        this.schema = schema;
        this.descriptors = descriptors;
    }

    List<List<Object>> of(List<Row> rows) {
        List<List<Object>> all = new ArrayList<>();
        for (Row row : rows) {
            List<Object> values = new ArrayList<>();
            for (int i = 0; i < row.size(); i++) {
                DataType type = schema.fields()[i].dataType();
                values.add(row.isNullAt(i) ? null : value(row, i, type));
            }
            all.add(values);
        }
        return all;
    }

    private Object value(Row row, int position, DataType type) {
        if (type instanceof ArrayType) {
            List<Object> elements = new ArrayList<>();
            row.getList(position).forEach(element -> elements.add(single(element)));
            return elements;
        }
        if (type instanceof MapType) {
            Map<Object, Object> map = new LinkedHashMap<>();
            row.getJavaMap(position).forEach((key, value) -> map.put(key, single(value)));
            return map;
        }
        if (type instanceof StructType struct) {
            return new RowValues(struct, descriptors).of(List.of(row.getStruct(position))).get(0);
        }
        return single(row.get(position));
    }

    private Object single(Object value) {
        if (descriptors
                && value instanceof byte[] bytes
                && BlobDescriptor.isBlobDescriptor(bytes)) {
            BlobDescriptor descriptor = BlobDescriptor.deserialize(bytes);
            return new Descriptor(descriptor.uri(), descriptor.offset(), descriptor.length());
        }
        return value;
    }
}
