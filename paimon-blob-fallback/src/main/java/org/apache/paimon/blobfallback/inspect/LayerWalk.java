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
import org.apache.paimon.blobfallback.format.BlobFileInput;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.BlobIndex;
import org.apache.paimon.blobfallback.read.FileFaults;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.utils.RoaringNavigableMap64;

/**
 * Goes over all entries of a bunch, from the newest layer to the oldest, and finds which of them
 * win. It reads the indexes, one after the other, and no payload.
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

    /** Is told what a walk finds. */
    interface Visitor {

        /**
         * A file, before its entries.
         *
         * @param layer number of its layer, 1 is the newest
         * @param index null if the file is lost or corrupt and counts as a gap
         */
        void file(int layer, DataFileMeta file, @Nullable BlobIndex index);

        /**
         * A data or null entry of that file.
         *
         * @param length of the entry in bytes, or {@link BlobFileLayout#NULL_LENGTH}
         * @param wins whether it decides its row
         */
        void entry(long rowId, long length, boolean wins);
    }

    /**
     * Walks over a bunch.
     *
     * @throws IOException if a file cannot be read or is corrupt, and may not be ignored; it names
     *     the file
     */
    void walk(LayeredBunch bunch, Visitor visitor) throws IOException {
        List<List<DataFileMeta>> layers = bunch.layers();
        RoaringNavigableMap64 decided = new RoaringNavigableMap64();
        for (int i = 0; i < layers.size(); i++) {
            boolean oldest = i + 1 == layers.size();
            for (DataFileMeta file : layers.get(i)) {
                BlobIndex index = index(bunch, file);
                visitor.file(i + 1, file, index);
                if (index != null) {
                    walk(file, index, decided, oldest, visitor);
                }
            }
        }
    }

    private static void walk(
            DataFileMeta file,
            BlobIndex index,
            RoaringNavigableMap64 decided,
            boolean oldest,
            Visitor visitor) {
        BlobIndex.Cursor cursor = index.cursor();
        long firstRowId = file.nonNullFirstRowId();
        while (cursor.nextEntry() < index.entryCount()) {
            long rowId = firstRowId + cursor.nextEntry();
            long length = cursor.next();
            if (length == BlobFileLayout.PLACEHOLDER_LENGTH) {
                cursor.skipRepeats(index.entryCount() - cursor.nextEntry());
                continue;
            }
            boolean wins = !decided.contains(rowId);
            if (wins && !oldest) {
                decided.add(rowId);
            }
            visitor.entry(rowId, length, wins);
        }
    }

    @Nullable
    private BlobIndex index(LayeredBunch bunch, DataFileMeta file) throws IOException {
        try (BlobFileInput input =
                new BlobFileInput(fileIO, bunch.paths().toPath(file), file.fileSize())) {
            try {
                return BlobIndex.read(input, file.rowCount());
            } catch (IOException | RuntimeException e) {
                faults.ignoreOrThrow(input, e);
                return null;
            }
        }
    }
}
