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
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.BlobFileInput;
import org.apache.paimon.blobfallback.format.BlobIndex;
import org.apache.paimon.blobfallback.format.BlobIndexReader;
import org.apache.paimon.blobfallback.format.BlobReadMetrics;
import org.apache.paimon.blobfallback.format.OpenBlobFiles;
import org.apache.paimon.utils.Range;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One blob file of a layer while a read passes over its rows. Its index is read when the first row
 * of it is asked for.
 */
final class LayerFile implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(LayerFile.class);

    private final BlobFileInput input;
    private final Range range;
    private final FileFaults faults;
    private final BlobReadMetrics metrics;

    @Nullable private BlobIndex.Cursor cursor;
    private boolean gap;

    /**
     * @param input the file
     * @param range row ids of its entries
     * @param faults decides what a file that cannot be read means
     * @param metrics is told of the index that is read
     */
    LayerFile(BlobFileInput input, Range range, FileFaults faults, BlobReadMetrics metrics) {
        this.input = input;
        this.range = range;
        this.faults = faults;
        this.metrics = metrics;
    }

    Range range() {
        return range;
    }

    BlobFileInput input() {
        return input;
    }

    /** Lets all rows of the file count as a gap from now on. */
    void becomeGap() {
        gap = true;
        cursor = null;
    }

    /** Whether {@link #cursor} would have to read the index first. */
    boolean isUnread() {
        return cursor == null && !gap;
    }

    /**
     * Reads the index before anyone asks for it. If that fails, who asks for it reads it again, and
     * is told of it: nobody may ever ask.
     */
    void readAhead(OpenBlobFiles openFiles) {
        try {
            // Several threads may be at it, so there is nothing to share.
            BlobIndex.Cursor ahead = readIndex(new BlobIndexReader());
            openFiles.touch(input);
            cursor = ahead;
        } catch (IOException | RuntimeException e) {
            LOG.debug("The index of {} is not read ahead.", input.path(), e);
        }
    }

    /**
     * A cursor over the file's entries, the first of which is that of the first row id.
     *
     * @param openFiles is told of the file if it is opened
     * @param indexReader reads the index
     * @return null if the file counts as a gap
     * @throws IOException if the file cannot be read or is corrupt, and may not be ignored
     */
    @Nullable
    BlobIndex.Cursor cursor(OpenBlobFiles openFiles, BlobIndexReader indexReader)
            throws IOException {
        if (cursor == null && !gap) {
            try {
                cursor = readIndex(indexReader);
                openFiles.touch(input);
            } catch (IOException | RuntimeException e) {
                faults.ignoreOrThrow(input, e);
                becomeGap();
            }
        }
        return cursor;
    }

    private BlobIndex.Cursor readIndex(BlobIndexReader indexReader) throws IOException {
        long before = input.bytesRead();
        BlobIndex index = indexReader.read(input, range.count());
        metrics.readIndex(input.bytesRead() - before);
        return index.cursor();
    }

    @Override
    public void close() throws IOException {
        cursor = null;
        input.close();
    }
}
