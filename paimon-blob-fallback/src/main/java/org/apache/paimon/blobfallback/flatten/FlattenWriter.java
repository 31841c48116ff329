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

package org.apache.paimon.blobfallback.flatten;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.format.entry.BlobEntries;
import org.apache.paimon.blobfallback.format.entry.BlobEntry;
import org.apache.paimon.blobfallback.format.entry.BlobEntryReader;
import org.apache.paimon.blobfallback.format.entry.StoredEntry;
import org.apache.paimon.blobfallback.format.io.BlobReadMetrics;
import org.apache.paimon.blobfallback.format.io.BlobReadOptions;
import org.apache.paimon.blobfallback.format.io.BlobReadTable;
import org.apache.paimon.blobfallback.format.io.ReadThreads;
import org.apache.paimon.blobfallback.host.CommitMessages;
import org.apache.paimon.blobfallback.read.blobs.BlobWinners;
import org.apache.paimon.blobfallback.write.LayerWriter;
import org.apache.paimon.blobfallback.write.UncommittedFiles;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;

/** Rewrites bunches as one layer each: every row's winner, or null. */
public final class FlattenWriter {

    private static final InternalRow NULL = GenericRow.of((Object) null);

    private final FileStoreTable table;
    private final UncommittedFiles uncommitted;
    private final BlobReadOptions readOptions;
    private final BlobReadMetrics metrics;
    private final Map<FlattenBunch, Long> bytesKept = new LinkedHashMap<>();

    /**
     * @param uncommitted is responsible for the new files
     * @param metrics count what is read
     */
    public FlattenWriter(
            FileStoreTable table, UncommittedFiles uncommitted, BlobReadMetrics metrics) {
        this.metrics = metrics;
        this.table = table;
        this.uncommitted = uncommitted;
        this.readOptions = readOptions(table);
    }

    /**
     * How a flatten, or its dry run, reads blob files: by the options of the table and of its
     * catalog. The old files will be deleted, so a damaged entry must be detected.
     */
    public static BlobReadOptions readOptions(FileStoreTable table) {
        return BlobReadTable.optionsOf(table).withVerifyChecksum();
    }

    /**
     * Rewrites bunches of joined groups.
     *
     * @param joined at least one bunch
     * @return a message that replaces the old files with the new ones
     * @throws IOException if a file cannot be read, is corrupt, or cannot be written
     */
    public CommitMessage write(JoinedBunches joined) throws IOException {
        List<DataFileMeta> after = new ArrayList<>();
        for (FlattenBunch bunch : joined.bunches()) {
            for (DataFileMeta file : write(bunch)) {
                // Below any update that is committed meanwhile, above all other layers.
                after.add(
                        file.assignSequenceNumber(
                                bunch.minSequenceNumber(), bunch.maxSequenceNumber()));
            }
        }
        return message(joined.bunches().get(0).group().anchor(), joined.files(), after);
    }

    /**
     * The bunches that have been rewritten so far, in that order, with the bytes of their winners.
     */
    public Map<FlattenBunch, Long> bytesKept() {
        return bytesKept;
    }

    /**
     * A compaction, if the host accepts it. The host requires that all files except blob files span
     * the same row ids, which rolled vector files do not. In that case it is an overwrite of these
     * files, for which the host checks conflicts in the same way.
     */
    private CommitMessage message(
            ManifestEntry place, List<DataFileMeta> before, List<DataFileMeta> after) {
        return table.coreOptions().withVectorFormat()
                ? CommitMessages.overwrite(place, before, after)
                : CommitMessages.compaction(place, before, after);
    }

    private List<DataFileMeta> write(FlattenBunch bunch) throws IOException {
        LayerWriter layer =
                new LayerWriter(
                        table, bunch.group(), bunch.column(), FileSource.COMPACT, uncommitted);
        try (ReadThreads threads = new ReadThreads(readOptions.parallelism());
                BlobWinners winners = bunch.winners(metrics, threads)) {
            BlobEntryReader reader =
                    new BlobEntryReader(readOptions, threads, readOptions.bufferSize());
            long kept = 0;
            while (winners.nextWindow()) {
                kept += write(winners, reader, layer);
            }
            List<DataFileMeta> files = layer.finish();
            bytesKept.put(bunch, kept);
            return files;
        } catch (IOException | RuntimeException | Error e) {
            layer.abort();
            throw e;
        }
    }

    /**
     * Writes a window in batches that fit into the buffer; larger entries are streamed.
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
