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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.paimon.deletionvectors.DeletionVector;
import org.apache.paimon.utils.Range;

/** Row ids to read: ascending ranges that neither overlap nor touch. */
public final class RowSelection {

    private final List<Range> ranges;

    private RowSelection(List<Range> ranges) {
        this.ranges = ranges;
    }

    /**
     * The rows of a range that a read wants.
     *
     * @param range row ids there are
     * @param rowRanges row ids the read is restricted to, in any order; null if it is not
     */
    public static RowSelection of(Range range, @Nullable List<Range> rowRanges) {
        if (rowRanges == null) {
            return new RowSelection(Collections.singletonList(range));
        }
        List<Range> selected = new ArrayList<>();
        for (Range wanted : rowRanges) {
            // A range that ends before it starts has no rows; the host lets it pass.
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
        // Behind the last deleted row there is nothing to look for, however many rows there are.
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
        int low = 0;
        int high = ranges.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ranges.get(middle).to < range.from) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < ranges.size() && ranges.get(low).from <= range.to;
    }

    /** Whether these are all the rows of a range and no others. */
    public boolean isExactly(Range range) {
        return ranges.size() == 1 && ranges.get(0).equals(range);
    }
}
