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

package org.apache.paimon.blobfallback.spark;

import java.io.IOException;
import java.util.Iterator;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReaderIterator;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.RowType;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.util.TaskCompletionListener;

/** Reads the rows of a split as rows of Spark. */
final class ReadKeys implements FlatMapFunction<byte[], Row> {

    private static final long serialVersionUID = 1L;

    private final ReadBuilder builder;
    private final RowType type;

    ReadKeys(ReadBuilder builder, RowType type) {
        this.builder = builder;
        this.type = type;
    }

    @Override
    public Iterator<Row> call(byte[] serialized) throws IOException {
        Split split = Serialized.object(serialized);
        RecordReaderIterator<InternalRow> rows =
                new RecordReaderIterator<>(builder.newRead().createReader(split));
        // Also where not all rows are consumed.
        TaskContext.get().addTaskCompletionListener((TaskCompletionListener) task -> close(rows));
        InternalRow.FieldGetter[] getters = new InternalRow.FieldGetter[type.getFieldCount()];
        for (int i = 0; i < getters.length; i++) {
            getters[i] = InternalRow.createFieldGetter(type.getTypeAt(i), i);
        }
        return new Iterator<Row>() {
            @Override
            public boolean hasNext() {
                return rows.hasNext();
            }

            @Override
            public Row next() {
                InternalRow row = rows.next();
                Object[] values = new Object[getters.length];
                for (int i = 0; i < values.length; i++) {
                    Object value = getters[i].getFieldOrNull(row);
                    values[i] = value == null ? null : NormalTypes.value(value);
                }
                return RowFactory.create(values);
            }
        };
    }

    private static void close(RecordReaderIterator<InternalRow> rows) {
        try {
            rows.close();
        } catch (Exception e) {
            throw new IllegalStateException("Failed to close a reader of keys.", e);
        }
    }
}
