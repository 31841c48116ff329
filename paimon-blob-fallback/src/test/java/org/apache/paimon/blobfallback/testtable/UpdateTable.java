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

import static org.apache.paimon.blobfallback.testtable.LayeredTable.blob;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.paimon.append.dataevolution.DataEvolutionCompactCoordinator;
import org.apache.paimon.append.dataevolution.DataEvolutionCompactTask;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.update.BlobUpdateBuilder;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.BinaryVector;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.format.blob.BlobFileFormat;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.FileStatus;
import org.apache.paimon.fs.Path;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.source.EndOfScanException;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;

/**
 * A real table of the host on the local file system: {@code id INT, pic BLOB, doc BLOB},
 * partitioned by {@code part INT} where asked for.
 */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
public final class UpdateTable {

    private final FileIO fileIO;
    private final LayeredTable layered;

    private UpdateTable(FileIO fileIO, LayeredTable layered) {
        this.fileIO = fileIO;
        this.layered = layered;
    }

    public static Schema.Builder schema() {
        return LayeredTable.options(
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("pic", DataTypes.BLOB())
                        .column("doc", DataTypes.BLOB())
                        .column("part", DataTypes.INT()));
    }

    public static UpdateTable create(FileIO fileIO, java.nio.file.Path folder, Schema schema) {
        try {
            return new UpdateTable(fileIO, LayeredTable.create(fileIO, folder, schema));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** A copy of all its files, as a table of its own. */
    public UpdateTable copyTo(java.nio.file.Path folder) throws IOException {
        java.nio.file.Path source = java.nio.file.Path.of(layered.path().toUri().getPath());
        java.nio.file.Path target = folder.resolve("table");
        try (Stream<java.nio.file.Path> files = Files.walk(source)) {
            for (java.nio.file.Path file : files.toList()) {
                Files.createDirectories(target.resolve(source.relativize(file)).getParent());
                Files.copy(file, target.resolve(source.relativize(file)));
            }
        }
        return new UpdateTable(fileIO, LayeredTable.at(fileIO, new Path(target.toUri())));
    }

    public FileStoreTable table() {
        return layered.stock();
    }

    public BlobUpdateBuilder builder() {
        return BlobFallback.newUpdateBuilder(table());
    }

    /** Appends rows with ids from one to another, both included, as one group. */
    public void append(int from, int to) throws Exception {
        append(from, to, 0);
    }

    public void append(int from, int to, int part) throws Exception {
        write(from, to, id -> GenericRow.of(id, blob("pic" + id), blob("doc" + id), part));
    }

    /** As {@link #append(int, int)}, on a table with a vector of two floats as last column. */
    public void appendWithVectors(int from, int to) throws Exception {
        write(
                from,
                to,
                id ->
                        GenericRow.of(
                                id,
                                blob("pic" + id),
                                blob("doc" + id),
                                0,
                                BinaryVector.fromPrimitiveArray(new float[] {id, -id})));
    }

    private void write(int from, int to, IntFunction<GenericRow> row) throws Exception {
        layered.append(table().rowType(), IntStream.rangeClosed(from, to).mapToObj(row).toList());
    }

    /** The values of a blob column by row id, as strings, read by the plugin. */
    public Map<Long, String> read(String column) throws IOException {
        return read(layered.table(), column);
    }

    /** The values of a blob column by row id, as strings, read by the host without the plugin. */
    public Map<Long, String> readStock(String column) throws IOException {
        return read(table(), column);
    }

    /** The values of a blob column of any table by row id, as strings. */
    public static Map<Long, String> read(FileStoreTable table, String column) throws IOException {
        RowType readType =
                new RowType(List.of(table.rowType().getField(column), SpecialFields.ROW_ID));
        ReadBuilder read = table.newReadBuilder().withReadType(readType);
        Map<Long, String> values = new TreeMap<>();
        try (RecordReader<InternalRow> reader =
                read.newRead().createReader(read.newScan().plan())) {
            reader.forEachRemaining(
                    row ->
                            values.put(
                                    row.getLong(1),
                                    row.isNullAt(0)
                                            ? null
                                            : new String(
                                                    row.getBlob(0).toData(),
                                                    StandardCharsets.UTF_8)));
        }
        return values;
    }

    /**
     * Lets the host compact, which merges the normal files of neighbouring groups.
     *
     * @return the partitions whose groups were rewritten
     */
    public Set<BinaryRow> compact() throws Exception {
        FileStoreTable compacted = table().copy(Map.of("compaction.min.file-num", "2"));
        DataEvolutionCompactCoordinator coordinator =
                new DataEvolutionCompactCoordinator(compacted, false, false);
        List<CommitMessage> messages = new ArrayList<>();
        try {
            while (true) {
                for (DataEvolutionCompactTask task : coordinator.plan()) {
                    messages.add(task.doCompact(compacted, "compactor"));
                }
            }
        } catch (EndOfScanException end) {
            if (!messages.isEmpty()) {
                try (BatchTableCommit commit = compacted.newBatchWriteBuilder().newCommit()) {
                    commit.commit(messages);
                }
            }
        }
        return messages.stream().map(CommitMessage::partition).collect(Collectors.toSet());
    }

    public void dropPartition(int part) throws Exception {
        try (BatchTableCommit commit = table().newBatchWriteBuilder().newCommit()) {
            commit.truncatePartitions(List.of(Map.of("part", String.valueOf(part))));
        }
    }

    /** Data files in the table's folders that the newest snapshot does not have. */
    public List<String> filesOutsideLatestSnapshot() throws IOException {
        Set<String> live =
                files().stream().map(entry -> entry.file().fileName()).collect(Collectors.toSet());
        return disk().keySet().stream()
                .map(Path::new)
                .filter(file -> file.getParent().getName().startsWith("bucket-"))
                .map(Path::getName)
                .filter(name -> !live.contains(name))
                .toList();
    }

    /** All live files of a snapshot. */
    public List<ManifestEntry> files() {
        return table().store().newScan().plan().files();
    }

    public List<ManifestEntry> blobFiles(String column) {
        return files().stream()
                .filter(entry -> BlobFileFormat.isBlobFile(entry.file().fileName()))
                .filter(entry -> entry.file().writeCols().get(0).equals(column))
                .toList();
    }

    /** Every file under the table's folder, with its size. */
    public Map<String, Long> disk() throws IOException {
        Map<String, Long> files = new HashMap<>();
        collect(layered.path(), files);
        return files;
    }

    private void collect(Path folder, Map<String, Long> files) throws IOException {
        for (FileStatus status : fileIO.listStatus(folder)) {
            if (status.isDir()) {
                collect(status.getPath(), files);
            } else {
                files.put(status.getPath().toString(), status.getLen());
            }
        }
    }
}
