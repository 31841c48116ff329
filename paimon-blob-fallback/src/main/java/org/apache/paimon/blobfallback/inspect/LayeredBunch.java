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

import static java.util.Comparator.comparingLong;
import static java.util.Comparator.reverseOrder;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.read.FileColumns;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.utils.FileStorePathFactory;
import org.apache.paimon.utils.Range;
import org.apache.paimon.utils.RangeHelper;

/** All blob files of one column in one group, sorted into layers; nothing of them is read. */
final class LayeredBunch {

    private final int fieldId;
    private final Range range;
    private final DataFilePathFactory paths;
    private final List<List<DataFileMeta>> layers;

    private LayeredBunch(
            int fieldId, Range range, DataFilePathFactory paths, List<List<DataFileMeta>> layers) {
        this.fieldId = fieldId;
        this.range = range;
        this.paths = paths;
        this.layers = layers;
    }

    /**
     * The bunches of a split.
     *
     * @param split with whole groups
     * @param pathFactory of the table
     * @param columns of the table's files
     * @param fieldIds of the columns that are wanted
     * @return ascending by row id, then by field id
     * @throws IllegalArgumentException if the metadata of a blob file does not name its column
     */
    static List<LayeredBunch> of(
            DataSplit split,
            FileStorePathFactory pathFactory,
            FileColumns columns,
            IntPredicate fieldIds) {
        DataFilePathFactory paths =
                pathFactory.createDataFilePathFactory(split.partition(), split.bucket());
        List<LayeredBunch> bunches = new ArrayList<>();
        RangeHelper<DataFileMeta> ranges = new RangeHelper<>(DataFileMeta::nonNullRowIdRange);
        for (List<DataFileMeta> group : ranges.mergeOverlappingRanges(split.dataFiles())) {
            Map<Integer, Map<Long, List<DataFileMeta>>> byField = new TreeMap<>();
            long from = Long.MAX_VALUE;
            long to = Long.MIN_VALUE;
            for (DataFileMeta file : group) {
                from = Math.min(from, file.nonNullRowIdRange().from);
                to = Math.max(to, file.nonNullRowIdRange().to);
                if (!BlobFileLayout.isBlobFile(file.fileName())) {
                    continue;
                }
                int fieldId = columns.blobFieldId(file);
                if (fieldIds.test(fieldId)) {
                    byField.computeIfAbsent(fieldId, ignored -> new TreeMap<>(reverseOrder()))
                            .computeIfAbsent(file.maxSequenceNumber(), ignored -> new ArrayList<>())
                            .add(file);
                }
            }
            for (Map.Entry<Integer, Map<Long, List<DataFileMeta>>> entry : byField.entrySet()) {
                List<List<DataFileMeta>> layers = new ArrayList<>(entry.getValue().values());
                layers.forEach(files -> files.sort(comparingLong(DataFileMeta::nonNullFirstRowId)));
                bunches.add(new LayeredBunch(entry.getKey(), new Range(from, to), paths, layers));
            }
        }
        return bunches;
    }

    /** The column's field id. */
    int fieldId() {
        return fieldId;
    }

    /** Row ids of the group, both ends included. */
    Range range() {
        return range;
    }

    /** Knows where the files are. */
    DataFilePathFactory paths() {
        return paths;
    }

    /** The layers, newest first; the files of a layer ascending by row id. */
    List<List<DataFileMeta>> layers() {
        return layers;
    }
}
