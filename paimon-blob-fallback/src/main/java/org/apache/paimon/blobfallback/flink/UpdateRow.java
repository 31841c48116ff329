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

import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.types.Row;

/** The types of the rows of an update between tasks. */
final class UpdateRow {

    private UpdateRow() {}

    /** Row id, and a row of one value for each column. */
    static TypeInformation<Tuple2<Long, Row>> type(List<ColumnValues> columns) {
        return Types.TUPLE(Types.LONG, values(columns));
    }

    /** First row id of the row's group, row id, and a row of one value for each column. */
    static TypeInformation<Tuple3<Long, Long, Row>> typeWithGroup(List<ColumnValues> columns) {
        return Types.TUPLE(Types.LONG, Types.LONG, values(columns));
    }

    private static TypeInformation<Row> values(List<ColumnValues> columns) {
        return Types.ROW(
                columns.stream().map(ColumnValues::travelType).toArray(TypeInformation[]::new));
    }
}
