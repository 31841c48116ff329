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

import org.apache.paimon.table.source.DataSplit;

/**
 * A split that knows the columns it was planned for. Files of other columns may be missing from it,
 * so it must not be asked for their values.
 */
public interface PlannedColumns {

    /** Whether all files of a column are in the split, by its field id. */
    boolean contain(int fieldId);

    /** Whether all files of a column are known to be in a split, by its field id. */
    static boolean contain(DataSplit split, int fieldId) {
        return split instanceof PlannedColumns && ((PlannedColumns) split).contain(fieldId);
    }
}
