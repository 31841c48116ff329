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

package org.apache.paimon.blobfallback.inspect;

import java.util.List;
import javax.annotation.Nullable;
import org.apache.paimon.Snapshot;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;

/**
 * Files without a first row id. A compaction that does not know data evolution, such as the host's
 * of a whole database, merges normal files to such ones, and after it no Paimon can plan a read of
 * the table.
 */
final class LostRowIds {

    private final FileStoreTable table;

    LostRowIds(FileStoreTable table) {
        this.table = table;
    }

    /** The live files of a snapshot. */
    List<ManifestEntry> files(Snapshot snapshot) {
        return table.store().newScan().withSnapshot(snapshot).plan().files();
    }

    /** What to do about files without row ids in a snapshot. */
    String remedy(Snapshot snapshot) {
        Snapshot before = latestSoundBefore(snapshot);
        return before == null
                ? "No earlier snapshot without such files is left."
                : String.format(
                        "Roll back to snapshot %s, the latest one without such files.",
                        before.id());
    }

    @Nullable
    private Snapshot latestSoundBefore(Snapshot snapshot) {
        for (long id = snapshot.id() - 1; table.snapshotManager().snapshotExists(id); id--) {
            Snapshot before = table.snapshotManager().snapshot(id);
            if (files(before).stream().allMatch(entry -> entry.file().firstRowId() != null)) {
                return before;
            }
        }
        return null;
    }
}
