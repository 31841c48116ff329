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

package org.apache.paimon.blobfallback.write;

import static org.apache.paimon.utils.Preconditions.checkState;

import javax.annotation.Nullable;
import org.apache.paimon.Snapshot;
import org.apache.paimon.table.FileStoreTable;

/** Finds out whether a failed commit is in the table nevertheless. */
public final class CommitTrail {

    private final FileStoreTable table;
    private final String commitUser;

    /** Newest snapshot before the first attempt; null until then. */
    @Nullable private Snapshot before;

    private boolean landed;

    /**
     * @param commitUser used by this commit alone
     */
    public CommitTrail(FileStoreTable table, String commitUser) {
        this.table = table;
        this.commitUser = commitUser;
    }

    public String commitUser() {
        return commitUser;
    }

    /** Notes the snapshot before the first attempt. */
    public void begin(Snapshot latest) {
        before = latest;
    }

    /** Notes that the commit has succeeded. */
    public void succeed() {
        landed = true;
    }

    /**
     * Whether a snapshot of the commit is in the table.
     *
     * @throws IllegalStateException if that is unknown now
     */
    public boolean hasLanded() {
        if (landed || before == null) {
            return landed;
        }
        landed = find(table, before, commitUser) != null;
        return landed;
    }

    /**
     * The snapshot of a commit.
     *
     * @param before a snapshot before the first attempt
     * @param commitUser used by that commit alone
     * @return null if there is none
     * @throws IllegalStateException if that is unknown now, or cannot be found out any more
     */
    @Nullable
    public static Snapshot find(FileStoreTable table, Snapshot before, String commitUser) {
        try {
            long latest = BlobTable.latestSnapshot(table).id();
            // After a rollback the commit may have any number.
            boolean rolledBackOrExpired = !BlobTable.has(table, before);
            long first =
                    rolledBackOrExpired
                            ? table.snapshotManager().earliestSnapshotId()
                            : before.id() + 1;
            for (long id = latest; id >= first; id--) {
                Snapshot candidate = table.snapshotManager().snapshot(id);
                if (candidate.commitUser().equals(commitUser)) {
                    return candidate;
                }
            }
            if (rolledBackOrExpired) {
                checkNoneExpired(table.snapshotManager().snapshot(first), before);
            }
            return null;
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    String.format(
                            "Cannot tell whether the commit of user %s is in table %s: its"
                                    + " snapshots after %s cannot be read.",
                            commitUser, table.fullName(), before.id()),
                    e);
        }
    }

    /** Snapshots expire in order, the oldest first. */
    private static void checkNoneExpired(Snapshot earliest, Snapshot before) {
        checkState(
                earliest.timeMillis() < before.timeMillis(),
                "Snapshots that came after %s have expired.",
                before.id());
    }
}
