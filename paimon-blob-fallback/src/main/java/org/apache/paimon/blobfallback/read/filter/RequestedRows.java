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

package org.apache.paimon.blobfallback.read.filter;

import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.read.rows.RowSelection;
import org.apache.paimon.blobfallback.read.rows.SelectedRows;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReader;

/** The rows of a group to return: those of a selection that pass a filter. */
public final class RequestedRows {

    private final RowSelection selection;
    @Nullable private final MatchingRows matching;

    /**
     * @param matching null if there is no filter
     */
    public RequestedRows(RowSelection selection, @Nullable MatchingRows matching) {
        this.selection = selection;
        this.matching = matching;
    }

    /** The rows that the filter is evaluated for. */
    public RowSelection selection() {
        return selection;
    }

    /** The rows to return. */
    public SelectedRows rows() {
        return matching == null ? selection : matching;
    }

    /** The rows to return from a reader that has each row of the selection. */
    public RecordReader<InternalRow> of(RecordReader<InternalRow> reader) {
        return matching == null ? reader : new MatchingRowsReader(reader, selection, matching);
    }
}
