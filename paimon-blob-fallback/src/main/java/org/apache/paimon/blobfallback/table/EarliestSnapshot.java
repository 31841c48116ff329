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

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.paimon.utils.SnapshotManager;

/**
 * The hint of a table's earliest snapshot. The host's fast forward replaces it with that of the
 * branch, which can be later, and nothing of the host looks at a snapshot before the hint again: a
 * rollback leaves some that are newer than its target, and the last of them becomes the table.
 */
final class EarliestSnapshot {

    private EarliestSnapshot() {}

    /**
     * Moves the hint back to the first of the consecutive snapshots that end with it. Costs one
     * request if the hint is right.
     */
    static void correctHint(SnapshotManager snapshots) {
        Long hint = snapshots.earliestSnapshotId();
        if (hint == null) {
            return;
        }
        long earliest = hint;
        while (snapshots.snapshotExists(earliest - 1)) {
            earliest--;
        }
        if (earliest < hint) {
            try {
                snapshots.commitEarliestHint(earliest);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * Refuses a rollback to a snapshot file that is left from before the earliest snapshot: files
     * that it needs may have been deleted, and the host would keep its successors.
     *
     * @param table for the message
     * @throws IllegalArgumentException if the snapshot is such a one
     */
    static void checkReachable(SnapshotManager snapshots, long snapshotId, String table) {
        Long earliest = snapshots.earliestSnapshotId();
        if (earliest != null && snapshotId < earliest && snapshots.snapshotExists(snapshotId)) {
            throw new IllegalArgumentException(
                    String.format(
                            "Cannot roll back table %s to snapshot %s: snapshots between it and"
                                    + " snapshot %s, the earliest of the table, have expired. If a"
                                    + " tag has it, roll back to the tag.",
                            table, snapshotId, earliest));
        }
    }
}
