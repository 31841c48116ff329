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

package org.apache.paimon.blobfallback.tests.paimon2;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.apache.paimon.blobfallback.tests.bridge.BlobFile;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.serializer.InternalRowSerializer;
import org.apache.paimon.format.FormatWriter;
import org.apache.paimon.format.blob.BlobFileFormat;
import org.apache.paimon.format.blob.BlobFormatWriter;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.stats.SimpleStats;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.RowType;

/** Writes single blob files with Paimon 2.0's own format. */
final class BlobFileWriter {

    private final FileStoreTable table;

    BlobFileWriter(FileStoreTable table) {
        this.table = table;
    }

    BinaryRow partition(List<Object> values) {
        if (values.isEmpty()) {
            return BinaryRow.EMPTY_ROW;
        }
        RowType type = table.schema().logicalPartitionType();
        return new InternalRowSerializer(type).toBinaryRow(Values.row(type, values)).copy();
    }

    /** Writes the file into the table's folder; it becomes visible with a commit. */
    DataFileMeta write(BlobFile file) throws IOException {
        DataFilePathFactory paths =
                table.store()
                        .pathFactory()
                        .createDataFilePathFactory(partition(file.partition()), 0);
        Path path = paths.newBlobPath();
        DataType type = table.rowType().getField(file.column()).type();
        write(table.fileIO(), path, type, file.entries());
        // The one factory method that Paimon 2.0 and its master have in common.
        return DataFileMeta.forAppend(
                path.getName(),
                table.fileIO().getFileSize(path),
                file.entries().size(),
                SimpleStats.EMPTY_STATS,
                file.sequenceNumber(),
                file.sequenceNumber(),
                table.schema().id(),
                Collections.emptyList(),
                null,
                FileSource.APPEND,
                null,
                paths.isExternalPath() ? path.toString() : null,
                file.firstRowId(),
                Collections.singletonList(file.column()));
    }

    /** Writes entries to a file of the given path. */
    static void write(FileIO fileIO, Path path, DataType type, List<Object> entries)
            throws IOException {
        try (PositionOutputStream out = fileIO.newOutputStream(path, false)) {
            FormatWriter writer =
                    new BlobFileFormat(false, BlobFormatWriter.DEFAULT_COPY_BUFFER_SIZE)
                            .createWriterFactory(RowType.of(type))
                            .create(out, "none");
            for (Object entry : entries) {
                writer.addElement(GenericRow.of(Values.internal(type, entry)));
            }
            writer.close();
        }
    }
}
