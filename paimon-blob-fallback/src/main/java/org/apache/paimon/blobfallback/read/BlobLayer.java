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
import java.util.List;
import org.apache.paimon.blobfallback.format.BlobEntry;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.BlobIndex;
import org.apache.paimon.blobfallback.format.OpenBlobFiles;

/**
 * The files of a bunch that have one sequence number, while a read passes over their rows from the
 * first row id to the last. Rows between the files are gaps.
 */
final class BlobLayer implements Closeable {

    private final long sequenceNumber;
    private final List<LayerFile> files;

    /** The first file that the read has not passed yet. */
    private int current;

    /**
     * @param sequenceNumber of all the files
     * @param files ascending by row id, without overlap
     */
    BlobLayer(long sequenceNumber, List<LayerFile> files) {
        this.sequenceNumber = sequenceNumber;
        this.files = files;
    }

    long sequenceNumber() {
        return sequenceNumber;
    }

    List<LayerFile> files() {
        return files;
    }

    /**
     * Finds this layer's entries for the rows of a window that no newer layer has decided.
     *
     * @param window its undecided rows
     * @param openFiles is told of the files that are opened
     * @throws IOException if a file cannot be read or is corrupt, and may not be ignored
     */
    void resolve(Window window, OpenBlobFiles openFiles) throws IOException {
        closePassed(window.firstRowId());
        Window.Undecided undecided = window.undecided();
        for (int i = current; i < files.size() && undecided.hasNext(); i++) {
            LayerFile file = files.get(i);
            undecided.skipBefore(file.range().from);
            if (!undecided.hasNext() || undecided.rowId() > file.range().to) {
                continue;
            }
            BlobIndex.Cursor cursor = file.cursor(openFiles);
            if (cursor != null) {
                resolve(undecided, file, cursor);
            }
        }
        undecided.finish();
    }

    private void resolve(Window.Undecided undecided, LayerFile file, BlobIndex.Cursor cursor) {
        long firstRowId = file.range().from;
        long lastRowId = file.range().to;
        while (undecided.hasNext() && undecided.rowId() <= lastRowId) {
            cursor.seek((int) (undecided.rowId() - firstRowId));
            long length = cursor.next();
            if (length == BlobFileLayout.PLACEHOLDER_LENGTH) {
                undecided.skip();
            } else if (length == BlobFileLayout.NULL_LENGTH) {
                undecided.decide(null, sequenceNumber);
            } else {
                undecided.decide(
                        new BlobEntry(file.input(), cursor.offset(), length), sequenceNumber);
            }
        }
    }

    private void closePassed(long firstRowId) throws IOException {
        while (current < files.size() && files.get(current).range().to < firstRowId) {
            files.get(current).close();
            current++;
        }
    }

    @Override
    public void close() throws IOException {
        IOException failure = null;
        for (LayerFile file : files) {
            try {
                file.close();
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
}
