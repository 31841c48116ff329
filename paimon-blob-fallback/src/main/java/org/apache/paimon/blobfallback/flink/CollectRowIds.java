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

import java.io.IOException;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.types.Row;
import org.apache.paimon.utils.RoaringNavigableMap64;

/** Collects the row ids of a task's rows into one bitmap, and refuses duplicates. */
final class CollectRowIds extends AbstractStreamOperator<byte[]>
        implements OneInputStreamOperator<Tuple2<Long, Row>, byte[]>, BoundedOneInput {

    private static final long serialVersionUID = 1L;

    private final String tableName;

    private transient RoaringNavigableMap64 rowIds;

    CollectRowIds(String tableName) {
        this.tableName = tableName;
    }

    @Override
    public void open() throws Exception {
        super.open();
        rowIds = new RoaringNavigableMap64();
    }

    @Override
    public void processElement(StreamRecord<Tuple2<Long, Row>> row) {
        long rowId = row.getValue().f0;
        if (rowIds.contains(rowId)) {
            throw FindGroups.duplicate(tableName, rowId);
        }
        rowIds.add(rowId);
    }

    @Override
    public void endInput() throws IOException {
        rowIds.runOptimize();
        output.collect(new StreamRecord<>(rowIds.serialize()));
    }
}
