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
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.index.BlobIndex;
import org.apache.paimon.blobfallback.format.index.BlobIndexReader;
import org.apache.paimon.blobfallback.format.index.Indexes;
import org.apache.paimon.blobfallback.format.io.BlobFileException;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.format.io.BlobReadMetrics;
import org.apache.paimon.utils.Range;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One blob file of a layer while a read moves over its rows. Its index is read when its first row
 * is needed.
 */
final class LayerFile implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(LayerFile.class);

    private final BlobFileInput input;
    private final Range range;
    private final FileFaults faults;
    private final BlobReadMetrics metrics;
    private final Indexes indexes;

    @Nullable private BlobIndex.Cursor cursor;
    private boolean gap;

    /**
     * @param input the file
     * @param range row ids of its entries
     * @param faults what to do if the file cannot be read
     * @param metrics counts the index when it is read
     * @param indexes has the index of the file
     */
    LayerFile(
            BlobFileInput input,
            Range range,
            FileFaults faults,
            BlobReadMetrics metrics,
            Indexes indexes) {
        this.input = input;
        this.range = range;
        this.faults = faults;
        this.metrics = metrics;
        this.indexes = indexes;
    }

    Range range() {
        return range;
    }

    BlobFileInput input() {
        return input;
    }

    /** Makes all rows of the file count as a gap. */
    void becomeGap() {
        gap = true;
        cursor = null;
    }

    /** Whether {@link #cursor} would have to read the index first. */
    boolean isUnread() {
        return cursor == null && !gap;
    }

    /**
     * Reads the index before it is needed. If that fails, the failure is ignored here, since the
     * index may never be needed; otherwise it is read again then, and the failure is reported.
     */
    void readAhead() {
        try {
            // May run in several threads, so no reader is shared.
            cursor = readIndex(new BlobIndexReader());
        } catch (IOException | RuntimeException e) {
            LOG.debug("The index of {} is not read ahead.", input.path(), e);
        }
    }

    /**
     * A cursor over the file's entries, the first of which is that of the first row id.
     *
     * @param indexReader reads the index
     * @return null if the file counts as a gap
     * @throws IOException if the file cannot be read or is corrupt, and may not be ignored
     */
    @Nullable
    BlobIndex.Cursor cursor(BlobIndexReader indexReader) throws IOException {
        if (cursor == null && !gap) {
            try {
                cursor = readIndex(indexReader);
            } catch (BlobFileException e) {
                faults.ignoreOrThrow(input, e);
                becomeGap();
            }
        }
        return cursor;
    }

    /** The rows of a window are resolved, and others may never be. */
    void windowDone() {
        if (indexes.keep()) {
            cursor = null;
        }
    }

    private BlobIndex.Cursor readIndex(BlobIndexReader indexReader) throws IOException {
        long before = input.bytesRead();
        BlobIndex index = indexes.of(input, range.count(), indexReader);
        metrics.readIndex(input.bytesRead() - before);
        return index.cursor();
    }

    @Override
    public void close() throws IOException {
        cursor = null;
        input.close();
    }
}
