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

package org.apache.paimon.blobfallback.testtable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.fs.Path;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.stats.SimpleStats;
import org.apache.paimon.table.FileStoreTable;

/**
 * A blob file of which only the index is written. Its data area is a hole, so it takes no space on
 * the disk even if its entries are long; reads of descriptors never access it.
 */
public final class IndexOnlyBlobFile {

    private final Path path;
    private final long firstRowId;
    private final int rowCount;
    private final LongUnaryOperator lengths;

    private long entry;
    private long offset;

    private IndexOnlyBlobFile(Path path, long firstRowId, int rowCount, LongUnaryOperator lengths) {
        this.path = path;
        this.firstRowId = firstRowId;
        this.rowCount = rowCount;
        this.lengths = lengths;
        this.entry = firstRowId;
    }

    /**
     * Writes a file into an unpartitioned table's folder; it is not committed yet.
     *
     * @param lengths of the blob of a row id in bytes, -1 for null, -2 for a placeholder
     */
    public static IndexOnlyBlobFile write(
            FileStoreTable table, long firstRowId, int rowCount, LongUnaryOperator lengths)
            throws IOException {
        Path path =
                table.store()
                        .pathFactory()
                        .createDataFilePathFactory(BinaryRow.EMPTY_ROW, 0)
                        .newBlobPath();
        table.fileIO().mkdirs(path.getParent());
        IndexOnlyBlobFile file = new IndexOnlyBlobFile(path, firstRowId, rowCount, lengths);
        file.write();
        return file;
    }

    private void write() throws IOException {
        // A varint of these lengths takes at most five bytes.
        ByteBuffer index = ByteBuffer.allocate(5 * rowCount + 5).order(ByteOrder.LITTLE_ENDIAN);
        long end = 0;
        long before = 0;
        for (long rowId = firstRowId; rowId < firstRowId + rowCount; rowId++) {
            long length = entryLength(rowId);
            end += Math.max(0, length);
            putVarint(index, length - before);
            before = length;
        }
        index.putInt(index.position()).put(BlobFileLayout.VERSION).flip();
        try (FileChannel file =
                FileChannel.open(
                        java.nio.file.Path.of(path.toUri().getPath()),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE)) {
            while (index.hasRemaining()) {
                end += file.write(index, end);
            }
        }
    }

    private static void putVarint(ByteBuffer target, long value) {
        long bits = (value << 1) ^ (value >> 63);
        while (bits > 0x7F) {
            target.put((byte) (bits | 0x80));
            bits >>>= 7;
        }
        target.put((byte) bits);
    }

    private long entryLength(long rowId) {
        long length = lengths.applyAsLong(rowId);
        return length < 0 ? length : length + BlobFileLayout.ENTRY_OVERHEAD;
    }

    /** What the commit of the file needs. */
    public DataFileMeta meta(FileStoreTable table, String column, long sequenceNumber) {
        try {
            return DataFileMeta.forAppend(
                    path.getName(),
                    table.fileIO().getFileSize(path),
                    rowCount,
                    SimpleStats.EMPTY_STATS,
                    sequenceNumber,
                    sequenceNumber,
                    table.schema().id(),
                    Collections.emptyList(),
                    null,
                    FileSource.APPEND,
                    null,
                    null,
                    firstRowId,
                    List.of(column));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The file's name. */
    public String name() {
        return path.getName();
    }

    /** Whether the file has an entry for a row id. */
    public boolean holds(long rowId) {
        return rowId >= firstRowId && rowId < firstRowId + rowCount;
    }

    /** The length of a row's blob in bytes, -1 for null, -2 for a placeholder. */
    public long length(long rowId) {
        return lengths.applyAsLong(rowId);
    }

    /** The position in the file of a row's blob; row ids must be asked for in ascending order. */
    public long offset(long rowId) {
        for (; entry < rowId; entry++) {
            offset += Math.max(0, entryLength(entry));
        }
        return offset + BlobFileLayout.ENTRY_HEADER_LENGTH;
    }
}
