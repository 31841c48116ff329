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

package org.apache.paimon.blobfallback.tests.differential;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.paimon.blobfallback.tests.bridge.BlobFile;
import org.apache.paimon.blobfallback.tests.bridge.DataFile;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.Placeholder;
import org.apache.paimon.blobfallback.tests.bridge.PluginWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.SchemaEdit;

/**
 * A table that a newer Paimon wrote in random steps, the steps in words, and the model: what each
 * of its snapshots must hold by the rules.
 */
final class RandomTable {

    private static final Set<String> INDEXED_TYPES = Set.of("INT", "BIGINT", "STRING", "DOUBLE");

    /** A step that changes the table, and how often it is drawn. */
    private record Step(int weight, Action action) {}

    /** What a step does. */
    private interface Action {
        void run() throws Exception;
    }

    private final String name;
    private final Random random;
    private final RandomValues values;
    private final PaimonWriter writer;
    private final PaimonReader reader;
    private final PluginWriter plugin;
    private final List<String> recipe = new ArrayList<>();
    private final NavigableMap<Long, ModelState> history = new TreeMap<>();
    private final List<Step> steps =
            List.of(
                    new Step(20, this::append),
                    new Step(45, this::updateBlobs),
                    new Step(15, this::deleteRows),
                    new Step(8, this::rewriteColumn),
                    new Step(6, this::addBlobColumn),
                    new Step(5, this::addNormalColumn),
                    new Step(4, this::dropColumn),
                    new Step(4, this::renameColumn),
                    new Step(10, this::changeType),
                    new Step(3, this::moveColumn),
                    new Step(3, this::setOption),
                    new Step(6, () -> compact(false)),
                    new Step(4, () -> compact(true)),
                    new Step(3, this::reassignRowIds),
                    new Step(8, this::replaceByPile),
                    new Step(8, this::addLayer),
                    new Step(4, this::span),
                    new Step(4, this::materializeDeletions),
                    new Step(10, this::updateByPlugin),
                    new Step(14, this::updateWhereByPlugin),
                    new Step(6, this::flattenByPlugin),
                    new Step(8, this::indexGlobally),
                    new Step(8, this::indexByHost));

    private static final String HOST = "the host";

    private final RandomDefinition definition;
    private final Map<String, Long> tags = new LinkedHashMap<>();
    private final List<String> droppedNames = new ArrayList<>();
    private final Set<Integer> changedTypes = new HashSet<>();
    private final Set<Long> indexCommits = new HashSet<>();

    /** The last row id that a column's first index had to take in, by field id. */
    private final Map<Integer, Long> indexedTo = new HashMap<>();

    private boolean bitmapOfHost;
    private ModelState state;
    private long reassigned;
    private int nextId;
    private int nextColumn = 3;

    private RandomTable(
            String name,
            long seed,
            Path folder,
            PaimonWriter writer,
            PaimonReader reader,
            PluginWriter plugin,
            boolean master)
            throws IOException {
        this.name = name;
        this.random = new Random(seed);
        this.values = new RandomValues(random, folder);
        this.definition = new RandomDefinition(random, folder.resolve("external"), master);
        this.writer = writer;
        this.reader = reader;
        this.plugin = plugin;
    }

    /** Makes a table without steps of the plugin. */
    static RandomTable create(
            String name, long seed, Path folder, PaimonWriter writer, PaimonReader reader)
            throws IOException {
        return create(name, seed, folder, writer, reader, null, false);
    }

    /**
     * Makes a table.
     *
     * @param name {@code db.table}, not there yet
     * @param seed decides everything about it
     * @param folder a folder for what is outside the table: external files and blobs
     * @param writer the Paimon that writes it
     * @param reader the same Paimon as a reader; it tells which row got which id
     * @param plugin updates and flattens it in between; null if it does not
     * @param master whether the Paimon is newer than 2.0
     */
    static RandomTable create(
            String name,
            long seed,
            Path folder,
            PaimonWriter writer,
            PaimonReader reader,
            PluginWriter plugin,
            boolean master)
            throws IOException {
        RandomTable table = new RandomTable(name, seed, folder, writer, reader, plugin, master);
        try {
            table.create();
            table.append();
            int count = 1 + table.random.nextInt(8);
            for (int i = 0; i < count; i++) {
                table.step();
                table.tag();
            }
            if (table.random.nextInt(10) == 0) {
                table.span();
            }
        } catch (Exception | LinkageError e) {
            throw new IllegalStateException("After " + table.recipe(), e);
        }
        return table;
    }

