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

package org.apache.paimon.blobfallback.tests.update;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.paimon.append.dataevolution.DataEvolutionCompactCoordinator;
import org.apache.paimon.append.dataevolution.DataEvolutionCompactTask;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.format.BlobPlaceholder;
import org.apache.paimon.blobfallback.format.file.BlobFileWriter;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.apache.paimon.blobfallback.update.BlobFlattenBuilder;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.blobfallback.update.BlobUpdateBuilder;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.stats.SimpleStats;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.table.source.EndOfScanException;
import org.apache.paimon.utils.Range;

/**
 * A table that Paimon 2.0 and the plugin write in turn, and a model that knows what is in it.
 *
 * <p>Columns are {@code id INT, pic BLOB, doc BLOB, part INT}.
 */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
final class InterleavedTable {

    private static final List<String> BLOBS = List.of("pic", "doc");

    private final String name;
    private final Random random;
    private final PaimonWriter paimon2;
    private final Catalog plugin;
    private final boolean partitioned;
    private final boolean deletes;

    /** Row id to its values in the order of the columns, blobs as strings. */
    private final TreeMap<Long, List<Object>> model = new TreeMap<>();

    private final List<String> history = new ArrayList<>();

    private int nextValue;

    InterleavedTable(String name, Random random, PaimonWriter paimon2, Catalog plugin)
            throws Exception {
        this.name = name;
        this.random = random;
        this.paimon2 = paimon2;
        this.plugin = plugin;
        this.partitioned = random.nextInt(4) == 0;
        this.deletes = random.nextInt(4) == 0;
        TableDefinition definition =
                TableDefinition.of("id", "INT", "pic", "BLOB", "doc", "BLOB", "part", "INT")
                        .with("file.format", random.nextBoolean() ? "avro" : "parquet");
        if (partitioned) {
            definition = definition.partitionedBy("part");
        }
        if (deletes) {
            definition = definition.with("deletion-vectors.enabled", "true");
        }
        if (random.nextInt(3) == 0) {
            definition = definition.with("blob.target-file-size", "100 b");
        }
        paimon2.createTable(name, definition);
        history.add("create " + definition);
        appendWithPaimon2();
    }

    /** What has happened, for messages. */
    List<String> history() {
        return history;
    }

    /** Does something at random and lets the model do the same. */
    void step() throws Exception {
        switch (random.nextInt(deletes ? 11 : 10)) {
            case 0 -> appendWithPaimon2();
            case 1 -> {
                if (deletes) {
                    appendWithPaimon2();
                } else {
                    appendWithHost();
                }
            }
            case 2, 3 -> updateWithPaimon2();
            case 4, 5 -> updateWithPlugin();
            case 6 -> updateByManyWorkers();
            case 7 -> flatten();
            case 8 -> compactWithPaimon2();
            case 9 -> {
                if (deletes) {
                    updateByPredicate();
                } else {
                    compactWithHost();
                }
            }
            default -> deleteWithPaimon2();
        }
    }

    /**
     * Lays a blob file over rows of several groups, or updates or flattens what is there, with the
     * plugin alone: Paimon 2.0 does not read such a file.
     */
    void stepOfJoinedGroups() throws Exception {
        switch (random.nextInt(6)) {
            case 0 -> updateWithPlugin();
            case 1 -> updateByManyWorkers();
            case 2 -> flatten();
            default -> joinGroups();
        }
    }

    /** A layer of one file over any rows; of the rows of its partition it holds new values. */
    private void joinGroups() throws Exception {
        FileStoreTable table = table();
        List<ManifestEntry> entries = table.store().newScan().plan().files();
        ManifestEntry place = entries.get(random.nextInt(entries.size()));
        Integer part = partitioned ? (Integer) place.partition().getInt(0) : null;
        String column = BLOBS.get(random.nextInt(2));
        long first = random.nextInt((int) nextRowId());
        List<Object> values = new ArrayList<>();
        for (long rowId = first; rowId < nextRowId() && random.nextInt(12) > 0; rowId++) {
            List<Object> row = model.get(rowId);
            boolean placed = row != null && (part == null || part.equals(row.get(3)));
            String value = newValue();
            if (placed && random.nextBoolean()) {
                row.set(index(column), value);
                values.add(blob(value));
            } else {
                values.add(placed ? BlobPlaceholder.INSTANCE : blob(value));
            }
        }
        history.add("a file of " + column + " at " + first + " with " + values.size() + " rows");
        if (!values.isEmpty()) {
            writeLayer(table, place, column, first, values);
        }
    }

