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

package org.apache.paimon.blobfallback.layers;

import java.util.List;
import javax.annotation.Nullable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.utils.Range;

/** A split of some of the rows of its files; the other rows are in other splits. */
public interface PlannedRows {

    /** Row ids, both ends included, ascending. */
    List<Range> rowRanges();

    /** The row ids of a split; null for all rows of its files. */
    @Nullable
    static List<Range> of(DataSplit split) {
        return split instanceof PlannedRows ? ((PlannedRows) split).rowRanges() : null;
    }
}
