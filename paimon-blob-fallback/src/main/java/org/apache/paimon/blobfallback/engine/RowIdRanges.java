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

package org.apache.paimon.blobfallback.engine;

import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.utils.Range;

/** Ranges of row ids in the form that is sent between tasks: first and last row id in turn. */
public final class RowIdRanges {

    private RowIdRanges() {}

    public static long[] encode(List<Range> ranges) {
        long[] encoded = new long[2 * ranges.size()];
        for (int i = 0; i < ranges.size(); i++) {
            encoded[2 * i] = ranges.get(i).from;
            encoded[2 * i + 1] = ranges.get(i).to;
        }
        return encoded;
    }

    public static List<Range> decode(long[] encoded) {
        List<Range> ranges = new ArrayList<>(encoded.length / 2);
        for (int i = 0; i < encoded.length; i += 2) {
            ranges.add(new Range(encoded[i], encoded[i + 1]));
        }
        return ranges;
    }

    /**
     * First row id of the range that holds a row id.
     *
     * @param encoded ranges in ascending order
     * @throws IllegalStateException if none holds it
     */
    public static long startOf(long[] encoded, long rowId) {
        int low = 0;
        int high = encoded.length / 2 - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (rowId < encoded[2 * middle]) {
                high = middle - 1;
            } else if (rowId > encoded[2 * middle + 1]) {
                low = middle + 1;
            } else {
                return encoded[2 * middle];
            }
        }
        throw new IllegalStateException("No group was found for row id " + rowId + ".");
    }
}