    private static void writeLayer(
            FileStoreTable table,
            ManifestEntry place,
            String column,
            long firstRowId,
            List<Object> values)
            throws Exception {
        Path path =
                table.store()
                        .pathFactory()
                        .createDataFilePathFactory(place.partition(), place.bucket())
                        .newBlobPath();
        try (PositionOutputStream out = table.fileIO().newOutputStream(path, false);
                BlobFileWriter writer =
                        new BlobFileWriter(out, table.rowType().project(column), null, false)) {
            for (Object value : values) {
                writer.addElement(GenericRow.of(value));
            }
        }
        DataFileMeta file =
                DataFileMeta.forAppend(
                        path.getName(),
                        table.fileIO().getFileSize(path),
                        values.size(),
                        SimpleStats.EMPTY_STATS,
                        0,
                        0,
                        table.schema().id(),
                        Collections.emptyList(),
                        null,
                        FileSource.APPEND,
                        null,
                        null,
                        firstRowId,
                        List.of(column));
        try (BatchTableCommit commit = table.newBatchWriteBuilder().newCommit()) {
            commit.commit(
                    List.of(
                            new CommitMessageImpl(
                                    place.partition(),
                                    place.bucket(),
                                    place.totalBuckets(),
                                    new DataIncrement(
                                            List.of(file),
                                            Collections.emptyList(),
                                            Collections.emptyList()),
                                    CompactIncrement.emptyIncrement())));
        }
    }

    /** Flattens the whole table; afterwards nothing is left to flatten. */
    void flattenAll() throws Exception {
        history.add("flatten all");
        flattenBuilder().newFlatten().run();
        assertThat(flattenBuilder().newFlatten().plan()).as("%s", history).isEmpty();
    }

    /** Whether the host without the plugin can load the table at all. */
    boolean loadsWithoutPlugin() {
        return !deletes;
    }

    /** Checks what a Paimon reads against the model: all columns, one, and some rows. */
    void check(PaimonReader reader, String who) throws Exception {
        checkAllRows(reader, who);
        assertThat(texts(reader.read(ReadRequest.all(name).columns("_ROW_ID", "pic"))))
                .as("%s, one blob column, after %s", who, history)
                .isEqualTo(
                        expected().stream().map(row -> List.of(row.get(0), row.get(2))).toList());
        long first = model.firstKey() + random.nextInt(10);
        ReadRequest some = allColumns().range(first, first + random.nextInt(20));
        assertThat(texts(reader.read(some)))
                .as("%s, %s, after %s", who, some.ranges(), history)
                .isEqualTo(
                        expected().stream()
                                .filter(
                                        row -> {
                                            long rowId = Long.parseLong(row.get(0));
                                            ReadRequest.Range range = some.ranges().get(0);
                                            return range.from() <= rowId && rowId <= range.to();
                                        })
                                .toList());
    }

    /**
     * As {@link #check}, for the host without the plugin. Where it reads blob columns only, its row
     * ids are one too high, and where it is given row ids, it takes the first file of a split for
     * the one with the lowest, layers or not.
     */
    void checkAllRows(PaimonReader reader, String who) throws Exception {
        assertThat(texts(reader.read(allColumns())))
                .as("%s after %s", who, history)
                .isEqualTo(expected());
    }

    private ReadRequest allColumns() {
        return ReadRequest.all(name).columns("_ROW_ID", "id", "pic", "doc", "part");
    }

    private void appendWithPaimon2() throws Exception {
        List<List<Object>> rows = newRows();
        history.add("2.0 appends " + rows);
        long rowId = nextRowId();
        paimon2.append(name, external(rows));
        for (List<Object> row : rows) {
            model.put(rowId++, new ArrayList<>(row));
        }
    }

