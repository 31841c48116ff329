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
import java.util.List;
import java.util.concurrent.Future;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.column.BlobColumnType;
import org.apache.paimon.blobfallback.format.column.BlobForm;
import org.apache.paimon.blobfallback.format.column.BlobValues;
import org.apache.paimon.blobfallback.format.entry.BlobEntryReader;
import org.apache.paimon.blobfallback.format.io.BlobReadOptions;
import org.apache.paimon.blobfallback.format.io.ReadThreads;
import org.apache.paimon.blobfallback.read.rows.RowIdIterator;
import org.apache.paimon.blobfallback.read.rows.SelectedRows;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReader;

/**
 * Reads one blob column of a group: for each row the newest entry that is neither placeholder nor
 * gap.
 *
 * <p>It reads rows in windows. For each window it first finds the winners from the indexes alone,
 * from the newest layer to the oldest and no further than needed, and then reads only the bytes of
 * the winners, in batches that fit into the buffer. A file is opened when a window reaches it and
 * closed when the read has passed it. If requests are slow, the next batch is fetched while one is
 * consumed.
 */
public final class BlobColumnReader implements RecordReader<InternalRow> {

    private final ReadThreads threads;
    private final BlobLayers layers;
    private final BlobBatches batches;

    @Nullable private Future<BlobBatch> ahead;

    /**
     * @param layers newest first; closed with this reader
     * @param rows to read
     * @param layout of the rows to return
     * @param column and its table, for messages
     * @param columnType of the column
     * @param asDescriptor whether blobs are returned as descriptors
     * @param options how to read entries
     * @param faults what to do with files that cannot be read
     */
    public BlobColumnReader(
            List<BlobLayer> layers,
            SelectedRows rows,
            BlobRowLayout layout,
            String column,
            BlobColumnType columnType,
            boolean asDescriptor,
            BlobReadOptions options,
            FileFaults faults) {
        this.threads = new ReadThreads(options.parallelism());
        this.layers = new BlobLayers(layers, faults, threads);
        this.batches =
                new BlobBatches(
                        this.layers,
                        new RowIdIterator(rows),
                        new BlobValues(
                                columnType,
                                BlobForm.of(asDescriptor),
                                new BlobEntryReader(options, threads, Long.MAX_VALUE)),
                        layout,
                        column,
                        BlobBatches.MIN_PLACES);
    }

    @Nullable
    @Override
    public RecordIterator<InternalRow> readBatch() throws IOException {
        BlobBatch batch = ahead == null ? batches.next() : ReadThreads.await(ahead);
        boolean wait = threads.canHelp() && layers.areRemote();
        ahead = batch != null && wait ? threads.start(batches::next) : null;
        return batch;
    }

    @Override
    public void close() throws IOException {
        threads.close();
        layers.close();
    }
}
