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

package org.apache.paimon.blobfallback.read;

import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.read.blobs.BlobRowLayout;
import org.apache.paimon.blobfallback.read.rows.RowIdIterator;
import org.apache.paimon.blobfallback.read.rows.SelectedRows;
import org.apache.paimon.blobfallback.read.rows.Window;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.reader.RecordReader;

/**
 * The rows of a group without a normal file in the split, if no blob column is wanted: no file is
 * opened. {@code _SEQUENCE_NUMBER} is that of the newest file that covers the row.
 */
final class BlobOnlyRowsReader implements RecordReader<InternalRow> {

    private final Group<DataFileMeta> group;
    private final RowIdIterator rowIds;
    private final BlobRowLayout layout;

    BlobOnlyRowsReader(Group<DataFileMeta> group, SelectedRows rows, BlobRowLayout layout) {
        this.group = group;
        this.rowIds = new RowIdIterator(rows);
        this.layout = layout;
    }

    @Nullable
    @Override
    public RecordIterator<InternalRow> readBatch() throws IOException {
        if (!rowIds.hasNext()) {
            return null;
        }
        return new RecordIterator<InternalRow>() {
            @Nullable
            @Override
            public InternalRow next() throws IOException {
                if (!rowIds.hasNext()) {
                    return null;
                }
                long rowId = rowIds.next();
                return layout.row(null, rowId, sequenceNumber(rowId));
            }

            @Override
            public void releaseBatch() {}
        };
    }

    private long sequenceNumber(long rowId) {
        long newest = Window.NO_SEQUENCE_NUMBER;
        for (DataFileMeta file : group.files()) {
            if (file.nonNullRowIdRange().from <= rowId && rowId <= file.nonNullRowIdRange().to) {
                newest = Math.max(newest, file.maxSequenceNumber());
            }
        }
        return newest;
    }

    @Override
    public void close() throws IOException {}
}
