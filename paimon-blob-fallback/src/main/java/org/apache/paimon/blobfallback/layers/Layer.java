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

package org.apache.paimon.blobfallback.layers;

import static java.util.Collections.reverseOrder;
import static java.util.Comparator.comparingLong;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.utils.Range;

/** The blob files of one column that have one sequence number. */
public final class Layer {

    private final long sequenceNumber;
    private final List<DataFileMeta> files;

    private Layer(long sequenceNumber, List<DataFileMeta> files) {
        this.sequenceNumber = sequenceNumber;
        this.files = files;
    }

    /**
     * Sorts blob files of one column into layers.
     *
     * @return newest first
     */
    public static List<Layer> of(Collection<DataFileMeta> files) {
        Map<Long, List<DataFileMeta>> bySequenceNumber = new TreeMap<>(reverseOrder());
        for (DataFileMeta file : files) {
            bySequenceNumber
                    .computeIfAbsent(file.maxSequenceNumber(), ignored -> new ArrayList<>())
                    .add(file);
        }
        List<Layer> layers = new ArrayList<>();
        bySequenceNumber.forEach(
                (sequenceNumber, ofLayer) -> {
                    ofLayer.sort(comparingLong(DataFileMeta::nonNullFirstRowId));
                    layers.add(new Layer(sequenceNumber, ofLayer));
                });
        return layers;
    }

    /** The sequence number of all its files; the layer with the highest one is the newest. */
    public long sequenceNumber() {
        return sequenceNumber;
    }

    /** The files, ascending by row id. */
    public List<DataFileMeta> files() {
        return files;
    }

    /**
     * A message for each file that overlaps a file before it; it names both.
     *
     * @param paths has the folder of the files
     */
    public List<String> overlaps(DataFilePathFactory paths) {
        List<String> overlaps = new ArrayList<>();
        DataFileMeta reachesFarthest = files.get(0);
        for (DataFileMeta file : files.subList(1, files.size())) {
            Range farthest = reachesFarthest.nonNullRowIdRange();
            Range range = file.nonNullRowIdRange();
            if (farthest.hasIntersection(range)) {
                overlaps.add(
                        String.format(
                                "Two blob files of one layer (column %s, sequence number %s) must"
                                        + " not overlap, found %s with row ids %s and %s with row"
                                        + " ids %s.",
                                file.writeCols(),
                                sequenceNumber,
                                paths.toPath(reachesFarthest),
                                farthest,
                                paths.toPath(file),
                                range));
            }
            if (range.to > farthest.to) {
                reachesFarthest = file;
            }
        }
        return overlaps;
    }
}