    String name() {
        return name;
    }

    /** The steps that made it, one a line. */
    String recipe() {
        return String.join("\n", recipe);
    }

    /** What the table holds now; its schema may be newer than that of the latest snapshot. */
    ModelState current() {
        return state;
    }

    /** What each snapshot holds, by snapshot id. */
    NavigableMap<Long, ModelState> history() {
        return history;
    }

    /** Tags and the snapshots that they name; each has a branch of the same name. */
    Map<String, Long> tags() {
        return tags;
    }

    /** Whether one of some columns has or had a global index, which may not hold all rows. */
    boolean isIndexed(Set<String> columns) {
        return state.columns().stream()
                .anyMatch(
                        column ->
                                columns.contains(column.name())
                                        && indexedTo.containsKey(column.id()));
    }

    /** The request in a search mode whose filter also finds the rows that are in no index. */
    ReadRequest ofAllRows(ReadRequest request) {
        return request.filter() != null && isIndexed(Filters.columns(request.filter()))
                ? request.with("scalar-index.search-mode", "full")
                : request;
    }

    /** Whether the host has built a bitmap index. */
    boolean hasBitmapOfHost() {
        return bitmapOfHost;
    }

    /**
     * The last row id up to which every index on one of some columns holds all rows, -1 if one
     * holds no row for sure.
     */
    long indexedTo(Set<String> columns) {
        return state.columns().stream()
                .filter(column -> columns.contains(column.name()))
                .mapToLong(column -> indexedTo.getOrDefault(column.id(), Long.MAX_VALUE))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Snapshots that added rows or values, in which the rows have the ids that they have now. */
    List<Long> appends() throws Exception {
        List<Long> appends = new ArrayList<>();
        for (long snapshot : history.tailMap(reassigned, false).keySet()) {
            // A stream passes over a snapshot without new files, to the one after it.
            if (!indexCommits.contains(snapshot)
                    && writer.commitKind(name, snapshot).equals("APPEND")) {
                appends.add(snapshot);
            }
        }
        return appends;
    }

    private void create() throws Exception {
        writer.createTable(name, definition.definition());
        ViewedTable viewed = null;
        if (definition.hasView()) {
            viewed = ViewedTable.create(name + "_viewed", random, writer);
            values.view(viewed);
        }
        state =
                new ModelState(
                        definition.columns(writer.columnIds(name)),
                        definition.hasDeletionVectors(),
                        viewed);
        recipe.add("create " + definition.definition());
    }

    private void step() throws Exception {
        int total = steps.stream().mapToInt(Step::weight).sum();
        int drawn = random.nextInt(total);
        for (Step step : steps) {
            drawn -= step.weight();
            if (drawn < 0) {
                step.action().run();
                return;
            }
        }
    }

    private void append() throws Exception {
        int count = random.nextInt(5) == 0 ? 1 : 1 + random.nextInt(25);
        Map<Integer, Map<Integer, Object>> written = new LinkedHashMap<>();
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Map<Integer, Object> row = new LinkedHashMap<>();
            for (ModelColumn column : state.columns()) {
                row.put(column.id(), column.name().equals("id") ? nextId : value(column));
            }
            written.put(nextId++, row);
            rows.add(new ArrayList<>(row.values()));
        }
        writer.append(name, rows);
        // Row ids follow the files, and the files follow the partitions.
        rowIds().forEach(
                        (id, rowId) -> {
                            if (written.containsKey(id)) {
                                state.rows().put(rowId, written.get(id));
                            }
                        });
        committed("append " + count + " rows");
    }

    /** The row ids that the table's rows have, by the column {@code id}. */
    private Map<Integer, Long> rowIds() throws Exception {
        Map<Integer, Long> rowIds = new LinkedHashMap<>();
        for (List<Object> row : reader.read(ReadRequest.all(name).columns("id", "_ROW_ID"))) {
            rowIds.put((Integer) row.get(0), (Long) row.get(1));
        }
        return rowIds;
    }

    private Object value(ModelColumn column) {
        return column.name().equals("part") ? pick("x", "y", "z") : values.of(column);
    }

