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
import java.util.List;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.BlobElementCodec;
import org.apache.paimon.blobfallback.format.BlobEntryReader;
import org.apache.paimon.blobfallback.format.BlobFileException;
import org.apache.paimon.blobfallback.format.BlobReadOptions;
import org.apache.paimon.blobfallback.format.BlobValues;
import org.apache.paimon.blobfallback.format.OpenBlobFiles;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReader;

/**
 * Reads one blob column of a group: for each row the newest entry that is neither placeholder nor
 * gap.
 *
 * <p>It goes over the rows in windows. Of a window it first finds the winners from the indexes
 * alone, from the newest layer to the oldest and no further than needed, and then reads the bytes
 * of the winners only. A file is opened when a window reaches it and closed when the read has
 * passed it.
 */
final class BlobColumnReader implements RecordReader<InternalRow> {

    private final List<BlobLayer> layers;
    private final RowIdIterator rowIds;
    private final BlobRowLayout layout;
    private final FileFaults faults;
    private final boolean asDescriptor;

    private final OpenBlobFiles openFiles = new OpenBlobFiles();
    private final Window window = new Window();
    private final BlobValues values;

    private boolean returned;
    private int nextRow;

    /**
     * @param layers newest first; closed with this reader
     * @param selection rows to read
     * @param layout of the rows to hand out
     * @param codec of the column
     * @param asDescriptor whether blobs come as descriptors
     * @param options how to read entries
     * @param faults what to do with files that cannot be read
     */
    BlobColumnReader(
            List<BlobLayer> layers,
            RowSelection selection,
            BlobRowLayout layout,
            BlobElementCodec codec,
            boolean asDescriptor,
            BlobReadOptions options,
            FileFaults faults) {
        this.layers = layers;
        this.rowIds = new RowIdIterator(selection);
        this.layout = layout;
        this.faults = faults;
        this.asDescriptor = asDescriptor;
        this.values = new BlobValues(codec, asDescriptor, new BlobEntryReader(options, openFiles));
    }

    @Nullable
    @Override
    public RecordIterator<InternalRow> readBatch() {
        if (returned) {
            return null;
        }
        returned = true;
        return new Rows();
    }

    @Nullable
    private InternalRow next() throws IOException {
        if (nextRow == window.count()) {
            if (!rowIds.hasNext()) {
                return null;
            }
            window.reset(rowIds);
            nextRow = 0;
            resolve();
        }
        Object value = value(nextRow);
        GenericRow row = layout.row(value, window.rowId(nextRow), window.sequenceNumber(nextRow));
        nextRow++;
        return row;
    }

    private void resolve() throws IOException {
        for (BlobLayer layer : layers) {
            if (window.isDecided()) {
                break;
            }
            layer.resolve(window, openFiles);
        }
        if (asDescriptor) {
            openFiles.releaseAll();
        }
        values.reset(window.winners(), window.count());
    }

    @Nullable
    private Object value(int row) throws IOException {
        while (true) {
            try {
                return values.value(row);
            } catch (BlobFileException e) {
                if (!faults.ignoresSome()) {
                    throw e;
                }
                turnIntoGap(e);
                window.undecideFrom(row);
                resolve();
            }
        }
    }

    private void turnIntoGap(BlobFileException fault) throws IOException {
        for (BlobLayer layer : layers) {
            for (LayerFile file : layer.files()) {
                if (file.input().path().equals(fault.path())) {
                    faults.ignoreOrThrow(file.input(), fault);
                    file.becomeGap();
                    return;
                }
            }
        }
        throw fault;
    }

    @Override
    public void close() throws IOException {
        IOException failure = null;
        for (BlobLayer layer : layers) {
            try {
                layer.close();
            } catch (IOException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** The only batch: all rows. */
    private final class Rows implements RecordIterator<InternalRow> {

        @Nullable
        @Override
        public InternalRow next() throws IOException {
            return BlobColumnReader.this.next();
        }

        @Override
        public void releaseBatch() {}
    }
}
