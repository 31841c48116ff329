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

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;

/**
 * A data-evolution table of the host: {@code id INT, name STRING, pic BLOB, doc BLOB} unless a test
 * wants other columns. Normal columns are written by the host, blob files by {@link BlobLayer}.
 */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
public final class LayeredTable {

    private final FileIO fileIO;
    private final Path path;

    private LayeredTable(FileIO fileIO, Path path) {
        this.fileIO = fileIO;
        this.path = path;
    }

    /** The usual columns and options, to add to. */
    public static Schema.Builder schema() {
        return options(
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("name", DataTypes.STRING())
                        .column("pic", DataTypes.BLOB())
                        .column("doc", DataTypes.BLOB()));
    }

    /** The usual options for other columns. */
    public static Schema.Builder options(Schema.Builder schema) {
        return schema.option("bucket", "-1")
                .option("file.format", "avro")
                .option("row-tracking.enabled", "true")
                .option("data-evolution.enabled", "true");
    }

    /** A table of the usual columns. */
    public static LayeredTable create(FileIO fileIO, java.nio.file.Path folder) throws Exception {
        return create(fileIO, folder, schema().build());
    }

    /** A table of any columns. */
    public static LayeredTable create(FileIO fileIO, java.nio.file.Path folder, Schema schema)
            throws Exception {
        Path path = new Path(folder.resolve("table").toUri());
        new SchemaManager(fileIO, path).createTable(schema);
        return new LayeredTable(fileIO, path);
    }

    /** A table that is there already, such as one that a catalog has created. */
    public static LayeredTable at(FileIO fileIO, Path path) {
        return new LayeredTable(fileIO, path);
    }

    /** The host's table. */
    public FileStoreTable stock() {
        return FileStoreTableFactory.create(fileIO, path);
    }

    /** The wrapped table, with the fallback on. */
    public FileStoreTable table() {
        return BlobFallback.wrap(stock()).copy(Map.of(BlobFallbackOptions.ENABLED.key(), "true"));
    }

    /** Reads the wrapped table. */
    public TableRows read(String... columns) {
        return TableRows.of(table()).columns(columns);
    }

    /** The table's folder. */
    public Path path() {
        return path;
    }

    /** Evolves the schema. */
    public void alter(SchemaChange... changes) throws Exception {
        new SchemaManager(fileIO, path).commitChanges(changes);
    }

    /** Appends rows of the usual columns, by the host alone: a group with one layer a column. */
    public LayeredTable append(int from, int to) throws Exception {
        List<GenericRow> rows = new ArrayList<>();
        for (int id = from; id <= to; id++) {
            rows.add(GenericRow.of(id, string("name" + id), blob("pic" + id), blob("doc" + id)));
        }
        return append(stock().rowType(), rows);
    }

    /** Appends rows of the normal columns {@code id} and {@code name} only. */
    public LayeredTable appendWithoutBlobs(int from, int to) throws Exception {
        List<GenericRow> rows = new ArrayList<>();
        for (int id = from; id <= to; id++) {
            rows.add(GenericRow.of(id, string("name" + id)));
        }
        return append(stock().rowType().project("id", "name"), rows);
    }

    /** Appends rows of some columns. */
    public LayeredTable append(RowType type, List<GenericRow> rows) throws Exception {
        BatchWriteBuilder builder = stock().newBatchWriteBuilder();
        try (BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            write.withWriteType(type);
            for (GenericRow row : rows) {
                write.write(row);
            }
            commit.commit(write.prepareCommit());
        }
        return this;
    }

    /** Writes a newer normal file of one column over rows of the unpartitioned table. */
    public LayeredTable rewrite(String column, long firstRowId, Object... values) throws Exception {
        BatchWriteBuilder builder = stock().newBatchWriteBuilder();
        try (BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            write.withWriteType(stock().rowType().project(column));
            for (Object value : values) {
                write.write(GenericRow.of(value));
            }
            List<CommitMessage> messages = new ArrayList<>();
            for (CommitMessage message : write.prepareCommit()) {
                CommitMessageImpl written = (CommitMessageImpl) message;
                messages.add(
                        new CommitMessageImpl(
                                written.partition(),
                                written.bucket(),
                                written.totalBuckets(),
                                new DataIncrement(
                                        written.newFilesIncrement().newFiles().stream()
                                                .map(file -> file.assignFirstRowId(firstRowId))
                                                .toList(),
                                        List.of(),
                                        List.of()),
                                CompactIncrement.emptyIncrement()));
            }
            commit.commit(messages);
        }
        return this;
    }

    /** Starts a layer of a column of the unpartitioned table. */
    public BlobLayer layer(String column) {
        return new BlobLayer(this, fileIO, column);
    }

    /** All files of the latest snapshot. */
    public List<DataFileMeta> files() {
        return stock().store().newScan().plan().files().stream().map(ManifestEntry::file).toList();
    }

    /** Names of the blob files of a column, in the order of row ids and then oldest first. */
    public List<DataFileMeta> blobFiles(String column) {
        return files().stream()
                .filter(file -> file.fileName().endsWith(".blob"))
                .filter(file -> file.writeCols().equals(List.of(column)))
                .sorted(
                        Comparator.comparingLong(DataFileMeta::nonNullFirstRowId)
                                .thenComparingLong(DataFileMeta::maxSequenceNumber))
                .toList();
    }

    public static BinaryString string(String value) {
        return BinaryString.fromString(value);
    }

    public static Blob blob(String value) {
        return Blob.fromData(value.getBytes(StandardCharsets.UTF_8));
    }
}