    private void updateBlobs() throws Exception {
        List<ModelColumn> columns = someOf(state.blobColumns());
        int percent = pick(0, 0, 5, 10, 50, 100);
        Map<Long, List<Object>> touched = new TreeMap<>();
        for (Group group : someOf(groups())) {
            for (long id = group.from; id <= group.to; id++) {
                if (random.nextInt(100) < percent) {
                    touched.put(id, new ArrayList<>());
                }
            }
            if (touched.isEmpty()) {
                touched.put(group.from + random.nextInt(group.size()), new ArrayList<>());
            }
        }
        // A single column may be touched nowhere: a layer of placeholders alone.
        boolean nowhere = random.nextInt(12) == 0;
        int untouched = columns.size() > 1 ? 20 : 0;
        for (Map.Entry<Long, List<Object>> row : touched.entrySet()) {
            for (ModelColumn column : columns) {
                Object value =
                        nowhere || random.nextInt(100) < untouched
                                ? Placeholder.UNTOUCHED
                                : values.of(column);
                row.getValue().add(value);
                put(row.getKey(), column, value);
            }
        }
        Map<String, String> options =
                random.nextBoolean()
                        ? Map.of()
                        : Map.of("blob.target-file-size", pick("1 b", "100 b", "1 mb"));
        List<String> names = columns.stream().map(ModelColumn::name).toList();
        writer.update(name, names, touched, options);
        committed("update " + names + " of " + touched.keySet() + " with " + options);
    }

    private void deleteRows() throws Exception {
        if (!state.hasDeletionVectors()) {
            return;
        }
        int percent = pick(0, 10, 50);
        List<Long> deleted = new ArrayList<>(state.rows().keySet());
        deleted.removeIf(any -> random.nextInt(100) >= percent);
        if (deleted.isEmpty()) {
            deleted.add(anyOf(List.copyOf(state.rows().keySet())));
        }
        if (deleted.size() < state.rows().size()) {
            writer.delete(name, deleted);
            state.rows().keySet().removeAll(deleted);
            committed("delete " + deleted);
        }
    }

    private void rewriteColumn() throws Exception {
        ModelColumn column =
                anyOf(
                        state.otherColumns().stream()
                                .filter(any -> !List.of("id", "part").contains(any.name()))
                                .toList());
        Map<Long, List<Object>> touched = new TreeMap<>();
        for (Group group : someOf(groups())) {
            for (long id = group.from; id <= group.to; id++) {
                Object value = values.of(column);
                touched.put(id, Collections.singletonList(value));
                put(id, column, value);
            }
        }
        writer.update(name, List.of(column.name()), touched, Map.of());
        committed("rewrite " + column.name() + " of " + touched.keySet());
    }

    private void addBlobColumn() throws Exception {
        if (state.blobColumns().size() < 4) {
            addColumn(newName("b"), definition.blobType(), ModelColumn.Kind.BLOB);
        }
    }

    private void addNormalColumn() throws Exception {
        addColumn(newName("n"), RandomDefinition.normalType(random), ModelColumn.Kind.NORMAL);
    }

    private void addColumn(String column, String type, ModelColumn.Kind kind) throws Exception {
        alter(SchemaEdit.of(SchemaEdit.Kind.ADD_COLUMN, column, type));
        int id = writer.columnIds(name).get(column);
        state.columns().add(new ModelColumn(column, id, type, kind));
    }

    /** A name that was never there, or one of a dropped column that is another column now. */
    private String newName(String prefix) {
        return !droppedNames.isEmpty() && random.nextBoolean()
                ? droppedNames.remove(0)
                : prefix + nextColumn++;
    }

    private void dropColumn() throws Exception {
        List<ModelColumn> candidates =
                state.columns().stream()
                        .filter(ModelColumn::isFree)
                        .filter(any -> !any.name().equals("name"))
                        .filter(any -> !any.isBlob() || state.blobColumns().size() > 1)
                        .toList();
        if (candidates.isEmpty()) {
            return;
        }
        ModelColumn column = anyOf(candidates);
        alter(SchemaEdit.of(SchemaEdit.Kind.DROP_COLUMN, column.name()));
        state.columns().remove(column);
        state.rows().values().forEach(row -> row.remove(column.id()));
        droppedNames.add(column.name());
    }

