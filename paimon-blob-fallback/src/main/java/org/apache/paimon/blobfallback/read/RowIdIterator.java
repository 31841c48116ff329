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

import java.util.BitSet;
import java.util.Iterator;
import javax.annotation.Nullable;
import org.apache.paimon.utils.Range;

/** The row ids of a selection, in ascending order. */
final class RowIdIterator {

    private final Iterator<Range> ranges;
    @Nullable private Range range;
    private long next;

    RowIdIterator(RowSelection selection) {
        this.ranges = selection.ranges().iterator();
        advance();
    }

    boolean hasNext() {
        return range != null;
    }

    /** Takes the next row id. */
    long next() {
        long rowId = next++;
        if (rowId == range.to) {
            advance();
        }
        return rowId;
    }

    /**
     * Takes the next rows as a window.
     *
     * @param mostPlaces most row ids from its first to its last
     * @return at least one row
     */
    Window nextWindow(int mostPlaces) {
        long first = next;
        long end = first + mostPlaces;
        BitSet rows = new BitSet(mostPlaces);
        while (range != null && next < end) {
            long rangeEnd = Math.min(range.to + 1, end);
            rows.set((int) (next - first), (int) (rangeEnd - first));
            next = rangeEnd;
            if (next > range.to) {
                advance();
            }
        }
        return new Window(first, rows);
    }

    private void advance() {
        range = ranges.hasNext() ? ranges.next() : null;
        if (range != null) {
            next = range.from;
        }
    }
}
