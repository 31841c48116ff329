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

import java.io.Closeable;
import java.io.IOException;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.format.entry.BlobEntries;
import org.apache.paimon.blobfallback.format.io.BlobReadMetrics;
import org.apache.paimon.blobfallback.format.io.ReadThreads;
import org.apache.paimon.blobfallback.layers.Bunch;
import org.apache.paimon.blobfallback.read.rows.RowIdIterator;
import org.apache.paimon.blobfallback.read.rows.RowSelection;
import org.apache.paimon.blobfallback.read.rows.Window;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.options.Options;

/**
 * The winners of all rows of one bunch, window by window, found from the indexes alone.
 *
 * <p>No file may be lost or corrupt, regardless of the table's options, since the callers replace
 * the files.
 */
public final class BlobWinners implements Closeable {

    /** Maximum number of rows in a window. */
    private static final int MAX_ROWS = 1 << 14;

    private final BlobLayers layers;
    private final RowIdIterator rowIds;
    private Window window;

    /**
     * @param bunch whose files are not open yet
     * @param fileIO opens the files
     * @param paths has the folder of the files
     * @param metrics count what is read
     * @param threads read indexes in parallel if the storage is remote
     * @throws IOException if two files of one layer overlap; it names both
     */
    public BlobWinners(
            Bunch bunch,
            FileIO fileIO,
            DataFilePathFactory paths,
            BlobReadMetrics metrics,
            ReadThreads threads)
            throws IOException {
        RowSelection selection = RowSelection.of(bunch.range(), null);
        FileFaults faults = new FileFaults(new CoreOptions(new Options()));
        this.layers =
                new BlobLayers(
                        BlobLayers.of(
                                bunch,
                                selection,
                                fileIO,
                                paths,
                                faults,
                                metrics,
                                threads.parallelism()),
                        faults,
                        threads);
        this.rowIds = new RowIdIterator(selection);
    }

    /**
     * Moves on to the next rows.
     *
     * @return false if there are none left
     * @throws IOException if a file is lost, corrupt or cannot be read; it names the file
     */
    public boolean nextWindow() throws IOException {
        if (!rowIds.hasNext()) {
            return false;
        }
        window = rowIds.nextWindow(MAX_ROWS);
        layers.resolve(window);
        return true;
    }

    /**
     * The winners of the window's rows: nothing if a row has none, or an explicit null. Valid until
     * the next window.
     */
    public BlobEntries winners() {
        return window.winners();
    }

    @Override
    public void close() throws IOException {
        layers.close();
    }
}
