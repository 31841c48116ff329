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
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.column.BlobValues;
import org.apache.paimon.blobfallback.format.io.BlobFileException;
import org.apache.paimon.blobfallback.read.rows.Window;
import org.apache.paimon.blobfallback.read.rows.Windows;

/**
 * Makes batches of one blob column: finds the winners of a window of rows, then reads as many of
 * their values at a time as fit into the buffer. Not thread-safe.
 */
public final class BlobBatches {

    /** Places of the first window: few, since a read with a limit may end soon. */
    public static final int MIN_PLACES = 1 << 10;

    private static final int MAX_PLACES = 1 << 16;

    private static final int GROWTH = 4;

    private final BlobLayers layers;
    private final Windows rows;
    private final BlobValues values;
    private final BlobRowLayout layout;
    private final String column;

    private int places;
    @Nullable private Window window;
    private int next;

    /**
     * @param layers of the rows
     * @param rows to read
     * @param values makes the values
     * @param layout of the rows to hand out
     * @param column and its table, for messages
     * @param firstPlaces most places of the first window
     */
    BlobBatches(
            BlobLayers layers,
            Windows rows,
            BlobValues values,
            BlobRowLayout layout,
            String column,
            int firstPlaces) {
        this.layers = layers;
        this.rows = rows;
        this.values = values;
        this.layout = layout;
        this.column = column;
        this.places = firstPlaces;
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
            if (!rows.hasNext()) {
                return null;
            }
            window = rows.nextWindow(places);
            places = Math.min(MAX_PLACES, GROWTH * places);
            next = 0;
            layers.resolve(window);
        }
        int start = next;
        Object[] batch = read(start);
        next = start + batch.length;
        return new BlobBatch(window, start, batch, layout, column);
    }

    private Object[] read(int start) throws IOException {
        while (true) {
            try {
                return values.read(window.winners(), start, window.length());
            } catch (BlobFileException e) {
                layers.turnIntoGap(e);
                window.undecideFrom(start);
                layers.resolve(window);
            }
        }
    }
}
