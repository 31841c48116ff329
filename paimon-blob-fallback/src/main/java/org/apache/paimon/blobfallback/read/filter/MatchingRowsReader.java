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

import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.read.rows.RowIdIterator;
import org.apache.paimon.blobfallback.read.rows.RowSelection;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReader;

/** The rows of a reader that pass a filter. */
final class MatchingRowsReader implements RecordReader<InternalRow> {

    private final RecordReader<InternalRow> reader;
    private final RowIdIterator candidates;
    private final MatchingRows matching;

    /**
     * @param reader of each row of the selection; closed with this
     * @param selection rows that the filter is evaluated for
     * @param matching those of them that pass; not closed
     */
    MatchingRowsReader(
            RecordReader<InternalRow> reader, RowSelection selection, MatchingRows matching) {
        this.reader = reader;
        this.candidates = new RowIdIterator(selection);
        this.matching = matching;
    }

    @Nullable
    @Override
    public RecordIterator<InternalRow> readBatch() throws IOException {
        RecordIterator<InternalRow> batch = reader.readBatch();
        if (batch == null) {
            return null;
        }
        return new RecordIterator<InternalRow>() {
            @Nullable
            @Override
            public InternalRow next() throws IOException {
                InternalRow row = batch.next();
                while (row != null && !isNextMatching()) {
                    row = batch.next();
                }
                return row;
            }

            @Override
            public void releaseBatch() {
                batch.releaseBatch();
            }
        };
    }

    private boolean isNextMatching() throws IOException {
        if (!candidates.hasNext()) {
            throw new IllegalStateException("A reader has more rows than were selected.");
        }
        return matching.contains(candidates.next());
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
