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
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.utils.Range;

/**
 * Whether the groups of an update are still those for which it was written.
 *
 * <p>The host's own check of an append looks at neither. Layers on top of a group never conflict,
 * but its normal files must all be there, under the same row ids: a compaction, a drop of the
 * partition and a new assignment of row ids each replace or remove some.
 */
final class PlanCheck {

    private final FileStoreTable table;
    private final Snapshot planned;
    private final List<Range> rowIds = new ArrayList<>();
    private final Map<String, Range> plannedFiles;

    /**
     * @param planned the snapshot that the update was written for
     * @throws BlobUpdateConflictException if that snapshot is not there any more
     */
    PlanCheck(FileStoreTable table, Snapshot planned, List<CommitMessage> messages) {
        this.table = table;
        this.planned = planned;
        for (CommitMessage message : messages) {
            for (DataFileMeta file : ((CommitMessageImpl) message).newFilesIncrement().newFiles()) {
                rowIds.add(file.nonNullRowIdRange());
            }
        }
        if (!table.snapshotManager().snapshotExists(planned.id())) {
            throw new BlobUpdateConflictException(
                    String.format(
                            "Snapshot %d of table %s, for which the update was written, has"
                                    + " expired: whether its groups are still the same cannot be"
                                    + " told. Update again from a newer snapshot.",
                            planned.id(), table.fullName()));
        }
        this.plannedFiles = normalFiles(planned);
    }

    /**
     * Checks the groups in a newer snapshot.
     *
     * @throws BlobUpdateConflictException if one of them has been rewritten or dropped
     */
    void check(Snapshot snapshot) {
        if (snapshot.id() == planned.id()) {
            return;
        }
        Map<String, Range> files = normalFiles(snapshot);
        plannedFiles.forEach(
                (name, range) -> {
                    Range now = files.get(name);
                    if (now == null || now.from != range.from || now.to != range.to) {
                        throw new BlobUpdateConflictException(
                                String.format(
                                        "The update of table %s was written for snapshot %d, and"
                                                + " snapshot %d conflicts with it: file %s had the"
                                                + " row ids %s, found %s. The group has been"
                                                + " compacted, dropped or given other row ids:"
                                                + " take row ids from a newer snapshot and update"
                                                + " again.",
                                        table.fullName(),
                                        planned.id(),
                                        snapshot.id(),
                                        name,
                                        range,
                                        now == null ? "no such file" : now));
                    }
                });
    }

    private Map<String, Range> normalFiles(Snapshot snapshot) {
        Map<String, Range> files = new HashMap<>();
        for (RowGroup group : new GroupScan(table).groups(snapshot, rowIds)) {
            for (DataFileMeta file : group.normalFiles()) {
                files.put(file.fileName(), group.range());
            }
        }
        return files;
    }
}
