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

package org.apache.paimon.blobfallback.table;

import java.util.List;
import java.util.OptionalLong;
import org.apache.paimon.blobfallback.read.RowIdGroup;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.DeletionFile;

/**
 * A split that counts its rows as its read hands them out. The host takes the longest file of each
 * group, deleted rows included, and engines answer {@code COUNT(*)} and {@code LIMIT} from it.
 */
class GroupedDataSplit extends DataSplit {

    private static final long serialVersionUID = 1L;

    GroupedDataSplit(DataSplit split) {
        assign(split);
    }

    /** Rows without the deleted ones; empty if a deletion vector does not tell how many it has. */
    @Override
    public OptionalLong mergedRowCount() {
        long count = 0;
        for (RowIdGroup group : RowIdGroup.of(dataFiles())) {
            count += group.range().count();
        }
        List<DeletionFile> deletionFiles = deletionFiles().orElse(null);
        if (deletionFiles != null) {
            for (DeletionFile deletionFile : deletionFiles) {
                if (deletionFile != null) {
                    if (deletionFile.cardinality() == null) {
                        return OptionalLong.empty();
                    }
                    count -= deletionFile.cardinality();
                }
            }
        }
        return OptionalLong.of(count);
    }
}
