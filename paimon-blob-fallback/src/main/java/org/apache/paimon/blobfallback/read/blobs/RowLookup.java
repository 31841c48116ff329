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
import org.apache.paimon.blobfallback.format.column.BlobColumnType;
import org.apache.paimon.blobfallback.format.column.BlobForm;
import org.apache.paimon.blobfallback.format.column.BlobValues;
import org.apache.paimon.blobfallback.format.entry.BlobEntryReader;
import org.apache.paimon.blobfallback.format.index.Indexes;
import org.apache.paimon.blobfallback.format.io.BlobReadMetrics;
import org.apache.paimon.blobfallback.format.io.BlobReadOptions;
import org.apache.paimon.blobfallback.format.io.ReadThreads;
import org.apache.paimon.blobfallback.read.rows.ListedRows;
import org.apache.paimon.data.GenericRow;

/**
 * Reads listed rows of blob columns, by the same rules as {@link BlobColumnReader}, and leaves the
 * files open. For several threads.
 */
public final class RowLookup {

    private final BlobReadOptions options;
    private final ReadThreads threads;
    private final Indexes indexes;
    private final FileFaults faults;
    private final BlobReadMetrics metrics = new BlobReadMetrics();

    private volatile boolean remote;

    /**
     * @param options how to read entries
     * @param threads make requests at once, for all callers
     * @param indexes have the indexes of files
     * @param faults what to do with files that cannot be read
     */
    public RowLookup(
            BlobReadOptions options, ReadThreads threads, Indexes indexes, FileFaults faults) {
        this.options = options;
        this.threads = threads;
        this.indexes = indexes;
        this.faults = faults;
    }

    /** Whether a file was opened to which a request takes its time. */
    public boolean isRemote() {
        return remote;
    }

    /** What all reads have cost so far. */
    public BlobReadMetrics metrics() {
        return metrics;
    }

    /**
     * The values of rows, all of them in memory unless they are descriptors.
     *
     * @param bunch that the rows are of
     * @param rowIds ascending, each once, at least one
     * @param columnType of the bunch's column
     * @param form of the values; a part only of a BLOB column
     * @param column and its table, for messages
     * @return a value for each row id: a blob, or what holds the blobs of the column's type, or
     *     null
     * @throws IOException if a file cannot be read or is corrupt, and may not be ignored; it names
     *     the file
     */
    public Object[] read(
            KeptBunch bunch, long[] rowIds, BlobColumnType columnType, BlobForm form, String column)
            throws IOException {
        BlobLayers layers =
                new BlobLayers(bunch.holding(rowIds, faults, metrics, indexes), faults, threads);
        // One window, so that no file is passed and closed: it may be in use elsewhere.
        BlobBatches batches =
                new BlobBatches(
                        layers,
                        new ListedRows(rowIds),
                        new BlobValues(
                                columnType,
                                form,
                                new BlobEntryReader(options, threads, Long.MAX_VALUE)),
                        BlobRowLayout.blobOnly(),
                        column,
                        rowIds.length);
        Object[] values = new Object[rowIds.length];
        int count = 0;
        for (BlobBatch batch = batches.next(); batch != null; batch = batches.next()) {
            for (GenericRow row = batch.next(); row != null; row = batch.next()) {
                values[count++] = row.getField(0);
            }
        }
        if (!remote && layers.areRemote()) {
            remote = true;
        }
        return values;
    }
}
