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

package org.apache.paimon.blobfallback.plan;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.layers.PlannedColumns;
import org.apache.paimon.format.blob.BlobFileFormat;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.DeletionFile;
import org.apache.paimon.table.source.RawFile;

/**
 * A split that counts the rows that a read of it returns. The host counts the rows of the longest
 * file of each group, deleted rows included, and engines answer {@code COUNT(*)} and {@code LIMIT}
 * from that count.
 */
class GroupedDataSplit extends DataSplit implements PlannedColumns {

    private static final long serialVersionUID = 2L;

    /** Null for all. */
    @Nullable private final HashSet<Integer> columns;

    /**
     * @param columns ids of the columns whose files are all in the split, null for all
     */
    GroupedDataSplit(DataSplit split, @Nullable Set<Integer> columns) {
        assign(split);
        this.columns = columns == null ? null : new HashSet<>(columns);
    }

    /** A copy with the columns of the other split. */
    GroupedDataSplit(DataSplit split) {
        this(
                split,
                split instanceof GroupedDataSplit
                        ? ((GroupedDataSplit) split).columns
                        : Collections.emptySet());
    }

    @Override
    public boolean contain(int fieldId) {
        return columns == null || columns.contains(fieldId);
    }

    /** Rows without the deleted ones; empty if a deletion vector has no count. */
    @Override
    public OptionalLong mergedRowCount() {
        long count = 0;
        for (Group<DataFileMeta> group : Group.ofFiles(dataFiles())) {
            count += group.range().count();
        }
        List<DeletionFile> deletionFiles = deletionFiles().orElse(null);
        if (deletionFiles != null) {
            for (DeletionFile deletionFile : deletionFiles) {
                if (deletionFile != null) {
                    if (deletionFile.cardinality() == null) {
                        return OptionalLong.empty();
                    }
                    count -= deletionFile.cardinality();
                }
            }
        }
        return OptionalLong.of(count);
    }

    /** Empty if there are blob files, which can only be read with their layers. */
    @Override
    public Optional<List<RawFile>> convertToRawFiles() {
        for (DataFileMeta file : dataFiles()) {
            if (BlobFileFormat.isBlobFile(file.fileName())) {
                return Optional.empty();
            }
        }
        return super.convertToRawFiles();
    }
}
