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
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.paimon.blobfallback.engine.RowIdRanges;
import org.apache.paimon.blobfallback.update.SharedBlobUpdate;
import org.apache.paimon.utils.RoaringNavigableMap64;

/**
 * Finds the groups that hold the rows of an update, before anything is written. Row ids that are
 * duplicate, do not exist or are deleted are refused here.
 */
final class FindGroups extends AbstractStreamOperator<long[]>
        implements OneInputStreamOperator<byte[], long[]>, BoundedOneInput {

    private static final long serialVersionUID = 1L;

    private final String tableName;
    private final SharedBlobUpdate update;

    private transient RoaringNavigableMap64 rowIds;

    FindGroups(String tableName, SharedBlobUpdate update) {
        this.tableName = tableName;
        this.update = update;
    }

    static RuntimeException duplicate(String tableName, long rowId) {
        return new SuppressRestartsException(
                new IllegalArgumentException(
                        String.format(
                                "The source of an update of table %s has two rows for _ROW_ID %s,"
                                        + " expected one.",
                                tableName, rowId)));
    }

    @Override
    public void open() throws Exception {
        super.open();
        rowIds = new RoaringNavigableMap64();
    }

    @Override
    public void processElement(StreamRecord<byte[]> bitmap) throws IOException {
        RoaringNavigableMap64 more = new RoaringNavigableMap64();
        more.deserialize(bitmap.getValue());
        RoaringNavigableMap64 twice = RoaringNavigableMap64.and(rowIds, more);
        if (!twice.isEmpty()) {
            throw duplicate(tableName, twice.iterator().next());
        }
        rowIds.or(more);
    }

    @Override
    public void endInput() {
        try {
            output.collect(new StreamRecord<>(RowIdRanges.encode(update.groupsOf(rowIds))));
        } catch (IllegalArgumentException e) {
            throw new SuppressRestartsException(e);
        }
    }
}
