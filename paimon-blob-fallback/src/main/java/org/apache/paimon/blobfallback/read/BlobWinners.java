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

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.format.BlobEntries;
import org.apache.paimon.blobfallback.format.BlobReadMetrics;
import org.apache.paimon.blobfallback.format.OpenBlobFiles;
import org.apache.paimon.blobfallback.format.ReadThreads;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.options.Options;
import org.apache.paimon.utils.Range;

/**
 * The winners of all rows of one bunch, window by window, found from the indexes alone.
 *
 * <p>No file may be lost or corrupt, whatever the table's options say: this is for those who
 * replace the files.
 */
public final class BlobWinners implements Closeable {

    /** Most rows of a window. */
    private static final int MOST_ROWS = 1 << 14;

    private final BlobLayers layers;
    private final RowIdIterator rowIds;
    private Window window;

    /**
     * @param fieldId of the column
     * @param files of the bunch; none is opened yet
     * @param rowIds of the group, both ends included
     * @param fileIO opens the files
     * @param paths knows where the files are
     * @param openFiles is told of the files that are opened
     * @param metrics are told of what is read
     * @param threads read indexes at once where storage is remote
     * @throws IOException if two files of one layer overlap; it names both
     */
    public BlobWinners(
            int fieldId,
            List<DataFileMeta> files,
            Range rowIds,
            FileIO fileIO,
            DataFilePathFactory paths,
            OpenBlobFiles openFiles,
            BlobReadMetrics metrics,
            ReadThreads threads)
            throws IOException {
        BlobBunch bunch = new BlobBunch(fieldId);
        files.forEach(bunch::add);
        RowSelection selection = RowSelection.of(rowIds, null);
        FileFaults faults = new FileFaults(new CoreOptions(new Options()));
        this.layers =
                new BlobLayers(
                        bunch.layers(selection, fileIO, paths, faults, metrics),
                        faults,
                        openFiles,
                        threads);
        this.rowIds = new RowIdIterator(selection);
    }

    /**
     * Goes on to the next rows.
     *
     * @return false if there are none left
     * @throws IOException if a file is lost, corrupt or cannot be read; it names the file
     */
    public boolean nextWindow() throws IOException {
        if (!rowIds.hasNext()) {
            return false;
        }
        window = rowIds.nextWindow(MOST_ROWS);
        layers.resolve(window);
        return true;
    }

    /**
     * The winners of the window's rows: nothing if a row has none, or an explicit null. Of use
     * until the next window.
     */
    public BlobEntries winners() {
        return window.winners();
    }

    @Override
    public void close() throws IOException {
        layers.close();
    }
}
