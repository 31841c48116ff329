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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.host.CommitMessages;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.write.BlobTable;
import org.apache.paimon.blobfallback.write.GroupScan;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.utils.Range;

/**
 * Checks whether the groups of an update are still those for which it was written.
 *
 * <p>The host's own check of an append does not do that. Layers on top of a group never conflict,
 * but all its normal files must exist with the same row ids: a compaction, a drop of the partition
 * and a reassignment of row ids each replace or remove some.
 */
final class PlanCheck {

    private final FileStoreTable table;
    private final PlannedSnapshot planned;
    private final List<Range> rowIds = new ArrayList<>();
    private final Map<String, Range> plannedFiles;

    /**
     * @param planned the snapshot that the update was written for
     */
    PlanCheck(FileStoreTable table, PlannedSnapshot planned, List<CommitMessage> messages) {
        this.table = table;
        this.planned = planned;
        for (CommitMessage message : messages) {
            for (DataFileMeta file : CommitMessages.newFiles(message)) {
                rowIds.add(file.nonNullRowIdRange());
            }
        }
        this.plannedFiles = normalFiles(planned.snapshot());
    }

    /**
     * Checks the groups in a newer snapshot.
     *
     * @throws BlobUpdateConflictException if one of them has been rewritten or dropped, or the
     *     snapshot that the update was written for does not exist any more
     */
    void check(Snapshot snapshot) {
        // Read after the newest snapshot: whatever replaced the planned snapshot came before that.
        planned.check();
        if (BlobTable.isSame(snapshot, planned.snapshot())) {
            return;
        }
        Map<String, Range> files = normalFiles(snapshot);
        plannedFiles.forEach(
                (name, range) -> {
                    Range now = files.get(name);
                    if (now == null || now.from != range.from || now.to != range.to) {
                        throw new BlobUpdateConflictException(
                                String.format(
                                        "The update of table %s was written for snapshot %s, and"
                                                + " snapshot %s conflicts with it: file %s had the"
                                                + " row ids %s, found %s. The group has been"
                                                + " compacted, dropped or given other row ids:"
                                                + " take row ids from a newer snapshot and update"
                                                + " again.",
                                        table.fullName(),
                                        planned.snapshot().id(),
                                        snapshot.id(),
                                        name,
                                        range,
                                        now == null ? "no such file" : now));
                    }
                });
    }

    private Map<String, Range> normalFiles(Snapshot snapshot) {
        Map<String, Range> files = new HashMap<>();
        for (Group<ManifestEntry> group : new GroupScan(table).groups(snapshot, rowIds)) {
            for (ManifestEntry file : group.normalFiles()) {
                files.put(file.file().fileName(), group.range());
            }
        }
        return files;
    }
}
