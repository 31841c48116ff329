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

import java.io.Closeable;
import java.io.IOException;
import java.util.BitSet;
import org.apache.paimon.blobfallback.format.io.BlobReadMetrics;
import org.apache.paimon.blobfallback.read.rows.OneBatchReader;
import org.apache.paimon.blobfallback.read.rows.RowIdIterator;
import org.apache.paimon.blobfallback.read.rows.RowSelection;
import org.apache.paimon.blobfallback.read.rows.SelectedRows;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.reader.RecordReader;

/**
 * The rows of a selection that pass a filter. The columns of the filter are read row by row, and no
 * further than needed. Thread-safe, since each column of a read uses it.
 */
public final class MatchingRows implements SelectedRows, Closeable {

    private final RowIdIterator candidates;
    private final RecordReader<InternalRow> reader;
    private final RecordReader.RecordIterator<InternalRow> rows;
    private final Predicate predicate;
    private final BlobReadMetrics metrics;
    private final long firstRowId;

    /** By distance from the first row id. Rows that have not been read yet are not set. */
    private final BitSet matching = new BitSet();

    /** The first row id that is not read yet. */
    private long readTo;

    /**
     * @param selection rows that the filter is evaluated for
     * @param reader of the columns of the filter, for each row of the selection; closed with this
     * @param predicate on the rows of the reader
     * @param metrics count the rows that do not pass
     */
    public MatchingRows(
            RowSelection selection,
            RecordReader<InternalRow> reader,
            Predicate predicate,
            BlobReadMetrics metrics) {
        this.candidates = new RowIdIterator(selection);
        this.reader = reader;
        this.rows = new OneBatchReader(reader).readBatch();
        this.predicate = predicate;
        this.metrics = metrics;
        this.firstRowId = selection.ranges().get(0).from;
        this.readTo = firstRowId;
    }

    @Override
    public synchronized long next(long rowId) throws IOException {
        if (rowId < readTo) {
            int place = matching.nextSetBit(place(rowId));
            if (place >= 0) {
                return firstRowId + place;
            }
        }
        while (candidates.hasNext()) {
            if (readNext() && readTo > rowId) {
                return readTo - 1;
            }
        }
        return NO_ROW_ID;
    }

    @Override
    public synchronized BitSet of(long first, int length) throws IOException {
        long end = first + length;
        while (candidates.hasNext() && candidates.peek() < end) {
            readNext();
        }
        return matching.get(place(first), Math.toIntExact(end - firstRowId));
    }

    /** Whether a row of the selection passes the filter. */
    synchronized boolean contains(long rowId) throws IOException {
        while (readTo <= rowId && candidates.hasNext()) {
            readNext();
        }
        return matching.get(place(rowId));
    }

    /** Reads one more row of the filter's columns. */
    private boolean readNext() throws IOException {
        long rowId = candidates.next();
        InternalRow row = rows.next();
        if (row == null) {
            throw new IOException(
                    "The columns of the filter end before row id "
                            + rowId
                            + ", which was selected.");
        }
        boolean matches = predicate.test(row);
        if (matches) {
            matching.set(place(rowId));
        } else {
            metrics.skippedByFilter();
        }
        readTo = rowId + 1;
        return matches;
    }

    private int place(long rowId) {
        return rowId <= firstRowId ? 0 : Math.toIntExact(rowId - firstRowId);
    }

    @Override
    public synchronized void close() throws IOException {
        rows.releaseBatch();
        reader.close();
    }
}
