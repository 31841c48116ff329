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

package org.apache.paimon.blobfallback.update;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.paimon.blobfallback.format.BlobEntries;
import org.apache.paimon.blobfallback.format.BlobEntry;
import org.apache.paimon.blobfallback.format.BlobEntryReader;
import org.apache.paimon.blobfallback.format.BlobReadMetrics;
import org.apache.paimon.blobfallback.format.BlobReadOptions;
import org.apache.paimon.blobfallback.format.BlobReadTable;
import org.apache.paimon.blobfallback.format.OpenBlobFiles;
import org.apache.paimon.blobfallback.format.ReadThreads;
import org.apache.paimon.blobfallback.format.StoredEntry;
import org.apache.paimon.blobfallback.read.BlobWinners;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;

/** Rewrites bunches as one layer each: every row's winner, or null. */
final class FlattenWriter {

    private static final InternalRow NULL = GenericRow.of((Object) null);

    private final FileStoreTable table;
    private final UncommittedFiles uncommitted;
    private final BlobReadOptions readOptions;
    private final BlobReadMetrics metrics;
    private final List<BlobFlattenTask> done = new ArrayList<>();

    /**
     * @param uncommitted answers for the new files
     * @param metrics are told of what is read
     */
    FlattenWriter(FileStoreTable table, UncommittedFiles uncommitted, BlobReadMetrics metrics) {
        this.metrics = metrics;
        this.table = table;
        this.uncommitted = uncommitted;
        // The old files go, so a damaged entry must be noticed now.
        this.readOptions = BlobReadTable.optionsOf(table).withVerifyChecksum();
    }

    /**
     * Rewrites bunches of one group.
     *
     * @return what replaces the old files by the new ones
     * @throws IOException if a file cannot be read, is corrupt, or cannot be written
     */
    CommitMessage write(List<FlattenBunch> bunches) throws IOException {
        List<DataFileMeta> before = new ArrayList<>();
        List<DataFileMeta> after = new ArrayList<>();
        for (FlattenBunch bunch : bunches) {
            before.addAll(bunch.files());
            for (DataFileMeta file : write(bunch)) {
                // Below any update that lands meanwhile, above whatever else is there.
                after.add(
                        file.assignSequenceNumber(
                                bunch.minSequenceNumber(), bunch.maxSequenceNumber()));
            }
        }
        return message(bunches.get(0).group(), before, after);
    }

    /** What has been rewritten so far, in that order. */
    List<BlobFlattenTask> done() {
        return done;
    }

    /**
     * A compaction, where the host lets it pass: it wants all files but blob files to span the same
     * row ids, which vector files do not once they are rolled. There it is an overwrite of these
     * files, which the host checks for conflicts just as well.
     */
    private CommitMessage message(
            RowGroup group, List<DataFileMeta> before, List<DataFileMeta> after) {
        boolean mayHaveVectorFiles = table.coreOptions().withVectorFormat();
        return new CommitMessageImpl(
                group.partition(),
                group.bucket(),
                group.totalBuckets(),
                mayHaveVectorFiles
                        ? new DataIncrement(after, before, Collections.emptyList())
                        : DataIncrement.emptyIncrement(),
                mayHaveVectorFiles
                        ? CompactIncrement.emptyIncrement()
                        : new CompactIncrement(before, after, Collections.emptyList()));
    }

    private List<DataFileMeta> write(FlattenBunch bunch) throws IOException {
        OpenBlobFiles openFiles = new OpenBlobFiles();
        LayerWriter layer =
                new LayerWriter(
                        table, bunch.group(), bunch.column(), FileSource.COMPACT, uncommitted);
        try (ReadThreads threads = new ReadThreads(readOptions.parallelism());
                BlobWinners winners = bunch.winners(openFiles, metrics, threads)) {
            BlobEntryReader reader =
                    new BlobEntryReader(readOptions, openFiles, threads, readOptions.bufferSize());
            long kept = 0;
            while (winners.nextWindow()) {
                kept += write(winners, reader, layer);
            }
            List<DataFileMeta> files = layer.finish();
            done.add(bunch.task(kept));
            return files;
        } catch (IOException | RuntimeException | Error e) {
            layer.abort();
            throw e;
        }
    }

    /**
     * Writes a window in batches that fit into the buffer; what does not fit is streamed.
     *
     * @return bytes of the entries that were written
     */
    private long write(BlobWinners winners, BlobEntryReader reader, LayerWriter layer)
            throws IOException {
        BlobEntries entries = winners.winners();
        byte[][] payloads = new byte[entries.rowCount()][];
        int start = 0;
        int end = 0;
        long written = 0;
        for (int i = 0; i < entries.rowCount(); i++) {
            if (i == end) {
                start = i;
                end = reader.read(entries, start, entries.rowCount(), payloads);
            }
            BlobEntry entry = entries.get(i);
            written += entry == null ? 0 : entry.length();
            layer.write(
                    entry == null
                            ? NULL
                            : GenericRow.of(new StoredEntry(entry, payloads[i - start])));
            payloads[i - start] = null;
        }
        return written;
    }
}