    /** Renames a normal column; Paimon 2.0 renames no blob column. */
    private void renameColumn() throws Exception {
        List<ModelColumn> candidates =
                state.columns().stream()
                        .filter(any -> any.isFree() && !any.isBlob())
                        .filter(any -> !any.name().equals("name"))
                        .toList();
        if (candidates.isEmpty()) {
            return;
        }
        ModelColumn column = anyOf(candidates);
        String newName = newName("r");
        alter(SchemaEdit.of(SchemaEdit.Kind.RENAME_COLUMN, column.name(), newName));
        state.columns().replaceAll(any -> any == column ? any.renamed(newName) : any);
    }

    /**
     * Changes the type of a normal column, once: files of several types ago are cast as a whole
     * where no compaction has come between, and step by step where one has.
     */
    private void changeType() throws Exception {
        List<ModelColumn> candidates =
                state.normalColumns().stream()
                        .filter(any -> any.isFree() && !changedTypes.contains(any.id()))
                        .filter(any -> !Casts.targets(any.type()).isEmpty())
                        .toList();
        if (candidates.isEmpty()) {
            return;
        }
        ModelColumn column = anyOf(candidates);
        // The column of names may have a file index, which no bytes can have.
        String type =
                column.name().equals("name") ? "VARCHAR(2)" : anyOf(Casts.targets(column.type()));
        alter(SchemaEdit.of(SchemaEdit.Kind.CHANGE_TYPE, column.name(), type));
        changedTypes.add(column.id());
        state.columns().replaceAll(any -> any == column ? any.changedTo(type) : any);
        state.rows()
                .values()
                .forEach(
                        row ->
                                row.computeIfPresent(
                                        column.id(), (id, value) -> Casts.cast(value, type)));
    }

    private void moveColumn() throws Exception {
        ModelColumn column = anyOf(state.columns());
        if (column == state.columns().get(0)) {
            return;
        }
        alter(SchemaEdit.of(SchemaEdit.Kind.MOVE_FIRST, column.name()));
        state.columns().remove(column);
        state.columns().add(0, column);
    }

    private void setOption() throws Exception {
        alter(
                random.nextBoolean()
                        ? SchemaEdit.of(
                                SchemaEdit.Kind.SET_OPTION, "file.format", definition.fileFormat())
                        : SchemaEdit.of(
                                SchemaEdit.Kind.SET_OPTION,
                                "blob.target-file-size",
                                RandomDefinition.blobFileSize(random)));
    }

    private void alter(SchemaEdit edit) throws Exception {
        writer.alter(name, List.of(edit));
        recipe.add(edit.toString());
    }

    private void reassignRowIds() throws Exception {
        if (!isSpanned()) {
            writer.reassignRowIds(name);
            rowIdsChanged("reassign row ids");
        }
    }

    private void materializeDeletions() throws Exception {
        if (state.hasDeletionVectors()
                && state.viewed() == null
                && !definition.hasVector()
                && !isSpanned()
                && writer.materializeDeletions(name) > 0) {
            rowIdsChanged("materialize deletions");
        }
    }

    private void rowIdsChanged(String step) throws Exception {
        Map<Object, Map<Integer, Object>> rows = new LinkedHashMap<>();
        int idColumn = state.column("id").id();
        state.rows().values().forEach(row -> rows.put(row.get(idColumn), row));
        state.rows().clear();
        rowIds().forEach((id, rowId) -> state.rows().put(rowId, rows.get(id)));
        committed(step);
        reassigned = history.lastKey();
        // No index is of these row ids.
        indexedTo.replaceAll((column, rowId) -> -1L);
    }

    private void tag() throws Exception {
        if (random.nextInt(12) == 0) {
            String tag = "tag" + tags.size();
            writer.createTag(name, tag);
            writer.createBranch(name, tag, tag);
            tags.put(tag, history.lastKey());
            recipe.add("tag and branch " + tag);
        }
    }

    /** Merges neighbouring groups; without blobs, layers get gaps. */
    private void compact(boolean blobs) throws Exception {
        if (isSpanned()) {
            return;
        }
        int tasks = writer.compact(name, blobs, Map.of("compaction.min.file-num", "2"));
        if (tasks > 0) {
            committed("compact" + (blobs ? " with blobs" : "") + " in " + tasks + " tasks");
        }
    }

