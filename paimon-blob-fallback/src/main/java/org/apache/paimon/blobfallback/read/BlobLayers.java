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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.paimon.blobfallback.format.BlobFileException;
import org.apache.paimon.blobfallback.format.BlobIndexReader;
import org.apache.paimon.blobfallback.format.OpenBlobFiles;
import org.apache.paimon.blobfallback.format.ReadThreads;
import org.apache.paimon.utils.IOUtils;

/**
 * The layers of a bunch, from the newest to the oldest, while a read passes over their rows: finds
 * the winners of each window.
 */
final class BlobLayers implements Closeable {

    private final List<BlobLayer> layers;
    private final FileFaults faults;
    private final OpenBlobFiles openFiles;
    private final ReadThreads threads;
    private final BlobIndexReader indexReader = new BlobIndexReader();

    /** Files whose indexes were read, and of which nobody knows yet that they are needed. */
    private final Set<LayerFile> early = new HashSet<>();

    private long earlyEntries;
    private long neededEntries;

    /**
     * @param layers newest first; their files are closed with this
     * @param faults what to do with files that cannot be read
     * @param openFiles is told of the files that are opened
     * @param threads read indexes at once
     */
    BlobLayers(
            List<BlobLayer> layers,
            FileFaults faults,
            OpenBlobFiles openFiles,
            ReadThreads threads) {
        this.layers = layers;
        this.faults = faults;
        this.openFiles = openFiles;
        this.threads = threads;
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
            long mayBeInVain = neededEntries - earlyEntries;
            List<LayerFile> unread = new ArrayList<>();
            for (LayerFile file : layer.filesNeededBy(window)) {
                long entries = file.range().count();
                boolean wasEarly = early.remove(file);
                if (wasEarly) {
                    earlyEntries -= entries;
                }
                // One that could not be read early is read again, and fails whoever needs it.
                if (file.isUnread()) {
                    unread.add(file);
                }
                if (wasEarly || file.isUnread()) {
                    neededEntries += entries;
                }
            }
            if (!unread.isEmpty() && threads.canHelp() && openFiles.areRemote()) {
                readIndexes(unread, depth, mayBeInVain, window);
            }
            layer.resolve(window, openFiles, indexReader);
        }
    }

    /**
     * Reads indexes of a layer at once, and those of older ones with them, of twice as many layers
     * each time that the rows are not decided yet: so there are few rounds.
     *
     * @param mayBeInVain most entries of the older ones, so that what is read in vain never has
     *     more of them than what is needed
     */
    private void readIndexes(List<LayerFile> needed, int depth, long mayBeInVain, Window window)
            throws IOException {
        List<LayerFile> reading = new ArrayList<>(needed);
        long left = mayBeInVain;
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
            reads.add(() -> file.readAhead(openFiles));
        }
        threads.runAll(reads);
    }

    /**
     * Lets the file that a read has failed on count as a gap from now on.
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
