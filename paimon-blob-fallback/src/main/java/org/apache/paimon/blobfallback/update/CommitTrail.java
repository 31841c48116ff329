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

package org.apache.paimon.blobfallback.update;

import javax.annotation.Nullable;
import org.apache.paimon.Snapshot;
import org.apache.paimon.table.FileStoreTable;

/** Tells whether a commit that failed is in the table all the same. */
final class CommitTrail {

    private final FileStoreTable table;
    private final String commitUser;

    /** Newest snapshot before the first attempt; null before it. */
    @Nullable private Snapshot before;

    private boolean landed;

    /**
     * @param commitUser of this commit alone
     */
    CommitTrail(FileStoreTable table, String commitUser) {
        this.table = table;
        this.commitUser = commitUser;
    }

    String commitUser() {
        return commitUser;
    }

    /** Notes that the first attempt comes next, on top of a snapshot. */
    void begin(Snapshot latest) {
        before = latest;
    }

    /** Notes that the commit went well. */
    void succeed() {
        landed = true;
    }

    /**
     * Whether a snapshot of the commit is in the table.
     *
     * @throws IllegalStateException if that cannot be told now
     */
    boolean hasLanded() {
        if (landed || before == null) {
            return landed;
        }
        try {
            Snapshot latest = BlobTable.latestSnapshot(table);
            for (long id = latest.id(); id > before.id() && !landed; id--) {
                landed = table.snapshotManager().snapshot(id).commitUser().equals(commitUser);
            }
            return landed;
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    String.format(
                            "Cannot tell whether the commit of user %s is in table %s: its"
                                    + " snapshots after %d cannot be read.",
                            commitUser, table.fullName(), before.id()),
                    e);
        }
    }
}
