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

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.Snapshot;
import org.apache.paimon.append.dataevolution.DataEvolutionCompactCoordinator;
import org.apache.paimon.append.dataevolution.DataEvolutionCompactTask;
import org.apache.paimon.append.dataevolution.DataEvolutionCompactionCommitPreparation;
import org.apache.paimon.append.dataevolution.DataEvolutionRowIdReassigner;
import org.apache.paimon.blobfallback.tests.bridge.BlobFile;
import org.apache.paimon.blobfallback.tests.bridge.DataFile;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.SchemaEdit;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.table.source.EndOfScanException;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;

/** Paimon 2.0 as the tests' writer. */
// Paimon's own closeables throw Exception.
@SuppressWarnings("try")
public final class Paimon2Writer extends Paimon2CatalogClient implements PaimonWriter {

    @Override
    public void open(String warehouse, Map<String, String> catalogOptions) {
        Map<String, String> options = new HashMap<>(catalogOptions);
        options.put("warehouse", warehouse);
        // The tests' reader must not see what another catalog cached.
        options.put("cache-enabled", "false");
        open(options);
    }

    @Override
    public void createTable(String table, TableDefinition definition) throws Exception {
        Schema.Builder schema = Schema.newBuilder();
        definition.columns().forEach((name, type) -> schema.column(name, Values.type(type)));
        schema.partitionKeys(definition.partitionKeys());
        schema.option(CoreOptions.ROW_TRACKING_ENABLED.key(), "true");
        schema.option(CoreOptions.DATA_EVOLUTION_ENABLED.key(), "true");
        definition.options().forEach(schema::option);
        Identifier identifier = Identifier.fromString(table);
        catalog().createDatabase(identifier.getDatabaseName(), true);
        catalog().createTable(identifier, schema.build(), false);
    }

    @Override
    public void append(String name, List<List<Object>> rows) throws Exception {
        FileStoreTable table = table(name);
        BatchWriteBuilder builder = table.newBatchWriteBuilder();
        try (BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            for (List<Object> row : rows) {
                write.write(Values.row(table.rowType(), row));
            }
            commit.commit(write.prepareCommit());
        }
    }

    @Override
    public void update(
            String name,
            List<String> columns,
            Map<Long, List<Object>> values,
            Map<String, String> options)
            throws Exception {
        commit(table(name), new ColumnUpdate(table(name), columns, options).write(values));
    }

    @Override
    public void commitBlobFiles(String name, List<BlobFile> added, Collection<String> dropped)
            throws Exception {
        FileStoreTable table = table(name);
        BlobFileWriter writer = new BlobFileWriter(table);
        Map<BinaryRow, List<DataFileMeta>> before = new HashMap<>();
        Map<BinaryRow, List<DataFileMeta>> after = new HashMap<>();
        for (ManifestEntry entry : table.store().newScan().plan().files()) {
            if (dropped.contains(entry.file().fileName())) {
                before.computeIfAbsent(entry.partition(), key -> new ArrayList<>())
                        .add(entry.file());
            }
        }
        for (BlobFile file : added) {
            after.computeIfAbsent(writer.partition(file.partition()), key -> new ArrayList<>())
                    .add(writer.write(file));
        }
        List<CommitMessage> messages = new ArrayList<>();
        after.keySet().forEach(key -> before.computeIfAbsent(key, any -> new ArrayList<>()));
        before.forEach(
                (partition, files) -> {
                    List<DataFileMeta> news = after.getOrDefault(partition, List.of());
                    // Without a file to drop it is an update like any other; with one it replaces.
                    boolean replaces = !files.isEmpty();
                    messages.add(
                            new CommitMessageImpl(
                                    partition,
                                    0,
                                    null,
                                    replaces
                                            ? DataIncrement.emptyIncrement()
                                            : new DataIncrement(news, List.of(), List.of()),
                                    replaces
                                            ? new CompactIncrement(files, news, List.of())
                                            : CompactIncrement.emptyIncrement()));
                });
        commit(table, messages);
    }

    @Override
    public void alter(String table, List<SchemaEdit> edits) throws Exception {
        List<SchemaChange> changes =
                edits.stream().map(Paimon2Writer::change).collect(Collectors.toList());
        catalog().alterTable(Identifier.fromString(table), changes, false);
    }

    private static SchemaChange change(SchemaEdit edit) {
        List<String> arguments = edit.arguments();
        switch (edit.kind()) {
            case ADD_COLUMN:
                return SchemaChange.addColumn(arguments.get(0), Values.type(arguments.get(1)));
            case DROP_COLUMN:
                return SchemaChange.dropColumn(arguments.get(0));
            case RENAME_COLUMN:
                return SchemaChange.renameColumn(arguments.get(0), arguments.get(1));
            case CHANGE_TYPE:
                return SchemaChange.updateColumnType(
                        arguments.get(0), Values.type(arguments.get(1)));
            case MOVE_FIRST:
                return SchemaChange.updateColumnPosition(SchemaChange.Move.first(arguments.get(0)));
            case SET_OPTION:
                return SchemaChange.setOption(arguments.get(0), arguments.get(1));
            case REMOVE_OPTION:
                return SchemaChange.removeOption(arguments.get(0));
            default:
                throw new IllegalArgumentException("Unknown edit " + edit);
        }
    }

