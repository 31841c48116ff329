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

package org.apache.paimon.blobfallback.read.blobs;

import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.column.BlobValues;
import org.apache.paimon.blobfallback.read.rows.Window;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReader;

/** Consecutive rows of a window, with their values. */
final class BlobBatch implements RecordReader.RecordIterator<InternalRow> {

    private final Window window;
    private final int start;
    private final Object[] values;
    private final BlobRowLayout layout;
    private final String column;

    private int next;

    /**
     * @param window that the rows are of
     * @param start place of the first row
     * @param values by place, from the first row on
     * @param layout of the rows to return
     * @param column and its table, for messages
     */
    BlobBatch(Window window, int start, Object[] values, BlobRowLayout layout, String column) {
        this.window = window;
        this.start = start;
        this.values = values;
        this.layout = layout;
        this.column = column;
        this.next = start;
    }

    /**
     * The next row. The batch keeps no reference to it.
     *
     * @return null at the end
     */
    @Nullable
    @Override
    public GenericRow next() {
        int place = window.nextRow(next);
        if (place == Window.NO_PLACE || place >= start + values.length) {
            return null;
        }
        next = place + 1;
        Object value = values[place - start];
        values[place - start] = null;
        BlobValues.locate(value, column, window.rowId(place));
        return layout.row(value, window.rowId(place), window.sequenceNumber(place));
    }

    @Override
    public void releaseBatch() {}
}
