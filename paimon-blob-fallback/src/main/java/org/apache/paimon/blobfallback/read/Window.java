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

import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.BlobEntry;

/**
 * A stretch of rows that are resolved together: their row ids, and for each the winner once it is
 * found.
 */
final class Window {

    /** Most rows of a window, and most row ids from its first to its last. */
    static final int MOST_ROWS = 1 << 12;

    /** Sequence number of a row that no layer decides. */
    static final long NO_SEQUENCE_NUMBER = -1;

    private final long[] rowIds = new long[MOST_ROWS];
    private final BlobEntry[] winners = new BlobEntry[MOST_ROWS];
    private final long[] sequenceNumbers = new long[MOST_ROWS];
    private final int[] undecidedRows = new int[MOST_ROWS];
    private int count;
    private int undecidedCount;

    /** Takes the next rows, none of which is decided. */
    void reset(RowIdIterator rows) {
        count = rows.next(rowIds, MOST_ROWS);
        undecideFrom(0);
    }

    /** Forgets what was found for the rows from one on, as a file has turned out unreadable. */
    void undecideFrom(int row) {
        Arrays.fill(winners, row, count, null);
        Arrays.fill(sequenceNumbers, row, count, NO_SEQUENCE_NUMBER);
        undecidedCount = count - row;
        for (int i = 0; i < undecidedCount; i++) {
            undecidedRows[i] = row + i;
        }
    }

    int count() {
        return count;
    }

    long firstRowId() {
        return rowIds[0];
    }

    long rowId(int row) {
        return rowIds[row];
    }

    /** Null if the row has no winner, or the winner is an explicit null. */
    @Nullable
    BlobEntry winner(int row) {
        return winners[row];
    }

    /** The winners of all rows; of use up to {@link #count()}. */
    BlobEntry[] winners() {
        return winners;
    }

    long sequenceNumber(int row) {
        return sequenceNumbers[row];
    }

    boolean isDecided() {
        return undecidedCount == 0;
    }

    Undecided undecided() {
        return new Undecided();
    }

    /** One pass over the undecided rows, in ascending order. */
    final class Undecided {

        private int next;
        private int kept;

        boolean hasNext() {
            return next < undecidedCount;
        }

        long rowId() {
            return rowIds[undecidedRows[next]];
        }

        /** Leaves the next row undecided. */
        void skip() {
            undecidedRows[kept++] = undecidedRows[next++];
        }

        /** Leaves the rows before a row id undecided. */
        void skipBefore(long rowId) {
            while (hasNext() && rowId() < rowId) {
                skip();
            }
        }

        /** Gives the next row its winner, null for an explicit null. */
        void decide(@Nullable BlobEntry winner, long sequenceNumber) {
            int row = undecidedRows[next++];
            winners[row] = winner;
            sequenceNumbers[row] = sequenceNumber;
        }

        /** Ends the pass. */
        void finish() {
            while (hasNext()) {
                skip();
            }
            undecidedCount = kept;
        }
    }
}
