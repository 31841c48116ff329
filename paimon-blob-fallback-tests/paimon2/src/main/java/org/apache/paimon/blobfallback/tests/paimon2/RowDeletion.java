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

package org.apache.paimon.blobfallback.tests.paimon2;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.deletionvectors.Bitmap64DeletionVector;
import org.apache.paimon.deletionvectors.BitmapDeletionVector;
import org.apache.paimon.deletionvectors.DeletionVector;
import org.apache.paimon.deletionvectors.append.AppendDeleteFileMaintainer;
import org.apache.paimon.deletionvectors.append.BaseAppendDeleteFileMaintainer;
import org.apache.paimon.index.IndexFileMeta;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.types.VectorType;
import org.apache.paimon.utils.DataEvolutionUtils;
import org.apache.paimon.utils.Range;
import org.apache.paimon.utils.RangeHelper;

/** Writes deletion vectors, each on the anchor of its group. */
final class RowDeletion {

    private final FileStoreTable table;

    RowDeletion(FileStoreTable table) {
        this.table = table;
    }

    /** Writes the vectors and returns what to commit, one message a partition. */
    List<CommitMessage> delete(Collection<Long> rowIds) {
        Set<Long> left = new TreeSet<>(rowIds);
        List<CommitMessage> messages = new ArrayList<>();
        for (Map.Entry<BinaryRow, List<DataFileMeta>> partition : normalFiles().entrySet()) {
            AppendDeleteFileMaintainer maintainer =
                    BaseAppendDeleteFileMaintainer.forUnawareAppend(
                            table.store().newIndexFileHandler(),
                            table.snapshotManager().latestSnapshot(),
                            partition.getKey());
            boolean touched = false;
            for (List<DataFileMeta> group :
                    new RangeHelper<>(DataFileMeta::nonNullRowIdRange)
                            .mergeOverlappingRanges(partition.getValue())) {
                touched |= delete(maintainer, group, left);
            }
            if (touched) {
                messages.add(message(partition.getKey(), maintainer.persist()));
            }
        }
        if (!left.isEmpty()) {
            throw new IllegalArgumentException("No rows with the ids " + left);
        }
        return messages;
    }

    /** Moves the group's row ids from {@code left} into its vector; whether there were any. */
    private boolean delete(
            AppendDeleteFileMaintainer maintainer, List<DataFileMeta> group, Set<Long> left) {
        DataFileMeta anchor = DataEvolutionUtils.retrieveAnchorFile(group, file -> file);
        Range range = anchor.nonNullRowIdRange();
        DeletionVector vector =
                table.coreOptions().deletionVectorBitmap64()
                        ? new Bitmap64DeletionVector()
                        : new BitmapDeletionVector();
        for (long id = range.from; id <= range.to; id++) {
            if (left.remove(id)) {
                vector.delete(id - range.from);
            }
        }
        if (vector.isEmpty()) {
            return false;
        }
        maintainer.notifyNewDeletionVector(anchor.fileName(), vector);
        return true;
    }

    private static CommitMessage message(BinaryRow partition, List<IndexManifestEntry> entries) {
        List<IndexFileMeta> added = new ArrayList<>();
        List<IndexFileMeta> dropped = new ArrayList<>();
        for (IndexManifestEntry entry : entries) {
            (entry.kind() == FileKind.ADD ? added : dropped).add(entry.indexFile());
        }
        return new CommitMessageImpl(
                partition,
                BucketMode.UNAWARE_BUCKET,
                null,
                new DataIncrement(List.of(), List.of(), List.of(), added, dropped),
                CompactIncrement.emptyIncrement());
    }

    private Map<BinaryRow, List<DataFileMeta>> normalFiles() {
        Map<BinaryRow, List<DataFileMeta>> files = new LinkedHashMap<>();
        for (ManifestEntry entry : table.store().newScan().plan().files()) {
            String name = entry.file().fileName();
            if (!name.endsWith(".blob") && !VectorType.isVectorStoreFile(name)) {
                files.computeIfAbsent(entry.partition(), key -> new ArrayList<>())
                        .add(entry.file());
            }
        }
        return files;
    }
}
