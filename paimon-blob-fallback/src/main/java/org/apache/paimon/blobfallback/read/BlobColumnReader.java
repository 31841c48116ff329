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
import java.util.concurrent.Future;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.BlobElementCodec;
import org.apache.paimon.blobfallback.format.BlobEntryReader;
import org.apache.paimon.blobfallback.format.BlobReadOptions;
import org.apache.paimon.blobfallback.format.BlobValues;
import org.apache.paimon.blobfallback.format.OpenBlobFiles;
import org.apache.paimon.blobfallback.format.ReadThreads;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReader;

/**
 * Reads one blob column of a group: for each row the newest entry that is neither placeholder nor
 * gap.
 *
 * <p>It goes over the rows in windows. Of a window it first finds the winners from the indexes
 * alone, from the newest layer to the oldest and no further than needed, and then reads the bytes
 * of the winners only, in batches that fit into the buffer. A file is opened when a window reaches
 * it and closed when the read has passed it. Where requests take their time, the next batch is
 * fetched while one is consumed.
 */
final class BlobColumnReader implements RecordReader<InternalRow> {

    private final ReadThreads threads;
    private final OpenBlobFiles openFiles = new OpenBlobFiles();
    private final BlobLayers layers;
    private final BlobBatches batches;

    @Nullable private Future<BlobBatch> ahead;

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
        this.threads = new ReadThreads(options.parallelism());
        this.layers = new BlobLayers(layers, faults, openFiles, threads);
        this.batches =
                new BlobBatches(
                        this.layers,
                        new RowIdIterator(selection),
                        new BlobValues(
                                codec,
                                asDescriptor,
                                new BlobEntryReader(options, openFiles, threads, Long.MAX_VALUE)),
                        layout,
                        faults);
    }

    @Nullable
    @Override
    public RecordIterator<InternalRow> readBatch() throws IOException {
        BlobBatch batch = ahead == null ? batches.next() : ReadThreads.await(ahead);
        boolean wait = threads.canHelp() && openFiles.areRemote();
        ahead = batch != null && wait ? threads.start(batches::next) : null;
        return batch;
    }

    @Override
    public void close() throws IOException {
        threads.close();
        layers.close();
    }
}