    private void appendWithHost() throws Exception {
        List<List<Object>> rows = newRows();
        history.add("the host appends " + rows);
        long rowId = nextRowId();
        BatchWriteBuilder builder = table().newBatchWriteBuilder();
        try (BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            for (List<Object> row : rows) {
                write.write(
                        GenericRow.of(row.get(0), blob(row.get(1)), blob(row.get(2)), row.get(3)));
            }
            commit.commit(write.prepareCommit());
        }
        for (List<Object> row : rows) {
            model.put(rowId++, new ArrayList<>(row));
        }
    }

    private void updateWithPaimon2() throws Exception {
        String column = BLOBS.get(random.nextInt(2));
        Map<Long, List<Object>> values = new LinkedHashMap<>();
        for (long rowId : someRows()) {
            String value = newValue();
            values.put(rowId, Collections.singletonList(bytes(value)));
            model.get(rowId).set(index(column), value);
        }
        history.add("2.0 updates " + column + " of " + values.keySet());
        paimon2.update(name, List.of(column), values, Map.of());
    }

    private void updateWithPlugin() throws Exception {
        Map<String, Map<Long, String>> values = new TreeMap<>();
        for (String column : random.nextBoolean() ? BLOBS : BLOBS.subList(0, 1)) {
            Map<Long, String> column2values = new TreeMap<>();
            someRows().forEach(rowId -> column2values.put(rowId, newValue()));
            values.put(column, column2values);
        }
        history.add("the plugin updates " + values);
        try (BlobUpdate update = updateBuilder().newUpdate()) {
            values.forEach(
                    (column, rows) ->
                            rows.forEach((rowId, value) -> update.set(rowId, column, blob(value))));
            update.commit();
        }
        values.forEach(
                (column, rows) ->
                        rows.forEach((rowId, value) -> model.get(rowId).set(index(column), value)));
    }

    private void updateByManyWorkers() throws Exception {
        Map<Long, String> values = new TreeMap<>();
        someRows().forEach(rowId -> values.put(rowId, newValue()));
        history.add("workers update pic " + values);
        BlobUpdateBuilder builder = updateBuilder().withColumns("pic");
        List<CommitMessage> messages = new ArrayList<>();
        for (Range group : builder.groupsOf(values.keySet())) {
            try (BlobUpdate update = builder.newUpdate()) {
                values.forEach(
                        (rowId, value) -> {
                            if (group.from <= rowId && rowId <= group.to) {
                                update.set(rowId, "pic", blob(value));
                            }
                        });
                messages.addAll(update.prepareCommit());
            }
        }
        Collections.shuffle(messages, random);
        builder.newCommit().commit(messages);
        values.forEach((rowId, value) -> model.get(rowId).set(index("pic"), value));
    }

    private void updateByPredicate() throws Exception {
        int from = random.nextInt(nextValue + 1);
        int to = from + random.nextInt(10);
        String value = newValue();
        history.add("the plugin updates doc where id from " + from + " to " + to);
        FileStoreTable table = table();
        long expected = 0;
        for (List<Object> row : model.values()) {
            int id = (Integer) row.get(0);
            if (from <= id && id <= to) {
                row.set(index("doc"), value);
                expected++;
            }
        }
        try (BlobUpdate update = BlobFallback.newUpdateBuilder(table).newUpdate()) {
            assertThat(
                            update.setWhere(
                                    new PredicateBuilder(table.rowType()).between(0, from, to),
                                    "doc",
                                    blob(value)))
                    .as("%s", history)
                    .isEqualTo(expected);
            update.commit();
        }
    }

    private void flatten() throws Exception {
        BlobFlattenBuilder builder = flattenBuilder();
        if (random.nextBoolean()) {
            builder.withColumns(BLOBS.get(random.nextInt(2)));
        }
        if (random.nextBoolean()) {
            builder.withMoreLayersThan(1 + random.nextInt(2));
        }
        if (partitioned && random.nextBoolean()) {
            builder.withPartitions(List.of(Map.of("part", "1")));
        }
        history.add("the plugin flattens");
        history.add("  " + builder.newFlatten().run());
    }

    private void compactWithPaimon2() throws Exception {
        boolean blobs = random.nextInt(3) > 0;
        history.add("2.0 compacts" + (blobs ? " with blobs" : ""));
        int tasks = paimon2.compact(name, blobs, Map.of("compaction.min.file-num", "2"));
        history.add("  by " + tasks + " tasks");
    }