    /** Puts a pile of hand-made layers in the place of all that a column has in a group. */
    private void replaceByPile() throws Exception {
        ModelColumn column = anyOf(state.blobColumns());
        Group group = anyOf(groups());
        List<String> dropped =
                writer.dataFiles(name).stream()
                        .filter(DataFile::isBlob)
                        .filter(file -> file.columnIds().contains(column.id()))
                        .filter(file -> file.firstRowId() <= group.to)
                        .filter(file -> file.lastRowId() >= group.from)
                        .map(DataFile::name)
                        .toList();
        if (isSpanned()) {
            return;
        }
        TreeSet<Long> sequenceNumbers = new TreeSet<>();
        int layers = 1 + random.nextInt(5);
        for (int i = 0; i < layers; i++) {
            sequenceNumbers.add(1 + (long) random.nextInt(history.lastKey().intValue()));
        }
        for (long id = group.from; id <= group.to; id++) {
            put(id, column, null);
        }
        boolean covered = random.nextInt(4) != 0;
        List<BlobFile> files = new ArrayList<>();
        for (long sequenceNumber : sequenceNumbers) {
            files.addAll(layer(column, group, sequenceNumber, covered));
            covered = false;
        }
        writer.commitBlobFiles(name, files, dropped);
        committed("replace " + dropped + " by " + describe(files));
    }

    /** Adds the newest layer, which covers a part of its group. */
    private void addLayer() throws Exception {
        ModelColumn column = anyOf(state.blobColumns());
        Group group = anyOf(groups());
        List<BlobFile> files = layer(column, group, 0, false);
        writer.commitBlobFiles(name, files, List.of());
        committed("add layer " + describe(files));
    }

    /** Adds a layer that spans two neighbouring groups. */
    private void span() throws Exception {
        List<Group> groups = groups();
        int first = random.nextInt(groups.size());
        if (first + 1 == groups.size()) {
            return;
        }
        Group left = groups.get(first);
        Group right = groups.get(first + 1);
        if (left.to + 1 == right.from && left.partition.equals(right.partition)) {
            Group both = new Group(left.from, right.to, left.partition);
            List<BlobFile> files = layer(anyOf(state.blobColumns()), both, 0, true);
            writer.commitBlobFiles(name, files, List.of());
            committed("span two groups by " + describe(files));
        }
    }

    /** Files of one layer, and their values in the model; at least one file. */
    private List<BlobFile> layer(
            ModelColumn column, Group group, long sequenceNumber, boolean covered) {
        List<BlobFile> files = new ArrayList<>();
        long next = group.from;
        while (next <= group.to) {
            int left = (int) (group.to - next + 1);
            int size = 1 + random.nextInt(left);
            boolean last = next + size > group.to;
            if (covered || random.nextInt(3) != 0 || (last && files.isEmpty())) {
                List<Object> entries = new ArrayList<>();
                for (int i = 0; i < size; i++) {
                    Object value =
                            random.nextInt(covered ? 10 : 2) == 0
                                    ? Placeholder.UNTOUCHED
                                    : values.of(column);
                    entries.add(value);
                    put(next + i, column, value);
                }
                files.add(
                        new BlobFile(
                                column.name(), next, sequenceNumber, group.partition, entries));
            }
            next += size;
        }
        return files;
    }

    /** Whether a blob file spans several groups; it cannot be rewritten with one of them. */
    private boolean isSpanned() throws Exception {
        List<Group> groups = groups();
        return writer.dataFiles(name).stream()
                .filter(DataFile::isBlob)
                .anyMatch(
                        file ->
                                groups.stream()
                                        .noneMatch(
                                                group ->
                                                        group.from <= file.firstRowId()
                                                                && file.lastRowId() <= group.to));
    }

    private void updateByPlugin() throws Exception {
        ModelColumn column = anyScalarBlob();
        if (column == null) {
            return;
        }
        int percent = pick(0, 10, 60);
        Map<Long, byte[]> touched = new TreeMap<>();
        for (long id : state.rows().keySet()) {
            if (random.nextInt(100) < percent) {
                touched.put(id, (byte[]) values.of(column));
            }
        }
        touched.put(anyOf(List.copyOf(state.rows().keySet())), (byte[]) values.of(column));
        plugin.update(name, column.name(), touched);
        touched.forEach((id, value) -> put(id, column, value));
        committed("update " + column.name() + " of " + touched.keySet() + " by the plugin");
    }

