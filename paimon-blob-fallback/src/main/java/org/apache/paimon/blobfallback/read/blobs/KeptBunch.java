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

package org.apache.paimon.blobfallback.read.blobs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.paimon.blobfallback.format.index.Indexes;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.format.io.BlobReadMetrics;
import org.apache.paimon.blobfallback.layers.Bunch;
import org.apache.paimon.blobfallback.layers.Layer;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.utils.Range;

/**
 * The layers of a bunch for many reads of a few rows each, at once or one after the other. Its
 * files belong to who made it: a read does not close them.
 */
public final class KeptBunch {

    private final List<KeptLayer> layers = new ArrayList<>();

    /**
     * @param bunch whose layers to keep; nothing of it is kept but the row ids of files
     * @param paths knows where the files are, for messages
     * @param inputs the bytes of each file
     * @throws IOException if two files of one layer overlap; it names both
     */
    public KeptBunch(
            Bunch bunch, DataFilePathFactory paths, Function<DataFileMeta, BlobFileInput> inputs)
            throws IOException {
        for (Layer layer : bunch.layers()) {
            BlobLayers.checkNoOverlap(layer, paths);
            layers.add(new KeptLayer(layer, inputs));
        }
    }

    /**
     * The layers for one read, each with those of its files that hold a row of the read.
     *
     * @param rowIds ascending
     * @return newest layer first
     */
    List<BlobLayer> holding(
            long[] rowIds, FileFaults faults, BlobReadMetrics metrics, Indexes indexes) {
        List<BlobLayer> holding = new ArrayList<>();
        for (KeptLayer layer : layers) {
            List<LayerFile> files = layer.holding(rowIds, faults, metrics, indexes);
            if (!files.isEmpty()) {
                holding.add(new BlobLayer(layer.sequenceNumber, files));
            }
        }
        return holding;
    }

    /** The files of one layer, ascending by row id, without overlap. */
    private static final class KeptLayer {

        private final long sequenceNumber;
        private final Range[] ranges;
        private final BlobFileInput[] inputs;

        private KeptLayer(Layer layer, Function<DataFileMeta, BlobFileInput> inputs) {
            this.sequenceNumber = layer.sequenceNumber();
            this.ranges =
                    layer.files().stream()
                            .map(DataFileMeta::nonNullRowIdRange)
                            .toArray(Range[]::new);
            this.inputs = layer.files().stream().map(inputs).toArray(BlobFileInput[]::new);
        }

        private List<LayerFile> holding(
                long[] rowIds, FileFaults faults, BlobReadMetrics metrics, Indexes indexes) {
            List<LayerFile> holding = new ArrayList<>();
            int next = 0;
            while (next < rowIds.length) {
                int file = firstEndingAtOrAfter(rowIds[next]);
                if (file == ranges.length) {
                    break;
                }
                int first = placeFrom(rowIds, ranges[file].from);
                int end = placeFrom(rowIds, ranges[file].to + 1);
                if (first < end) {
                    holding.add(
                            new LayerFile(inputs[file], ranges[file], faults, metrics, indexes));
                }
                next = Math.max(first, end);
            }
            return holding;
        }

        private int firstEndingAtOrAfter(long rowId) {
            int low = 0;
            int high = ranges.length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (ranges[middle].to < rowId) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }

        private static int placeFrom(long[] rowIds, long rowId) {
            int place = Arrays.binarySearch(rowIds, rowId);
            return place < 0 ? -place - 1 : place;
        }
    }
}
