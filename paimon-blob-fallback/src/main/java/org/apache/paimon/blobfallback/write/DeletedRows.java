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

import static org.apache.paimon.deletionvectors.DeletionVectorsIndexFile.DELETION_VECTORS_INDEX;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.deletionvectors.DeletionVector;
import org.apache.paimon.index.DeletionVectorMeta;
import org.apache.paimon.index.IndexFileHandler;
import org.apache.paimon.index.IndexFileMeta;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DeletionFile;
import org.apache.paimon.utils.Pair;

/** The rows that deletion vectors hide in the groups of a snapshot. */
public final class DeletedRows {

    /** By group; groups without one are missing. */
    private final Map<Group<ManifestEntry>, DeletionVector> vectors = new HashMap<>();

    /**
     * Reads the deletion vectors of some groups.
     *
     * @throws RuntimeException if an index file cannot be read; it names the file
     */
    public DeletedRows(
            FileStoreTable table, Snapshot snapshot, Collection<Group<ManifestEntry>> groups) {
        if (!table.coreOptions().deletionVectorsEnabled()) {
            return;
        }
        IndexFileHandler handler = table.store().newIndexFileHandler();
        Set<BinaryRow> partitions =
                groups.stream()
                        .map(group -> group.anchor().partition())
                        .collect(Collectors.toSet());
        Map<Pair<BinaryRow, Integer>, List<IndexFileMeta>> indexFiles =
                handler.scan(snapshot, DELETION_VECTORS_INDEX, partitions);
        for (Group<ManifestEntry> group : groups) {
            DataFileMeta anchor = group.anchor().file();
            for (IndexFileMeta indexFile :
                    indexFiles.getOrDefault(
                            Pair.of(group.anchor().partition(), group.anchor().bucket()),
                            Collections.emptyList())) {
                LinkedHashMap<String, DeletionVectorMeta> files = indexFile.dvRanges();
                DeletionVectorMeta vector = files == null ? null : files.get(anchor.fileName());
                if (vector != null) {
                    vectors.put(group, read(handler, group, indexFile, vector));
                }
            }
        }
    }

    /** Whether a row of a group is deleted. */
    public boolean contains(Group<ManifestEntry> group, long rowId) {
        DeletionVector vector = of(group);
        return vector != null && vector.isDeleted(rowId - group.range().from);
    }

    /**
     * The deletion vector of a group.
     *
     * @return null if it has none
     */
    @Nullable
    public DeletionVector of(Group<ManifestEntry> group) {
        return vectors.get(group);
    }

    private static DeletionVector read(
            IndexFileHandler handler,
            Group<ManifestEntry> group,
            IndexFileMeta indexFile,
            DeletionVectorMeta vector) {
        DeletionFile file =
                new DeletionFile(
                        handler.dvIndex(group.anchor().partition(), group.anchor().bucket())
                                .path(indexFile)
                                .toString(),
                        vector.offset(),
                        vector.length(),
                        vector.cardinality());
        return handler.dvIndex(group.anchor().partition(), group.anchor().bucket())
                .readDeletionVector(file);
    }
}
