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

package org.apache.paimon.blobfallback.write;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.format.file.BlobFallbackFileFormat;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fileindex.FileIndexOptions;
import org.apache.paimon.fs.Path;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.io.RollingFileWriter;
import org.apache.paimon.io.RollingFileWriterImpl;
import org.apache.paimon.io.RowDataFileWriter;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.options.Options;
import org.apache.paimon.statistics.NoneSimpleColStatsCollector;
import org.apache.paimon.statistics.SimpleColStatsCollector;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.LongCounter;

/**
 * Writes the files of one layer: the rows of one group in one column, in the order of their row
 * ids, rolled at {@code blob.target-file-size}.
 */
public final class LayerWriter {

    private final FileStoreTable table;
    private final DataField column;
    private final Group<ManifestEntry> group;
    private final RollingFileWriterImpl<InternalRow, DataFileMeta> files;

    /**
     * @param source whether the layer is new data or a rewrite
     * @param uncommitted gets each file before it is created, and deletes the files if the layer
     *     fails
     */
    public LayerWriter(
            FileStoreTable table,
            Group<ManifestEntry> group,
            DataField column,
            FileSource source,
            UncommittedFiles uncommitted) {
        this.table = table;
        this.group = group;
        this.column = column;
        DataFilePathFactory paths =
                table.store()
                        .pathFactory()
                        .createDataFilePathFactory(
                                group.anchor().partition(), group.anchor().bucket());
        this.files =
                new RollingFileWriterImpl<>(
                        () -> {
                            Path path = paths.newBlobPath();
                            uncommitted.add(path);
                            return newFile(path, paths.isExternalPath(), source);
                        },
                        table.coreOptions().blobTargetFileSize());
    }

    /**
     * Writes the next row.
     *
     * @param row of one field: a value, null or a placeholder
     * @throws IOException if the value cannot be read or the file cannot be written
     */
    public void write(InternalRow row) throws IOException {
        files.write(row);
    }

    /**
     * Ends the layer.
     *
     * @return its files, each with its first row id and without a sequence number
     * @throws IOException if the last file cannot be written
     * @throws IllegalStateException if the group has more or fewer rows than were written
     */
    public List<DataFileMeta> finish() throws IOException {
        files.close();
        long rowId = group.range().from;
        List<DataFileMeta> layer = new ArrayList<>();
        for (DataFileMeta file : files.result()) {
            layer.add(file.assignSequenceNumber(0, 0).assignFirstRowId(rowId));
            rowId += file.rowCount();
        }
        if (rowId != group.range().to + 1) {
            throw new IllegalStateException(
                    String.format(
                            "Layer of column %s of table %s ends at row id %s, expected %s.",
                            column.name(), table.fullName(), rowId - 1, group.range().to));
        }
        return layer;
    }

    /** Closes open streams; {@link UncommittedFiles} deletes the files. */
    public void abort() {
        files.abort();
    }

    private RowDataFileWriter newFile(Path path, boolean external, FileSource source) {
        RowType type = new RowType(Collections.singletonList(column));
        CoreOptions options = table.coreOptions();
        return new RowDataFileWriter(
                table.fileIO(),
                RollingFileWriter.createFileWriterContext(
                        new BlobFallbackFileFormat(new Options()),
                        type,
                        new SimpleColStatsCollector.Factory[] {NoneSimpleColStatsCollector::new},
                        "none"),
                path,
                type,
                table.schema().id(),
                () -> new LongCounter(0),
                new FileIndexOptions(),
                source,
                false,
                options.statsDenseStore(),
                external,
                Collections.singletonList(column.name()));
    }
}
