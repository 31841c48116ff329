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

import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.TableRead;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.Range;

/** Turns the bridge's requests into Paimon's reads. */
final class Reads {

    private Reads() {}

    /** All of a request but its options, which are the table's already. */
    static ReadBuilder builder(Table table, ReadRequest request) {
        RowType type = table.rowType();
        if (request.columns() != null) {
            type = SpecialFields.rowTypeWithRowTracking(type).project(request.columns());
        }
        ReadBuilder builder = table.newReadBuilder().withReadType(type);
        if (request.ranges() != null) {
            List<Range> ranges = new ArrayList<>();
            request.ranges().forEach(range -> ranges.add(new Range(range.from(), range.to())));
            builder = builder.withRowRanges(ranges);
        }
        if (request.filter() != null) {
            builder = builder.withFilter(Predicates.of(table.rowType(), request.filter()));
        }
        return request.limit() == null ? builder : builder.withLimit(request.limit());
    }

    /** The read of a request; a filter drops rows only where the request says so. */
    static TableRead read(ReadBuilder builder, ReadRequest request) {
        TableRead read = builder.newRead();
        return request.filter() != null && request.filter().exact() ? read.executeFilter() : read;
    }
}
