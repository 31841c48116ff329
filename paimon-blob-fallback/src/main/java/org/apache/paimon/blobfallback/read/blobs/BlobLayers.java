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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.paimon.blobfallback.format.index.BlobIndexReader;
import org.apache.paimon.blobfallback.format.index.Indexes;
import org.apache.paimon.blobfallback.format.io.BlobFileException;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.format.io.BlobReadMetrics;
import org.apache.paimon.blobfallback.format.io.ReadThreads;
import org.apache.paimon.blobfallback.layers.Bunch;
import org.apache.paimon.blobfallback.layers.Layer;
import org.apache.paimon.blobfallback.read.rows.RowSelection;
import org.apache.paimon.blobfallback.read.rows.Window;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.utils.IOUtils;
import org.apache.paimon.utils.Range;

/**
 * The layers of a bunch, from the newest to the oldest, while a read moves over their rows: finds
 * the winners of each window.
 */
public final class BlobLayers implements Closeable {

    private final List<BlobLayer> layers;
    private final FileFaults faults;
    private final ReadThreads threads;
    private final BlobIndexReader indexReader = new BlobIndexReader();

    /** Files whose indexes have been read early and have not been needed yet. */
    private final Set<LayerFile> early = new HashSet<>();

    private long earlyEntries;
    private long neededEntries;

    /**
     * @param layers newest first; their files are closed with this
     * @param faults what to do with files that cannot be read
     * @param threads read indexes in parallel
     */
    BlobLayers(List<BlobLayer> layers, FileFaults faults, ReadThreads threads) {
        this.layers = layers;
        this.faults = faults;
        this.threads = threads;
    }

    /**
     * The layers of a bunch, with those of their files that have a selected row; no file is opened
     * yet.
     *
     * @param parallelism maximum number of concurrent requests of the read
     * @return newest layer first
     * @throws IOException if two files of one layer overlap; it names both
     */
    public static List<BlobLayer> of(
            Bunch bunch,
            RowSelection selection,
            FileIO fileIO,
            DataFilePathFactory paths,
            FileFaults faults,
            BlobReadMetrics metrics,
            int parallelism)
            throws IOException {
        List<BlobLayer> layers = new ArrayList<>();
        for (Layer layer : bunch.layers()) {
            checkNoOverlap(layer, paths);
            List<LayerFile> files = new ArrayList<>();
            for (DataFileMeta file : layer.files()) {
                Range range = file.nonNullRowIdRange();
                if (selection.intersects(range)) {
                    BlobFileInput input =
                            new BlobFileInput(
                                    fileIO,
                                    paths.toPath(file),
                                    file.fileSize(),
                                    metrics,
                                    parallelism);
                    files.add(new LayerFile(input, range, faults, metrics, Indexes.OF_FILES));
                }
            }
            if (!files.isEmpty()) {
                layers.add(new BlobLayer(layer.sequenceNumber(), files));
            }
        }
        return layers;
    }

    /**
     * Makes sure that a row has one entry in a layer.
     *
     * @throws IOException if two files of it overlap; it names both
     */
    static void checkNoOverlap(Layer layer, DataFilePathFactory paths) throws IOException {
        for (String overlap : layer.overlaps(paths)) {
            throw new IOException(overlap);
        }
    }

    /**
     * Finds the winners of a window, from the indexes alone and no older layer than needed.
     *
     * @param window its undecided rows
     * @throws IOException if a file cannot be read or is corrupt, and may not be ignored
     */
    void resolve(Window window) throws IOException {
        for (int depth = 0; depth < layers.size() && !window.isDecided(); depth++) {
            BlobLayer layer = layers.get(depth);
            long maxUnnecessary = neededEntries - earlyEntries;
            List<LayerFile> unread = new ArrayList<>();
            for (LayerFile file : layer.filesNeededBy(window)) {
                long entries = file.range().count();
                boolean wasEarly = early.remove(file);
                if (wasEarly) {
                    earlyEntries -= entries;
                }
                // An index that could not be read early is read again when it is needed, and fails
                // then.
                if (file.isUnread()) {
                    unread.add(file);
                }
                if (wasEarly || file.isUnread()) {
                    neededEntries += entries;
                }
            }
            boolean several = unread.size() > 1 && threads.canHelp();
            if (several && !areRemote()) {
                // Whether requests take their time is known once one was made.
                unread.remove(0).readAhead();
            }
            if (!unread.isEmpty() && threads.canHelp() && areRemote()) {
                readIndexes(unread, depth, maxUnnecessary, window);
            }
            layer.resolve(window, indexReader);
        }
    }

    /**
     * Reads the indexes of a layer in parallel, together with those of older layers: twice as many
     * layers each time that rows still have no winner, which keeps the number of rounds low.
     *
     * @param maxUnnecessary maximum number of entries of the older ones, so that unnecessary
     *     indexes never have more entries than necessary ones
     */
    private void readIndexes(List<LayerFile> needed, int depth, long maxUnnecessary, Window window)
            throws IOException {
        List<LayerFile> reading = new ArrayList<>(needed);
        long left = maxUnnecessary;
        for (int i = depth + 1; i < Math.min(layers.size(), 2 * depth + 1); i++) {
            for (LayerFile file : layers.get(i).filesNeededBy(window)) {
                long entries = file.range().count();
                if (file.isUnread() && entries <= left && early.add(file)) {
                    reading.add(file);
                    earlyEntries += entries;
                    left -= entries;
                }
            }
        }
        List<ReadThreads.Task> reads = new ArrayList<>();
        for (LayerFile file : reading) {
            reads.add(file::readAhead);
        }
        threads.runAll(reads);
    }

    /** Whether a file with slow requests has been opened. */
    boolean areRemote() {
        for (BlobLayer layer : layers) {
            for (LayerFile file : layer.files()) {
                if (file.input().isRemote()) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Makes the file on which a read has failed count as a gap.
     *
     * @throws IOException if it may not be ignored; it names the file
     */
    void turnIntoGap(BlobFileException fault) throws IOException {
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
        List<LayerFile> files = new ArrayList<>();
        for (BlobLayer layer : layers) {
            files.addAll(layer.files());
        }
        try {
            IOUtils.closeAll(files);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("Cannot close blob files", e);
        }
    }
}
