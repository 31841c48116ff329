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

package org.apache.paimon.blobfallback.inspect;

import java.io.IOException;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.index.BlobIndex;
import org.apache.paimon.blobfallback.format.io.BlobFileException;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.layers.Layer;
import org.apache.paimon.blobfallback.read.blobs.FileFaults;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.utils.Range;
import org.apache.paimon.utils.RoaringNavigableMap64;

/**
 * Visits all entries of a column in some groups, from the newest layer to the oldest, and finds the
 * winners. It reads the indexes, one after the other, and no payload.
 */
final class LayerWalk {

    private final FileIO fileIO;
    private final FileFaults faults;

    /**
     * @param fileIO opens the files
     * @param faults what to do with files that cannot be read
     */
    LayerWalk(FileIO fileIO, FileFaults faults) {
        this.fileIO = fileIO;
        this.faults = faults;
    }

    /** Receives what a walk finds. */
    interface Visitor {

        /**
         * A file, before its entries.
         *
         * @param layer number of its layer among those that are visited; 1 is the newest
         * @param index null if the file is lost or corrupt and counts as a gap
         */
        void file(int layer, DataFileMeta file, @Nullable BlobIndex index);

        /**
         * A data or null entry of that file.
         *
         * @param length of the entry in bytes, or {@link BlobFileLayout#NULL_LENGTH}
         * @param wins whether it is the winner of its row
         */
        void entry(long rowId, long length, boolean wins);
    }

    /**
     * Walks over files of one column.
     *
     * @param layers newest first
     * @param rows row ids of the groups, ascending; entries of other rows are skipped
     * @param paths has the folder of the files
     * @throws IOException if a file cannot be read or is corrupt, and may not be ignored; it names
     *     the file
     */
    void walk(List<Layer> layers, List<Range> rows, DataFilePathFactory paths, Visitor visitor)
            throws IOException {
        RoaringNavigableMap64 decided = new RoaringNavigableMap64();
        for (int i = 0; i < layers.size(); i++) {
            boolean oldest = i + 1 == layers.size();
            for (DataFileMeta file : layers.get(i).files()) {
                BlobIndex index = index(paths, file);
                visitor.file(i + 1, file, index);
                if (index != null) {
                    walk(file, index, rows, decided, oldest, visitor);
                }
            }
        }
    }

    private static void walk(
            DataFileMeta file,
            BlobIndex index,
            List<Range> rows,
            RoaringNavigableMap64 decided,
            boolean oldest,
            Visitor visitor) {
        BlobIndex.Cursor cursor = index.cursor();
        long firstRowId = file.nonNullFirstRowId();
        int range = 0;
        while (cursor.nextEntry() < index.entryCount()) {
            long rowId = firstRowId + cursor.nextEntry();
            long length = cursor.next();
            if (length == BlobFileLayout.PLACEHOLDER_LENGTH) {
                cursor.skipRepeats(index.entryCount() - cursor.nextEntry());
                continue;
            }
            while (range < rows.size() && rows.get(range).to < rowId) {
                range++;
            }
            if (range < rows.size() && rows.get(range).from <= rowId) {
                boolean wins = !decided.contains(rowId);
                if (wins && !oldest) {
                    decided.add(rowId);
                }
                visitor.entry(rowId, length, wins);
            }
        }
    }

    @Nullable
    private BlobIndex index(DataFilePathFactory paths, DataFileMeta file) throws IOException {
        try (BlobFileInput input = new BlobFileInput(fileIO, paths.toPath(file), file.fileSize())) {
            try {
                return BlobIndex.read(input, file.rowCount());
            } catch (BlobFileException e) {
                faults.ignoreOrThrow(input, e);
                return null;
            }
        }
    }
}