    @Override
    public int compact(String name, boolean blobs, Map<String, String> options) throws Exception {
        FileStoreTable table = table(name).copy(options);
        Snapshot snapshot = table.snapshotManager().latestSnapshot();
        if (snapshot == null) {
            return 0;
        }
        return compact(
                table,
                snapshot,
                new DataEvolutionCompactCoordinator(table, blobs, false, snapshot)::plan);
    }

    @Override
    public int materializeDeletions(String name) throws Exception {
        FileStoreTable table = table(name);
        Snapshot snapshot = table.snapshotManager().latestSnapshot();
        return compact(table, snapshot, MaterializedDeletions.plan(table, snapshot));
    }

    private static int compact(
            FileStoreTable table,
            Snapshot snapshot,
            Callable<List<DataEvolutionCompactTask>> coordinator)
            throws Exception {
        List<CommitMessage> messages = new ArrayList<>();
        for (DataEvolutionCompactTask task : plan(coordinator)) {
            messages.add(task.doCompact(table, "compactor"));
        }
        int tasks = messages.size();
        if (tasks > 0) {
            messages.addAll(
                    new DataEvolutionCompactionCommitPreparation(table, snapshot)
                            .prepare(messages));
            commit(table, messages);
        }
        return tasks;
    }

    /** Plans to the end, which Paimon tells with an exception. */
    private static List<DataEvolutionCompactTask> plan(
            Callable<List<DataEvolutionCompactTask>> coordinator) throws Exception {
        List<DataEvolutionCompactTask> tasks = new ArrayList<>();
        while (true) {
            try {
                tasks.addAll(coordinator.call());
            } catch (EndOfScanException end) {
                return tasks;
            }
        }
    }

    @Override
    public void indexGlobally(String name, String column, String type) throws Exception {
        FileStoreTable table = table(name);
        commit(table, new GlobalIndexes(table, column, type).build());
    }

    @Override
    public void delete(String name, Collection<Long> rowIds) throws Exception {
        FileStoreTable table = table(name);
        commit(table, new RowDeletion(table).delete(rowIds));
    }

    @Override
    public void reassignRowIds(String table) throws Exception {
        new DataEvolutionRowIdReassigner(table(table)).reassign();
    }

    @Override
    public void createTag(String table, String tag) throws Exception {
        table(table).createTag(tag);
    }

    @Override
    public void createBranch(String table, String branch, String tag) throws Exception {
        if (tag == null) {
            table(table).createBranch(branch);
        } else {
            table(table).createBranch(branch, tag);
        }
    }

    @Override
    public long latestSnapshot(String table) throws Exception {
        return table(table).snapshotManager().latestSnapshotId();
    }

    @Override
    public String commitKind(String table, long snapshot) throws Exception {
        return table(table).snapshotManager().snapshot(snapshot).commitKind().name();
    }

    @Override
    public List<DataFile> dataFiles(String name, long snapshot) throws Exception {
        FileStoreTable table = table(name);
        RowType partitionType = table.schema().logicalPartitionType();
        List<DataFile> files = new ArrayList<>();
        for (ManifestEntry entry : table.store().newScan().withSnapshot(snapshot).plan().files()) {
            DataFileMeta file = entry.file();
            DataFilePathFactory paths =
                    table.store()
                            .pathFactory()
                            .createDataFilePathFactory(entry.partition(), entry.bucket());
            files.add(
                    new DataFile(
                            paths.toPath(file).toUri().getPath(),
                            Values.external(partitionType, entry.partition()),
                            file.nonNullFirstRowId(),
                            file.rowCount(),
                            file.minSequenceNumber(),
                            file.maxSequenceNumber(),
                            file.schemaId(),
                            columnIds(table, file)));
        }
        return files;
    }

    private static List<Integer> columnIds(FileStoreTable table, DataFileMeta file) {
        return table
                .schemaManager()
                .schema(file.schemaId())
                .project(file.writeCols())
                .fields()
                .stream()
                .map(DataField::id)
                .collect(Collectors.toList());
    }

    @Override
    public Map<String, Integer> columnIds(String name) throws Exception {
        Map<String, Integer> ids = new LinkedHashMap<>();
        for (DataField field : table(name).rowType().getFields()) {
            ids.put(field.name(), field.id());
        }
        return ids;
    }

    private FileStoreTable table(String name) throws Exception {
        return (FileStoreTable) catalog().getTable(Identifier.fromString(name));
    }

    private static void commit(FileStoreTable table, List<CommitMessage> messages)
            throws Exception {
        if (messages.isEmpty()) {
            return;
        }
        try (BatchTableCommit commit = table.newBatchWriteBuilder().newCommit()) {
            commit.commit(messages);
        }
    }
}
