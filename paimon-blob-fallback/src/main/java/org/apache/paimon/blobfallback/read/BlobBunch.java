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

import static java.util.Collections.reverseOrder;
import static java.util.Comparator.comparingLong;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.blobfallback.format.BlobFileInput;
import org.apache.paimon.blobfallback.format.BlobReadMetrics;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.utils.Range;

/** All blob files of one column in one group. */
public final class BlobBunch {

    private final int fieldId;
    private final List<DataFileMeta> files = new ArrayList<>();

    BlobBunch(int fieldId) {
        this.fieldId = fieldId;
    }

    void add(DataFileMeta file) {
        files.add(file);
    }

    /** The column's field id. */
    public int fieldId() {
        return fieldId;
    }

    /** The files, in no particular order. */
    public List<DataFileMeta> files() {
        return files;
    }

    /**
     * The files that have a row of the selection, as layers.
     *
     * @return newest layer first
     * @throws IOException if two files of one layer overlap; it names both
     */
    List<BlobLayer> layers(
            RowSelection selection,
            FileIO fileIO,
            DataFilePathFactory paths,
            FileFaults faults,
            BlobReadMetrics metrics)
            throws IOException {
        Map<Long, List<DataFileMeta>> bySequenceNumber = new TreeMap<>(reverseOrder());
        for (DataFileMeta file : files) {
            bySequenceNumber
                    .computeIfAbsent(file.maxSequenceNumber(), ignored -> new ArrayList<>())
                    .add(file);
        }
        List<BlobLayer> layers = new ArrayList<>();
        for (Map.Entry<Long, List<DataFileMeta>> entry : bySequenceNumber.entrySet()) {
            List<DataFileMeta> inOrder = entry.getValue();
            inOrder.sort(comparingLong(DataFileMeta::nonNullFirstRowId));
            checkNoOverlap(inOrder, paths);
            List<LayerFile> layerFiles = new ArrayList<>();
            for (DataFileMeta file : inOrder) {
                Range range = file.nonNullRowIdRange();
                if (selection.intersects(range)) {
                    BlobFileInput input =
                            new BlobFileInput(fileIO, paths.toPath(file), file.fileSize(), metrics);
                    layerFiles.add(new LayerFile(input, range, faults, metrics));
                }
            }
            if (!layerFiles.isEmpty()) {
                layers.add(new BlobLayer(entry.getKey(), layerFiles));
            }
        }
        return layers;
    }

    private void checkNoOverlap(List<DataFileMeta> inOrder, DataFilePathFactory paths)
            throws IOException {
        for (int i = 1; i < inOrder.size(); i++) {
            DataFileMeta before = inOrder.get(i - 1);
            DataFileMeta file = inOrder.get(i);
            if (before.nonNullRowIdRange().hasIntersection(file.nonNullRowIdRange())) {
                throw new IOException(
                        String.format(
                                "Two blob files of one layer (field id %d, sequence number %d) must"
                                        + " not overlap, found %s with row ids %s and %s with row"
                                        + " ids %s.",
                                fieldId,
                                file.maxSequenceNumber(),
                                paths.toPath(before),
                                before.nonNullRowIdRange(),
                                paths.toPath(file),
                                file.nonNullRowIdRange()));
            }
        }
    }
}
