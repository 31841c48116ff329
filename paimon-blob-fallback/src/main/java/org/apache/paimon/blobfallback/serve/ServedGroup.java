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

package org.apache.paimon.blobfallback.serve;

import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.read.blobs.KeptBunch;
import org.apache.paimon.deletionvectors.DeletionVector;
import org.apache.paimon.utils.Range;

/** What is known of a group before one of its rows is requested. */
final class ServedGroup {

    private final Range range;
    @Nullable private final DeletionVector deletionVector;
    private final KeptBunch[] bunches;
    private final String[] refusals;

    /**
     * @param range row ids of the group
     * @param deletionVector null if no row is deleted
     * @param bunches by column; null where the group has no file of it
     * @param refusals by column; why the plugin cannot read it here, null if it can
     */
    ServedGroup(
            Range range,
            @Nullable DeletionVector deletionVector,
            KeptBunch[] bunches,
            String[] refusals) {
        this.range = range;
        this.deletionVector = deletionVector;
        this.bunches = bunches;
        this.refusals = refusals;
    }

    Range range() {
        return range;
    }

    boolean isDeleted(long rowId) {
        return deletionVector != null && deletionVector.isDeleted(rowId - range.from);
    }

    /**
     * The bunch of a column.
     *
     * @return null if all rows are null
     * @throws UnsupportedOperationException if the column cannot be read here
     */
    @Nullable
    KeptBunch bunch(int column) {
        if (refusals[column] != null) {
            throw new UnsupportedOperationException(refusals[column]);
        }
        return bunches[column];
    }
}
