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

import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.BlobFileException;
import org.apache.paimon.blobfallback.format.BlobValues;

/**
 * Makes batches of one blob column: finds the winners of a window of rows and then reads as many of
 * their values as fit into the buffer, until the window is done. Not for several threads at once.
 */
final class BlobBatches {

    /** Places of the first window; few, as a read with a limit may end soon. */
    static final int FEWEST_PLACES = 1 << 10;

    private static final int MOST_PLACES = 1 << 16;

    private static final int GROWTH = 4;

    private final BlobLayers layers;
    private final RowIdIterator rowIds;
    private final BlobValues values;
    private final BlobRowLayout layout;
    private final FileFaults faults;

    private int places = FEWEST_PLACES;
    @Nullable private Window window;
    private int next;

    BlobBatches(
            BlobLayers layers,
            RowIdIterator rowIds,
            BlobValues values,
            BlobRowLayout layout,
            FileFaults faults) {
        this.layers = layers;
        this.rowIds = rowIds;
        this.values = values;
        this.layout = layout;
        this.faults = faults;
    }

    /**
     * The next batch.
     *
     * @return null at the end
     * @throws IOException if a file cannot be read or is corrupt, and may not be ignored; it names
     *     the file
     */
    @Nullable
    BlobBatch next() throws IOException {
        if (window == null || next == window.length()) {
            if (!rowIds.hasNext()) {
                return null;
            }
            window = rowIds.nextWindow(places);
            places = Math.min(MOST_PLACES, GROWTH * places);
            next = 0;
            layers.resolve(window);
        }
        int start = next;
        Object[] batch = read(start);
        next = start + batch.length;
        return new BlobBatch(window, start, batch, layout);
    }

    private Object[] read(int start) throws IOException {
        while (true) {
            try {
                return values.read(window.winners(), start, window.length());
            } catch (BlobFileException e) {
                if (!faults.ignoresSome()) {
                    throw e;
                }
                layers.turnIntoGap(e);
                window.undecideFrom(start);
                layers.resolve(window);
            }
        }
    }
}
