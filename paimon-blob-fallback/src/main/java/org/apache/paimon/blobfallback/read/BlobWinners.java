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
import org.apache.paimon.blobfallback.format.BlobEntry;
import org.apache.paimon.blobfallback.format.OpenBlobFiles;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.options.Options;
import org.apache.paimon.utils.IOUtils;
import org.apache.paimon.utils.Range;

/**
 * The winners of all rows of one bunch, window by window, found from the indexes alone.
 *
 * <p>No file may be lost or corrupt, whatever the table's options say: this is for those who
 * replace the files.
 */
public final class BlobWinners implements Closeable {

    private final List<BlobLayer> layers;
    private final RowIdIterator rowIds;
    private final OpenBlobFiles openFiles;
    private final Window window = new Window();

    /**
     * @param fieldId of the column
     * @param files of the bunch; none is opened yet
     * @param rowIds of the group, both ends included
     * @param fileIO opens the files
     * @param paths knows where the files are
     * @param openFiles is told of the files that are opened
     * @throws IOException if two files of one layer overlap; it names both
     */
    public BlobWinners(
            int fieldId,
            List<DataFileMeta> files,
            Range rowIds,
            FileIO fileIO,
            DataFilePathFactory paths,
            OpenBlobFiles openFiles)
            throws IOException {
        BlobBunch bunch = new BlobBunch(fieldId);
        files.forEach(bunch::add);
        RowSelection selection = RowSelection.of(rowIds, null);
        FileFaults faults = new FileFaults(new CoreOptions(new Options()));
        this.layers = bunch.layers(selection, fileIO, paths, faults);
        this.rowIds = new RowIdIterator(selection);
        this.openFiles = openFiles;
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
        window.reset(rowIds);
        for (BlobLayer layer : layers) {
            if (window.isDecided()) {
                break;
            }
            layer.resolve(window, openFiles);
        }
        return true;
    }

    /** Number of rows of the window. */
    public int count() {
        return window.count();
    }

    /**
     * The winners of the window's rows: null if a row has none, or an explicit null. Of use up to
     * {@link #count()} and until the next window.
     */
    public BlobEntry[] winners() {
        return window.winners();
    }

    @Override
    public void close() throws IOException {
        try {
            IOUtils.closeAll(layers);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("Cannot close blob files", e);
        }
    }
}
