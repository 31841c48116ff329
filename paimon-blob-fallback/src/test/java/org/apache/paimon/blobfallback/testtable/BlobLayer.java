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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.paimon.blobfallback.format.BlobPlaceholder;
import org.apache.paimon.blobfallback.format.file.BlobFileWriter;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.stats.SimpleStats;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.types.RowType;

/** Blob files of one column that are committed together. */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
public final class BlobLayer {

    /** A row whose value is in an older layer. */
    public static final Object PLACEHOLDER = BlobPlaceholder.INSTANCE;

    private final LayeredTable owner;
    private final FileIO fileIO;
    private final FileStoreTable table;
    private final RowType type;
    private final List<DataFileMeta> files = new ArrayList<>();

    private BinaryRow partition = BinaryRow.EMPTY_ROW;
    private Path externalFolder;
    private long sequenceNumber;

    BlobLayer(LayeredTable owner, FileIO fileIO, String column) {
        this.owner = owner;
        this.fileIO = fileIO;
        this.table = owner.stock();
        this.type = table.rowType().project(column);
    }

    /** The layer's number; without it, the number of the snapshot that commits it. */
    public BlobLayer sequence(long number) {
        this.sequenceNumber = number;
        return this;
    }

    /** The layer's partition. */
    public BlobLayer partition(BinaryRow row) {
        this.partition = row;
        return this;
    }

    /** The files that follow lie in a folder outside the table. */
    public BlobLayer external(java.nio.file.Path folder) {
        this.externalFolder = new Path(folder.toUri());
        return this;
    }

    /**
     * Writes a file.
     *
     * @param firstRowId row id of the first value
     * @param values strings, null or {@link #PLACEHOLDER}, or whatever the column holds
     */
    public BlobLayer file(long firstRowId, Object... values) throws IOException {
        DataFilePathFactory paths =
                table.store().pathFactory().createDataFilePathFactory(partition, 0);
        Path path = paths.newBlobPath();
        if (externalFolder != null) {
            path = new Path(externalFolder, path.getName());
        }
        try (PositionOutputStream out = fileIO.newOutputStream(path, false)) {
            try (BlobFileWriter writer = new BlobFileWriter(out, type, null, false)) {
                for (Object value : values) {
                    writer.addElement(
                            GenericRow.of(
                                    value instanceof String string
                                            ? LayeredTable.blob(string)
                                            : value));
                }
            }
        }
        files.add(
                DataFileMeta.forAppend(
                        path.getName(),
                        fileIO.getFileSize(path),
                        values.length,
                        SimpleStats.EMPTY_STATS,
                        sequenceNumber,
                        sequenceNumber,
                        table.schema().id(),
                        Collections.emptyList(),
                        null,
                        FileSource.APPEND,
                        null,
                        externalFolder == null ? null : path.toString(),
                        firstRowId,
                        type.getFieldNames()));
        return this;
    }

    /** Adds an existing file, such as one with wrong metadata. */
    public BlobLayer file(DataFileMeta file) {
        files.add(file);
        return this;
    }

    /**
     * Commits the files.
     *
     * @return the table
     */
    public LayeredTable commit() throws Exception {
        CommitMessage message =
                new CommitMessageImpl(
                        partition,
                        0,
                        -1,
                        new DataIncrement(files, Collections.emptyList(), Collections.emptyList()),
                        CompactIncrement.emptyIncrement());
        try (BatchTableCommit commit = table.newBatchWriteBuilder().newCommit()) {
            commit.commit(Collections.singletonList(message));
        }
        return owner;
    }
}
