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
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.index.BlobIndex;
import org.apache.paimon.blobfallback.format.index.BlobIndexReader;
import org.apache.paimon.blobfallback.read.rows.Window;

/**
 * The files of a bunch that have one sequence number, while a read moves over their rows from the
 * first row id to the last. Rows between the files are gaps.
 */
public final class BlobLayer {

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
     * Finds this layer's entries for the rows of a window without a winner in newer layers.
     *
     * @param window its undecided rows
     * @param indexReader reads indexes
     * @throws IOException if a file cannot be read or is corrupt, and may not be ignored
     */
    void resolve(Window window, BlobIndexReader indexReader) throws IOException {
        for (LayerFile file : filesNeededBy(window)) {
            BlobIndex.Cursor cursor = file.cursor(indexReader);
            if (cursor != null) {
                int place = window.nextUndecided(window.placeFrom(file.range().from));
                resolve(window, place, file, cursor);
                file.windowDone();
            }
        }
    }

    private void resolve(Window window, int firstPlace, LayerFile file, BlobIndex.Cursor cursor) {
        int fileNumber = window.winners().addFile(file.input());
        long firstRowId = file.range().from;
        int end = window.placeFrom(file.range().to + 1);
        int place = firstPlace;
        while (place != Window.NO_PLACE && place < end) {
            cursor.seek((int) (window.rowId(place) - firstRowId));
            long length = cursor.next();
            if (length == BlobFileLayout.PLACEHOLDER_LENGTH) {
                long last = window.rowId(end - 1) - window.rowId(place);
                long passed = window.rowId(place) + cursor.skipRepeats((int) last);
                place = window.placeFrom(passed + 1) - 1;
            } else if (length == BlobFileLayout.NULL_LENGTH) {
                window.decide(place, sequenceNumber);
            } else {
                window.decide(place, sequenceNumber, fileNumber, cursor.offset(), length);
            }
            place = window.nextUndecided(place + 1);
        }
    }

    /** The files that have a row of a window without a winner in newer layers, ascending. */
    List<LayerFile> filesNeededBy(Window window) throws IOException {
        List<LayerFile> needed = new ArrayList<>();
        for (LayerFile file : filesOf(window)) {
            int place = window.nextUndecided(window.placeFrom(file.range().from));
            if (place == Window.NO_PLACE) {
                break;
            }
            if (window.rowId(place) <= file.range().to) {
                needed.add(file);
            }
        }
        return needed;
    }

    /** The files that have a row id of a window, ascending; those before it are closed. */
    private List<LayerFile> filesOf(Window window) throws IOException {
        closePassed(window.firstRowId());
        int end = current;
        while (end < files.size() && files.get(end).range().from <= window.lastRowId()) {
            end++;
        }
        return files.subList(current, end);
    }

    private void closePassed(long firstRowId) throws IOException {
        while (current < files.size() && files.get(current).range().to < firstRowId) {
            files.get(current).close();
            current++;
        }
    }
}
