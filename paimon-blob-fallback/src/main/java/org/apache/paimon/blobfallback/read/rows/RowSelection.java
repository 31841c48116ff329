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

package org.apache.paimon.blobfallback.read.rows;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.paimon.deletionvectors.DeletionVector;
import org.apache.paimon.utils.Range;

/** Row ids to read: ascending ranges that neither overlap nor touch. */
public final class RowSelection implements SelectedRows {

    private final List<Range> ranges;

    private RowSelection(List<Range> ranges) {
        this.ranges = ranges;
    }

    /**
     * The rows of a range that a read wants.
     *
     * @param range row ids that exist
     * @param rowRanges row ids the read is restricted to, in any order; null if it is not
     */
    public static RowSelection of(Range range, @Nullable List<Range> rowRanges) {
        if (rowRanges == null) {
            return new RowSelection(Collections.singletonList(range));
        }
        List<Range> selected = new ArrayList<>();
        for (Range wanted : rowRanges) {
            // A range that ends before it starts has no rows; the host allows it.
            Range intersection =
                    wanted.from <= wanted.to ? Range.intersection(range, wanted) : null;
            if (intersection != null) {
                selected.add(intersection);
            }
        }
        return new RowSelection(Range.sortAndMergeOverlap(selected, true));
    }

    /**
     * These rows without the deleted ones.
     *
     * @param deletionVector marks positions
     * @param firstRowId row id of position 0
     */
    public RowSelection without(DeletionVector deletionVector, long firstRowId) {
        List<Range> left = new ArrayList<>();
        // No row after the last deleted one needs a look, however many there are.
        long deletions = deletionVector.getCardinality();
        for (Range range : ranges) {
            long start = range.from;
            for (long rowId = range.from; rowId <= range.to && deletions > 0; rowId++) {
                if (deletionVector.isDeleted(rowId - firstRowId)) {
                    deletions--;
                    if (start < rowId) {
                        left.add(new Range(start, rowId - 1));
                    }
                    start = rowId + 1;
                }
            }
            if (start <= range.to) {
                left.add(new Range(start, range.to));
            }
        }
        return new RowSelection(left);
    }

    /** The ranges, both ends included. */
    public List<Range> ranges() {
        return ranges;
    }

    /** Whether there is nothing to read. */
    public boolean isEmpty() {
        return ranges.isEmpty();
    }

    /** Number of rows. */
    public long count() {
        long count = 0;
        for (Range range : ranges) {
            count += range.count();
        }
        return count;
    }

    /** Whether a range holds a row to read. */
    public boolean intersects(Range range) {
        int first = firstEndingAtOrAfter(range.from);
        return first < ranges.size() && ranges.get(first).from <= range.to;
    }

    @Override
    public long next(long rowId) {
        int first = firstEndingAtOrAfter(rowId);
        return first < ranges.size() ? Math.max(rowId, ranges.get(first).from) : NO_ROW_ID;
    }

    @Override
    public BitSet of(long first, int length) {
        BitSet rows = new BitSet(length);
        long end = first + length;
        for (int i = firstEndingAtOrAfter(first); i < ranges.size(); i++) {
            Range range = ranges.get(i);
            if (range.from >= end) {
                break;
            }
            rows.set(
                    (int) (Math.max(range.from, first) - first),
                    (int) (Math.min(range.to + 1, end) - first));
        }
        return rows;
    }

    /** The first range that ends at a row id or after it. */
    private int firstEndingAtOrAfter(long rowId) {
        int low = 0;
        int high = ranges.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ranges.get(middle).to < rowId) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Whether these are all the rows of a range and no others. */
    public boolean isExactly(Range range) {
        return ranges.size() == 1 && ranges.get(0).equals(range);
    }
}
