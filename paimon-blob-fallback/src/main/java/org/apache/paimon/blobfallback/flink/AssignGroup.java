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

import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.streaming.api.functions.co.BroadcastProcessFunction;
import org.apache.flink.types.Row;
import org.apache.flink.util.Collector;
import org.apache.paimon.blobfallback.engine.RowIdRanges;

/**
 * Gives each row the first row id of its group. In batch mode Flink hands out what is broadcast,
 * the groups, before the rows.
 */
final class AssignGroup
        extends BroadcastProcessFunction<Tuple2<Long, Row>, long[], Tuple3<Long, Long, Row>> {

    static final MapStateDescriptor<Boolean, long[]> GROUPS =
            new MapStateDescriptor<>(
                    "groups", Types.BOOLEAN, PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO);

    private static final long serialVersionUID = 1L;

    @Override
    public void processBroadcastElement(
            long[] groups, Context context, Collector<Tuple3<Long, Long, Row>> rows)
            throws Exception {
        context.getBroadcastState(GROUPS).put(true, groups);
    }

    @Override
    public void processElement(
            Tuple2<Long, Row> row, ReadOnlyContext context, Collector<Tuple3<Long, Long, Row>> rows)
            throws Exception {
        long[] groups = context.getBroadcastState(GROUPS).get(true);
        rows.collect(Tuple3.of(RowIdRanges.startOf(groups, row.f0), row.f0, row.f1));
    }
}
