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

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.fs.Path;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.types.DataTypes;

/**
 * A real table of the host under watch: {@code id INT, pic BLOB, doc BLOB, day STRING}, partitioned
 * by {@code day}. A blob of a row is as long as a test says.
 */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
final class LayeredTable {

    private final CountingFileIO fileIO = CountingFileIO.sequential();
    private final Path path;

    LayeredTable(java.nio.file.Path folder, Map<String, String> options) throws Exception {
        this.path = new Path(folder.resolve("table").toUri());
        Schema.Builder schema =
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("pic", DataTypes.BLOB())
                        .column("doc", DataTypes.BLOB())
                        .column("day", DataTypes.STRING())
                        .partitionKeys("day")
                        .option("bucket", "-1")
                        .option("row-tracking.enabled", "true")
                        .option("data-evolution.enabled", "true");
        options.forEach(schema::option);
        new SchemaManager(fileIO, path).createTable(schema.build());
    }

    CountingFileIO fileIO() {
        return fileIO;
    }

    FileStoreTable table() {
        return FileStoreTableFactory.create(fileIO, path);
    }

    void alter(SchemaChange change) throws Exception {
        new SchemaManager(fileIO, path).commitChanges(List.of(change));
    }

    /** Appends rows as one group, each with a pic of 10 bytes and a doc of 20. */
    void append(String day, int rows) throws Exception {
        append(table(), day, rows);
    }

    /** As {@link #append(String, int)}, to some branch. */
    static void append(FileStoreTable branch, String day, int rows) throws Exception {
        BatchWriteBuilder builder = branch.newBatchWriteBuilder();
        try (BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            for (int id = 0; id < rows; id++) {
                write.write(
                        GenericRow.of(
                                id,
                                Blob.fromData(new byte[10]),
                                Blob.fromData(new byte[20]),
                                BinaryString.fromString(day)));
            }
            commit.commit(write.prepareCommit());
        }
    }

    /** Updates a column in part: row id to the length of the new blob, null for none. */
    void update(String column, Map<Long, Integer> lengths) throws Exception {
        try (BlobUpdate update =
                BlobFallback.newUpdateBuilder(table()).withColumns(column).newUpdate()) {
            for (Map.Entry<Long, Integer> entry : new TreeMap<>(lengths).entrySet()) {
                if (entry.getValue() == null) {
                    update.setNull(entry.getKey(), column);
                } else {
                    update.set(entry.getKey(), column, Blob.fromData(new byte[entry.getValue()]));
                }
            }
            update.commit();
        }
    }
}
