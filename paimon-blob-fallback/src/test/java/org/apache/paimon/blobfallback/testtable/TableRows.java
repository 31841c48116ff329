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

package org.apache.paimon.blobfallback.testtable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalMap;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.TableRead;
import org.apache.paimon.types.ArrayType;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.MapType;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.Range;

/** A read of a table through the host's public API, with values as plain Java ones. */
public final class TableRows {

    private final Map<String, String> options = new HashMap<>();
    private final Table table;
    private String[] columns = {};
    private List<Range> ranges;

    private TableRows(Table table) {
        this.table = table;
    }

    /** A read of all columns and rows. */
    public static TableRows of(Table table) {
        return new TableRows(table);
    }

    /** Columns to read, {@code _ROW_ID} and {@code _SEQUENCE_NUMBER} among them; none for all. */
    public TableRows columns(String... names) {
        this.columns = names;
        return this;
    }

    /** A range of row ids to read, both ends included; several add up. */
    public TableRows range(long from, long to) {
        if (ranges == null) {
            ranges = new ArrayList<>();
        }
        ranges.add(new Range(from, to));
        return this;
    }

    /** A dynamic option. */
    public TableRows option(String key, Object value) {
        options.put(key, value.toString());
        return this;
    }

    /**
     * The rows as lists of {@code Integer}, {@code Long}, {@code String}; a blob is the string of
     * its bytes, a descriptor is {@code file@offset+length}; arrays and maps are {@code List} and
     * {@code Map}.
     */
    public List<List<Object>> rows() throws IOException {
        List<List<Object>> rows = new ArrayList<>();
        Table copied = options.isEmpty() ? table : table.copy(options);
        boolean descriptors = "true".equals(copied.options().get("blob-as-descriptor"));
        RowType type = readType(copied);
        ReadBuilder builder = copied.newReadBuilder().withReadType(type);
        if (ranges != null) {
            builder.withRowRanges(ranges);
        }
        TableRead read = builder.newRead();
        for (Split split : builder.newScan().plan().splits()) {
            try (RecordReader<InternalRow> reader = read.createReader(split)) {
                reader.forEachRemaining(row -> rows.add(values(type, row, descriptors)));
            }
        }
        return rows;
    }

    /** The values of the only column. */
    public List<Object> values() throws IOException {
        List<Object> values = new ArrayList<>();
        for (List<Object> row : rows()) {
            values.add(row.get(row.size() - 1));
        }
        return values;
    }

    private static List<Object> list(DataType type, InternalArray array, boolean descriptors) {
        InternalArray.ElementGetter getter = InternalArray.createElementGetter(type);
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            list.add(plain(type, getter.getElementOrNull(array, i), descriptors));
        }
        return list;
    }

    private RowType readType(Table copied) {
        if (columns.length == 0) {
            return copied.rowType();
        }
        RowType all = copied.rowType();
        if (!all.containsField(SpecialFields.ROW_ID.name())) {
            all = SpecialFields.rowTypeWithRowTracking(all);
        }
        return all.project(columns);
    }

    private static List<Object> values(RowType type, InternalRow row, boolean descriptors) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < type.getFieldCount(); i++) {
            DataField field = type.getFields().get(i);
            Object value = InternalRow.createFieldGetter(field.type(), i).getFieldOrNull(row);
            values.add(plain(field.type(), value, descriptors));
        }
        return Collections.unmodifiableList(values);
    }

    private static Object plain(DataType type, Object value, boolean descriptors) {
        if (value instanceof InternalArray array) {
            return list(((ArrayType) type).getElementType(), array, descriptors);
        }
        if (value instanceof InternalMap map) {
            List<Object> keys = list(((MapType) type).getKeyType(), map.keyArray(), descriptors);
            List<Object> values =
                    list(((MapType) type).getValueType(), map.valueArray(), descriptors);
            Map<Object, Object> plain = new LinkedHashMap<>();
            for (int i = 0; i < keys.size(); i++) {
                plain.put(keys.get(i), values.get(i));
            }
            return plain;
        }
        if (value instanceof BinaryString) {
            return value.toString();
        }
        if (value instanceof Blob blob) {
            if (descriptors) {
                String uri = blob.toDescriptor().uri();
                return uri.substring(uri.lastIndexOf('/') + 1)
                        + "@"
                        + blob.toDescriptor().offset()
                        + "+"
                        + blob.toDescriptor().length();
            }
            return new String(blob.toData(), StandardCharsets.UTF_8);
        }
        return value;
    }

    /** The blobs {@code pic} of splits of a table of the usual columns, as strings. */
    public static List<Object> picsOf(Table table, List<Split> splits) throws IOException {
        int pic = table.rowType().getFieldIndex("pic");
        List<Object> values = new ArrayList<>();
        for (Split split : splits) {
            try (RecordReader<InternalRow> reader =
                    table.newReadBuilder().newRead().createReader(split)) {
                reader.forEachRemaining(
                        row ->
                                values.add(
                                        row.isNullAt(pic)
                                                ? null
                                                : new String(row.getBlob(pic).toData())));
            }
        }
        return values;
    }
}
