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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.format.io.BlobReadMetrics;
import org.apache.paimon.blobfallback.layers.Bunch;
import org.apache.paimon.blobfallback.layers.FileColumns;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.layers.JoinedGroups;
import org.apache.paimon.blobfallback.read.blobs.KeptBunch;
import org.apache.paimon.blobfallback.write.DeletedRows;
import org.apache.paimon.blobfallback.write.GroupScan;
import org.apache.paimon.fs.Path;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.VectorType;

/**
 * The plan of a reader of single rows for one snapshot: its groups with their layers, and the blob
 * files, which are opened when one of their rows is requested.
 */
final class ServedSnapshot {

    @Nullable private final Snapshot snapshot;
    private final NavigableMap<Long, ServedGroup> groups = new TreeMap<>();
    private final Map<Path, BlobFileInput> files = new HashMap<>();

    private int users;

    /**
     * Plans a snapshot.
     *
     * @param snapshot null for a table without one, which has no rows
     * @param columns that are read
     * @param fileColumns which columns the table's files hold
     * @param before a plan whose files are reused if they are the same; null for none
     * @param metrics count what is read
     * @param parallelism maximum number of concurrent requests of a reader
     * @throws IOException if files of a layer overlap; it names both
     */
    ServedSnapshot(
            FileStoreTable table,
            @Nullable Snapshot snapshot,
            List<DataField> columns,
            FileColumns fileColumns,
            @Nullable ServedSnapshot before,
            BlobReadMetrics metrics,
            int parallelism)
            throws IOException {
        this.snapshot = snapshot;
        if (snapshot == null) {
            return;
        }
        List<Group<ManifestEntry>> planned = new ArrayList<>();
        for (JoinedGroups<ManifestEntry> joined :
                GroupScan.join(
                        table,
                        snapshot,
                        GroupScan.entries(
                                table.store()
                                        .newScan()
                                        .withSnapshot(snapshot)
                                        .withDataFileNameFilter(
                                                name -> !VectorType.isVectorStoreFile(name))))) {
            for (Group<ManifestEntry> group : joined.groups()) {
                // Entries for rows that no normal file has are not rows.
                if (!group.normalFiles().isEmpty()) {
                    planned.add(group);
                }
            }
        }
        DeletedRows deleted = new DeletedRows(table, snapshot, planned);
        for (Group<ManifestEntry> group : planned) {
            DataFilePathFactory paths =
                    table.store()
                            .pathFactory()
                            .createDataFilePathFactory(
                                    group.anchor().partition(), group.anchor().bucket());
            KeptBunch[] bunches = new KeptBunch[columns.size()];
            Map<Integer, Integer> positions = new HashMap<>();
            for (int i = 0; i < columns.size(); i++) {
                positions.put(columns.get(i).id(), i);
            }
            for (Bunch bunch : group.bunches(fileColumns, positions::containsKey)) {
                bunches[positions.get(bunch.fieldId())] =
                        new KeptBunch(
                                bunch,
                                paths,
                                file ->
                                        files.computeIfAbsent(
                                                paths.toPath(file),
                                                path ->
                                                        before != null
                                                                        && before.files.containsKey(
                                                                                path)
                                                                ? before.files.get(path)
                                                                : new BlobFileInput(
                                                                        table.fileIO(),
                                                                        path,
                                                                        file.fileSize(),
                                                                        metrics,
                                                                        parallelism)));
            }
            groups.put(
                    group.range().from,
                    new ServedGroup(
                            group.range(),
                            deleted.of(group),
                            bunches,
                            refusals(table, group, columns, fileColumns, bunches)));
        }
    }

    private static String[] refusals(
            FileStoreTable table,
            Group<ManifestEntry> group,
            List<DataField> columns,
            FileColumns fileColumns,
            KeptBunch[] bunches) {
        Set<Integer> inNormalFiles = new HashSet<>();
        for (ManifestEntry entry : group.normalFiles()) {
            inNormalFiles.addAll(fileColumns.writtenFieldIds(entry.file()));
        }
        String[] refusals = new String[columns.size()];
        for (int i = 0; i < refusals.length; i++) {
            DataField column = columns.get(i);
            if (inNormalFiles.contains(column.id())) {
                refusals[i] =
                        String.format(
                                "Column %s of table %s is kept inline in the row ids %s, in one of"
                                        + " the normal files %s, and not in blob files. Read it"
                                        + " with a query of the table.",
                                column.name(),
                                table.fullName(),
                                group.range(),
                                group.normalFiles().stream()
                                        .map(entry -> entry.file().fileName())
                                        .collect(Collectors.toList()));
            } else if (bunches[i] == null && !column.type().isNullable()) {
                refusals[i] =
                        String.format(
                                "Column %s of table %s cannot be null, but no file of the row ids"
                                        + " %s holds it.",
                                column.name(), table.fullName(), group.range());
            }
        }
        return refusals;
    }

    /** Null if the table had none. */
    @Nullable
    Snapshot snapshot() {
        return snapshot;
    }

    /** The group of a row, null if there is none. */
    @Nullable
    ServedGroup groupOf(long rowId) {
        Map.Entry<Long, ServedGroup> group = groups.floorEntry(rowId);
        return group == null || group.getValue().range().to < rowId ? null : group.getValue();
    }

    /** The files that another plan does not have; all files if there is no other plan. */
    List<BlobFileInput> filesBeside(@Nullable ServedSnapshot other) {
        Map<Path, BlobFileInput> others = other == null ? Collections.emptyMap() : other.files;
        return files.entrySet().stream()
                .filter(file -> others.get(file.getKey()) != file.getValue())
                .map(Map.Entry::getValue)
                .collect(Collectors.toList());
    }

    /**
     * Called under the lock of the reader when a call starts to use this plan, until {@link
     * #leave}.
     */
    void enter() {
        users++;
    }

    void leave() {
        users--;
    }

    boolean isInUse() {
        return users > 0;
    }
}
