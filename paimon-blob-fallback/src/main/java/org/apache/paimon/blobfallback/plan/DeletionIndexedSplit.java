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

package org.apache.paimon.blobfallback.plan;

import java.util.List;
import java.util.OptionalLong;
import javax.annotation.Nullable;
import org.apache.paimon.globalindex.IndexedSplit;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.utils.Range;

/**
 * A split of row ranges in which rows may be deleted, so that its rows can only be counted by a
 * read.
 */
final class DeletionIndexedSplit extends IndexedSplit {

    private static final long serialVersionUID = 1L;

    DeletionIndexedSplit(DataSplit split, List<Range> rowRanges, @Nullable float[] scores) {
        super(split, rowRanges, scores);
    }

    @Override
    public OptionalLong mergedRowCount() {
        return OptionalLong.empty();
    }
}
