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

import static java.util.Comparator.comparingLong;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.paimon.blobfallback.format.BlobFileInput;
import org.apache.paimon.blobfallback.format.BlobIndex;
import org.apache.paimon.blobfallback.format.BlobReadMetrics;
import org.apache.paimon.blobfallback.format.OpenBlobFiles;
import org.apache.paimon.blobfallback.format.ReadThreads;
import org.apache.paimon.blobfallback.read.BlobWinners;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataField;
import org.apache.paimon.utils.Range;

/** The blob files of one column in one group, as a flatten sees them. */
final class FlattenBunch {

    private final FileStoreTable table;
    private final RowGroup group;
    private final DataField column;
    private final List<DataFileMeta> files;

    /**
     * @param files at least one
     */
    FlattenBunch(FileStoreTable table, RowGroup group, DataField column, List<DataFileMeta> files) {
        this.table = table;
        this.group = group;
        this.column = column;
        this.files = new ArrayList<>(files);
        this.files.sort(comparingLong(DataFileMeta::nonNullFirstRowId));
    }

    RowGroup group() {
        return group;
    }

    DataField column() {
        return column;
    }

    /** Ascending by first row id. */
    List<DataFileMeta> files() {
        return files;
    }

    int layerCount() {
        return (int) files.stream().mapToLong(DataFileMeta::maxSequenceNumber).distinct().count();
    }

    long minSequenceNumber() {
        return files.stream().mapToLong(DataFileMeta::minSequenceNumber).min().getAsLong();
    }

    long maxSequenceNumber() {
        return files.stream().mapToLong(DataFileMeta::maxSequenceNumber).max().getAsLong();
    }

    /**
     * The winners of all rows; whoever asks closes them.
     *
     * @param openFiles is told of the files that are opened
     * @param metrics are told of what is read
     * @param threads read indexes at once where storage is remote
     * @throws IOException if two files of one layer overlap; it names both
     */
    BlobWinners winners(OpenBlobFiles openFiles, BlobReadMetrics metrics, ReadThreads threads)
            throws IOException {
        return new BlobWinners(
                column.id(),
                files,
                group.range(),
                table.fileIO(),
                paths(),
                openFiles,
                metrics,
                threads);
    }

    /**
     * What a flatten makes of this.
     *
     * @param bytesKept bytes of the winners' entries
     */
    BlobFlattenTask task(long bytesKept) {
        return new BlobFlattenTask(
                table.store().partitionComputer().generatePartValues(group.partition()),
                group.range(),
                column.name(),
                layerCount(),
                files.stream().map(DataFileMeta::fileName).collect(Collectors.toList()),
                bytesKept,
                files.stream().mapToLong(DataFileMeta::fileSize).sum() - bytesKept);
    }

    private DataFilePathFactory paths() {
        return table.store()
                .pathFactory()
                .createDataFilePathFactory(group.partition(), group.bucket());
    }

    /**
     * Whether a reader that knows neither layers nor placeholders reads the bunch: each row of the
     * group is in exactly one file, under one column name, and none is a placeholder.
     *
     * @param metrics are told of what is read to find out
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
        DataFilePathFactory paths = paths();
        for (DataFileMeta file : files) {
            try (BlobFileInput input =
                    new BlobFileInput(
                            table.fileIO(), paths.toPath(file), file.fileSize(), metrics)) {
                if (BlobIndex.read(input, file.rowCount()).placeholderCount() > 0) {
                    return false;
                }
            }
        }
        return true;
    }
}
