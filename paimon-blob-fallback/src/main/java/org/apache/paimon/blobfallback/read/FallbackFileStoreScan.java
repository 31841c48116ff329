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

package org.apache.paimon.blobfallback.read;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFile;
import org.apache.paimon.operation.BucketSelectConverter;
import org.apache.paimon.operation.DataEvolutionFileStoreScan;
import org.apache.paimon.operation.FileStoreScan;
import org.apache.paimon.operation.ManifestsReader;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;
import org.apache.paimon.types.VectorType;
import org.apache.paimon.utils.Pair;
import org.apache.paimon.utils.Range;
import org.apache.paimon.utils.RangeHelper;
import org.apache.paimon.utils.SnapshotManager;

/**
 * Plans reads of a data-evolution table so that no row gets lost with the columns that are not
 * read.
 *
 * <p>The host leaves out each file that holds no wanted column, by the column's name. Rows that are
 * in no other file are then missing, and so are columns that were renamed. Here columns are matched
 * by field id, and a normal file is kept where the files of the wanted columns do not cover all
 * rows, and where rows may be deleted, since deletion vectors hang on it.
 */
public final class FallbackFileStoreScan extends DataEvolutionFileStoreScan {

    private final boolean deletionVectorsEnabled;
    private final ConcurrentMap<Pair<Long, List<String>>, Set<Integer>> writtenFieldIds =
            new ConcurrentHashMap<>();

    @Nullable private Set<Integer> wantedFieldIds;

    /** Takes what the host's own scan takes. */
    public FallbackFileStoreScan(
            ManifestsReader manifestsReader,
            BucketSelectConverter bucketSelectConverter,
            SnapshotManager snapshotManager,
            SchemaManager schemaManager,
            TableSchema schema,
            ManifestFile.Factory manifestFileFactory,
            Integer scanManifestParallelism,
            boolean deletionVectorsEnabled) {
        super(
                manifestsReader,
                bucketSelectConverter,
                snapshotManager,
                schemaManager,
                schema,
                manifestFileFactory,
                scanManifestParallelism,
                deletionVectorsEnabled);
        this.deletionVectorsEnabled = deletionVectorsEnabled;
    }

    @Override
    public FileStoreScan withReadType(@Nullable RowType readType) {
        if (readType != null) {
            Set<Integer> ids = new HashSet<>();
            for (DataField field : readType.getFields()) {
                if (!SpecialFields.isSystemField(field.id())) {
                    ids.add(field.id());
                }
            }
            if (!ids.isEmpty()) {
                this.wantedFieldIds = ids;
            }
        }
        return this;
    }

    /** Counts rows by files, which is not possible where some of them are deleted. */
    @Override
    public FileStoreScan withLimit(long limit) {
        return deletionVectorsEnabled ? this : super.withLimit(limit);
    }

    @Override
    protected boolean postFilterManifestEntriesEnabled() {
        return super.postFilterManifestEntriesEnabled() || wantedFieldIds != null;
    }

    @Override
    protected List<ManifestEntry> postFilterManifestEntries(List<ManifestEntry> entries) {
        List<ManifestEntry> filtered =
                super.postFilterManifestEntriesEnabled()
                        ? super.postFilterManifestEntries(entries)
                        : entries;
        if (wantedFieldIds == null) {
            return filtered;
        }
        List<ManifestEntry> kept = new ArrayList<>();
        RangeHelper<ManifestEntry> ranges =
                new RangeHelper<>(entry -> entry.file().nonNullRowIdRange());
        for (List<ManifestEntry> group : ranges.mergeOverlappingRanges(filtered)) {
            kept.addAll(prune(group));
        }
        return kept;
    }

    private List<ManifestEntry> prune(List<ManifestEntry> group) {
        if (group.size() == 1) {
            return group;
        }
        List<ManifestEntry> kept = new ArrayList<>();
        Map<Range, ManifestEntry> anchors = new HashMap<>();
        for (ManifestEntry entry : group) {
            if (isWanted(entry.file())) {
                kept.add(entry);
            }
            if (isNormal(entry.file())) {
                anchors.merge(entry.file().nonNullRowIdRange(), entry, this::older);
            }
        }
        for (Map.Entry<Range, ManifestEntry> anchor : anchors.entrySet()) {
            if (!kept.contains(anchor.getValue())
                    && (deletionVectorsEnabled || !covered(anchor.getKey(), kept))) {
                kept.add(anchor.getValue());
            }
        }
        return kept.isEmpty() ? group.subList(0, 1) : kept;
    }

    /** Whether each row of a range that the read selects is in one of some files. */
    private boolean covered(Range range, List<ManifestEntry> entries) {
        List<Range> ranges = new ArrayList<>();
        for (ManifestEntry entry : entries) {
            ranges.add(entry.file().nonNullRowIdRange());
        }
        for (Range selected :
                RowSelection.of(
                                range,
                                rowRangeIndex == null
                                        ? null
                                        : rowRangeIndex.intersectedRanges(range.from, range.to))
                        .ranges()) {
            if (!selected.exclude(ranges).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private ManifestEntry older(ManifestEntry left, ManifestEntry right) {
        return Comparator.comparingLong(DataFileMeta::maxSequenceNumber)
                                .thenComparing(DataFileMeta::fileName)
                                .compare(left.file(), right.file())
                        <= 0
                ? left
                : right;
    }

    private static boolean isNormal(DataFileMeta file) {
        return !BlobFileLayout.isBlobFile(file.fileName())
                && !VectorType.isVectorStoreFile(file.fileName());
    }

    private boolean isWanted(DataFileMeta file) {
        Set<Integer> written =
                writtenFieldIds.computeIfAbsent(
                        Pair.of(file.schemaId(), file.writeCols()),
                        ignored -> {
                            Set<Integer> ids = new HashSet<>();
                            for (DataField field :
                                    scanTableSchema(file.schemaId())
                                            .project(file.writeCols())
                                            .fields()) {
                                ids.add(field.id());
                            }
                            return ids;
                        });
        for (Integer id : wantedFieldIds) {
            if (written.contains(id)) {
                return true;
            }
        }
        return false;
    }
}