    private void compactWithHost() throws Exception {
        history.add("the host compacts");
        FileStoreTable table = table().copy(Map.of("compaction.min.file-num", "2"));
        DataEvolutionCompactCoordinator coordinator =
                new DataEvolutionCompactCoordinator(table, false, false);
        List<CommitMessage> messages = new ArrayList<>();
        try {
            while (true) {
                for (DataEvolutionCompactTask task : coordinator.plan()) {
                    messages.add(task.doCompact(table, "compactor"));
                }
            }
        } catch (EndOfScanException end) {
            history.add("  by " + messages.size() + " tasks");
        }
        if (!messages.isEmpty()) {
            try (BatchTableCommit commit = table.newBatchWriteBuilder().newCommit()) {
                commit.commit(messages);
            }
        }
    }

    private void deleteWithPaimon2() throws Exception {
        Set<Long> rowIds = new TreeSet<>();
        for (long rowId : someRows()) {
            if (rowIds.size() < 2 && model.size() - rowIds.size() > 5) {
                rowIds.add(rowId);
            }
        }
        if (!rowIds.isEmpty()) {
            history.add("2.0 deletes " + rowIds);
            paimon2.delete(name, rowIds);
            model.keySet().removeAll(rowIds);
        }
    }

    private List<List<Object>> newRows() {
        int part = random.nextInt(3);
        List<List<Object>> rows = new ArrayList<>();
        for (int i = random.nextInt(6); i >= 0; i--) {
            rows.add(Arrays.asList(nextValue, newValue(), newValue(), part));
        }
        return rows;
    }

    private Set<Long> someRows() {
        List<Long> rowIds = new ArrayList<>(model.keySet());
        Set<Long> some = new TreeSet<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            some.add(rowIds.get(random.nextInt(rowIds.size())));
        }
        return some;
    }

    /** Null, empty, or something of its own, which no other value is. */
    private String newValue() {
        int value = nextValue++;
        return switch (random.nextInt(8)) {
            case 0 -> null;
            case 1 -> "";
            default -> "v" + value + "x".repeat(random.nextInt(40));
        };
    }

    private long nextRowId() throws Exception {
        return plugin.listTables("db").contains(Identifier.fromString(name).getTableName())
                        && table().snapshotManager().latestSnapshot() != null
                ? table().snapshotManager().latestSnapshot().nextRowId()
                : 0;
    }

    private FileStoreTable table() throws Exception {
        return (FileStoreTable) plugin.getTable(Identifier.fromString(name));
    }

    private BlobUpdateBuilder updateBuilder() throws Exception {
        return BlobFallback.newUpdateBuilder(table());
    }

    private BlobFlattenBuilder flattenBuilder() throws Exception {
        return BlobFallback.newFlattenBuilder(table());
    }

    private List<List<String>> expected() {
        List<List<String>> rows = new ArrayList<>();
        model.forEach(
                (rowId, values) -> {
                    List<String> row = new ArrayList<>();
                    row.add(String.valueOf(rowId));
                    values.forEach(value -> row.add(String.valueOf(value)));
                    rows.add(row);
                });
        return rows;
    }

    private static List<List<String>> texts(List<List<Object>> rows) {
        List<List<String>> texts = new ArrayList<>();
        for (List<Object> row : rows) {
            List<String> text = new ArrayList<>();
            for (Object value : row) {
                text.add(
                        value instanceof byte[] bytes
                                ? new String(bytes, StandardCharsets.UTF_8)
                                : String.valueOf(value));
            }
            texts.add(text);
        }
        texts.sort((a, b) -> Long.compare(Long.parseLong(a.get(0)), Long.parseLong(b.get(0))));
        return texts;
    }

    private static List<List<Object>> external(List<List<Object>> rows) {
        List<List<Object>> external = new ArrayList<>();
        for (List<Object> row : rows) {
            external.add(
                    Arrays.asList(row.get(0), bytes(row.get(1)), bytes(row.get(2)), row.get(3)));
        }
        return external;
    }

    private static int index(String column) {
        return 1 + BLOBS.indexOf(column);
    }

    private static byte[] bytes(Object value) {
        return value == null ? null : ((String) value).getBytes(StandardCharsets.UTF_8);
    }

    private static Blob blob(Object value) {
        return value == null ? null : Blob.fromData(bytes(value));
    }
}
