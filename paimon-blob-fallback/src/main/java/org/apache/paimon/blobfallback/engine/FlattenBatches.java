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

/** The groups of a flatten in batches, each for one task and one commit. */
public final class FlattenBatches {

    /** Large enough that a table of a million groups does not get a million snapshots. */
    public static final int GROUPS_PER_COMMIT = 100;

    private FlattenBatches() {}

    /**
     * Batches of adjacent groups, encoded as in {@link RowIdRanges}. Few groups are shared out to
     * all tasks rather than put into one commit of one task.
     *
     * @param tasks that share the batches
     * @param groupsPerCommit maximum number of groups in a batch
     */
    public static List<long[]> of(List<Range> groups, int tasks, int groupsPerCommit) {
        int fairShare = (groups.size() + tasks - 1) / tasks;
        int size = Math.max(1, Math.min(groupsPerCommit, fairShare));
        List<long[]> batches = new ArrayList<>();
        for (int from = 0; from < groups.size(); from += size) {
            batches.add(
                    RowIdRanges.encode(groups.subList(from, Math.min(groups.size(), from + size))));
        }
        return batches;
    }
}