    /** An update by key or by any other predicate, which finds the rows that the model finds. */
    private void updateWhereByPlugin() throws Exception {
        ModelColumn column = anyScalarBlob();
        if (column == null) {
            return;
        }
        RandomFilters filters = new RandomFilters(state, random);
        ReadRequest.Filter filter =
                random.nextInt(3) == 0 ? filters.on(state.column("id")) : filters.any();
        List<Long> touched =
                state.rows().entrySet().stream()
                        .filter(
                                row ->
                                        Filters.passes(
                                                filter,
                                                name ->
                                                        row.getValue()
                                                                .get(state.column(name).id())))
                        .map(Map.Entry::getKey)
                        .toList();
        byte[] value = (byte[]) values.of(column);
        recipe.add("update " + column.name() + " where " + filter + " by the plugin");
        long found = plugin.updateWhere(name, filter, column.name(), value);
        if (found != touched.size()) {
            throw new IllegalStateException(
                    "The plugin found " + found + " rows, the model says " + touched);
        }
        touched.forEach(id -> put(id, column, value));
        committed("that were " + touched);
    }

    /** A column of single blobs for the plugin to update, null if there is none. */
    private ModelColumn anyScalarBlob() {
        if (plugin == null) {
            return null;
        }
        List<ModelColumn> columns =
                state.blobColumns().stream().filter(any -> any.type().equals("BLOB")).toList();
        return columns.isEmpty() ? null : anyOf(columns);
    }

    private void indexGlobally() throws Exception {
        if (!isSpanned()) {
            index(writer::indexGlobally, definition.isOfMaster() ? "master" : "2.0");
        }
    }

    /** The host builds an index over what the plugin reads. */
    private void indexByHost() throws Exception {
        if (plugin != null) {
            index(plugin::indexGlobally, HOST);
        }
    }

    /** What builds an index on a column. */
    private interface Indexer {
        void index(String table, String column, String type) throws Exception;
    }

    private void index(Indexer indexer, String who) throws Exception {
        List<ModelColumn> columns =
                state.normalColumns().stream()
                        .filter(any -> INDEXED_TYPES.contains(any.type()))
                        .filter(any -> !any.name().equals("part"))
                        .toList();
        ModelColumn column = anyOf(columns);
        String type = pick("btree", "bitmap");
        long before = writer.latestSnapshot(name);
        indexer.index(name, column.name(), type);
        long after = writer.latestSnapshot(name);
        if (after > before) {
            bitmapOfHost |= type.equals("bitmap") && who.equals(HOST);
            committed("index " + column.name() + " by a " + type + " of " + who);
            indexCommits.add(after);
            indexedTo.putIfAbsent(column.id(), state.rows().lastKey());
        }
    }

    private void flattenByPlugin() throws Exception {
        if (plugin != null) {
            plugin.flatten(name);
            committed("flatten by the plugin");
        }
    }

    private static String describe(List<BlobFile> files) {
        StringBuilder text = new StringBuilder();
        for (BlobFile file : files) {
            text.append(file.column()).append(" seq ").append(file.sequenceNumber());
            text.append(" from ").append(file.firstRowId()).append(' ');
            text.append(Values.text(file.entries())).append("; ");
        }
        return text.toString();
    }

    private void put(long rowId, ModelColumn column, Object value) {
        Map<Integer, Object> row = state.rows().get(rowId);
        if (value != Placeholder.UNTOUCHED && row != null) {
            row.put(column.id(), value);
        }
    }

    private void committed(String step) throws Exception {
        long snapshot = writer.latestSnapshot(name);
        // A step that found nothing to do makes no snapshot, and the last one keeps its schema.
        history.putIfAbsent(snapshot, state.copy());
        recipe.add(snapshot + ": " + step);
    }

    /** The rows that the same normal files hold. */
    private record Group(long from, long to, List<Object> partition) {
        int size() {
            return (int) (to - from + 1);
        }
    }

    private List<Group> groups() throws Exception {
        return writer.dataFiles(name).stream()
                .filter(DataFile::isNormal)
                .map(file -> new Group(file.firstRowId(), file.lastRowId(), file.partition()))
                .distinct()
                .sorted((left, right) -> Long.compare(left.from, right.from))
                .toList();
    }

    private <T> List<T> someOf(List<T> all) {
        List<T> some = new ArrayList<>(all);
        some.removeIf(any -> random.nextInt(3) == 0);
        return some.isEmpty() ? List.of(anyOf(all)) : some;
    }

    private <T> T anyOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    @SafeVarargs
    private <T> T pick(T... choices) {
        return Objects.requireNonNull(choices[random.nextInt(choices.length)]);
    }
}
