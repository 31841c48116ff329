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

    /**
     * Takes the next row ids.
     *
     * @param rowIds to fill
     * @param most row ids to take, and most from the first to the last of them
     * @return number of row ids taken
     */
    int next(long[] rowIds, int most) {
        int count = 0;
        long end = next + most;
        while (range != null && next < end) {
            long last = Math.min(range.to, end - 1);
            while (next <= last) {
                rowIds[count++] = next++;
            }
            if (next > range.to) {
                advance();
            }
        }
        return count;
    }

    private void advance() {
        range = ranges.hasNext() ? ranges.next() : null;
        if (range != null) {
            next = range.from;
        }
    }
}
