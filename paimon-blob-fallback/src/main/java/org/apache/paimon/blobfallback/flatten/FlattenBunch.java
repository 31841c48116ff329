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

import static java.util.Comparator.comparingLong;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.index.BlobIndex;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.format.io.BlobReadMetrics;
import org.apache.paimon.blobfallback.format.io.ReadThreads;
import org.apache.paimon.blobfallback.layers.Bunch;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.read.blobs.BlobWinners;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataField;
import org.apache.paimon.utils.Range;

/** The blob files of one column in one group, for a flatten. */
public final class FlattenBunch {

    private final FileStoreTable table;
    private final Group<ManifestEntry> group;
    private final DataField column;
    private final Bunch bunch;
    private final List<DataFileMeta> files;
    @Nullable private final Range rowsBefore;
    @Nullable private final Range rowsAfter;

    /**
     * @param rowsBefore row ids of the previous group, if a file could be in both; or null
     * @param rowsAfter as rowsBefore, of the next group
     */
    FlattenBunch(
            FileStoreTable table,
            Group<ManifestEntry> group,
            DataField column,
            Bunch bunch,
            @Nullable Range rowsBefore,
            @Nullable Range rowsAfter) {
        this.table = table;
        this.group = group;
        this.column = column;
        this.bunch = bunch;
        this.files = new ArrayList<>(bunch.files());
        this.files.sort(comparingLong(DataFileMeta::nonNullFirstRowId));
        this.rowsBefore = rowsBefore;
        this.rowsAfter = rowsAfter;
    }

    public Group<ManifestEntry> group() {
        return group;
    }

    public DataField column() {
        return column;
    }

    /**
     * Ascending by first row id; files that are also in the bunches of other groups are included.
     */
    public List<DataFileMeta> files() {
        return files;
    }

    public int layerCount() {
        return bunch.layers().size();
    }

    /** Whether a file of this bunch has rows of another group. */
    boolean hasRowsOf(Range rows) {
        return files.stream().anyMatch(file -> file.nonNullRowIdRange().hasIntersection(rows));
    }

    long minSequenceNumber() {
        return files.stream().mapToLong(DataFileMeta::minSequenceNumber).min().getAsLong();
    }

    long maxSequenceNumber() {
        return files.stream().mapToLong(DataFileMeta::maxSequenceNumber).max().getAsLong();
    }

    /**
     * The winners of all rows; the caller closes them.
     *
     * @param metrics count what is read
     * @param threads read indexes in parallel if the storage is remote
     * @throws IOException if two files of one layer overlap; it names both
     */
    public BlobWinners winners(BlobReadMetrics metrics, ReadThreads threads) throws IOException {
        return new BlobWinners(bunch, table.fileIO(), paths(), metrics, threads);
    }

    /**
     * Bytes of the files; of files in several groups, the part of this group.
     *
     * @param metrics count what is read
     * @throws IOException if the index of such a file cannot be read
     */
    public long bytes(BlobReadMetrics metrics) throws IOException {
        long bytes = 0;
        for (DataFileMeta file : files) {
            bytes += bytesOfGroup(file, metrics);
        }
        return bytes;
    }

    /**
     * Bytes of a file, divided among its groups so that they add up: each group has the entries
     * from its first row up to the next group, and the first one also has the bytes outside of
     * entries.
     */
    private long bytesOfGroup(DataFileMeta file, BlobReadMetrics metrics) throws IOException {
        Range rows = file.nonNullRowIdRange();
        boolean first = rowsBefore == null || rows.from > rowsBefore.to;
        boolean last = rowsAfter == null || rows.to < rowsAfter.from;
        if (first && last) {
            return file.fileSize();
        }
        BlobIndex.Cursor cursor = index(file, metrics).cursor();
        long all = 0;
        long own = 0;
        for (long rowId = rows.from; rowId <= rows.to; rowId++) {
            long length = Math.max(0, cursor.next());
            all += length;
            boolean before = !first && rowId < group.range().from;
            boolean after = !last && rowId >= rowsAfter.from;
            own += before || after ? 0 : length;
        }
        return first ? file.fileSize() - all + own : own;
    }

    private BlobIndex index(DataFileMeta file, BlobReadMetrics metrics) throws IOException {
        try (BlobFileInput input =
                new BlobFileInput(
                        table.fileIO(), paths().toPath(file), file.fileSize(), metrics, 1)) {
            return BlobIndex.read(input, file.rowCount());
        }
    }

    private DataFilePathFactory paths() {
        return table.store()
                .pathFactory()
                .createDataFilePathFactory(group.anchor().partition(), group.anchor().bucket());
    }

    /**
     * Whether a reader without support for layers and placeholders can read the bunch: each row of
     * the group is in exactly one file, under one column name, and none is a placeholder.
     *
     * @param metrics count what is read
     * @throws IOException if the index of a file cannot be read
     */
    boolean isFlat(BlobReadMetrics metrics) throws IOException {
        Range rows = group.range();
        long next = rows.from;
        for (DataFileMeta file : files) {
            if (file.nonNullFirstRowId() != next
                    || !file.writeCols().equals(files.get(0).writeCols())) {
                return false;
            }
            next += file.rowCount();
        }
        if (next != rows.to + 1) {
            return false;
        }
        for (DataFileMeta file : files) {
            if (index(file, metrics).placeholderCount() > 0) {
                return false;
            }
        }
        return true;
    }
}
