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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.paimon.blobfallback.tests.bridge.DataFile;
import org.apache.paimon.blobfallback.tests.bridge.Descriptor;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.ViewOf;

/**
 * What a read of one snapshot must return by the rules. Values are what the operations on the table
 * say; where bytes are and which sequence number a row has come from a naive look at the files, one
 * row after the other.
 */
final class Expectation {

    private static final String ROW_ID = "_ROW_ID";
    private static final String ROW_KIND = "rowkind";
    private static final String SEQUENCE_NUMBER = "_SEQUENCE_NUMBER";

    private static final Set<String> SYSTEM = Set.of(ROW_KIND, ROW_ID, SEQUENCE_NUMBER);

    /** The entry that decides a row. */
    private record Winner(DataFile file, int entry) {}

    private final ModelState state;
    private final List<DataFile> files;
    private final List<Long> order;
    private final Map<String, BlobFileDump> dumps = new HashMap<>();
    private Set<KnownFault> faultsOfFiles;

    /**
     * @param files the snapshot's data files
     * @param order the row ids in the order in which a full read returns them
     */
    private Expectation(ModelState state, List<DataFile> files, List<Long> order) {
        this.state = state;
        this.files = files;
        this.order = order;
    }

    /**
     * What reads of a snapshot must return, and whether its files say the same as the operations.
     *
     * @param reader of Paimon 2.0, which says in what order rows come
     */
    static Expectation of(
            String table, long snapshot, ModelState state, PaimonWriter writer, PaimonReader reader)
            throws Exception {
        List<Long> order = new ArrayList<>();
        ReadRequest rowIds =
                ReadRequest.all(table)
                        .columns("id", ROW_ID)
                        .with("scan.snapshot-id", Long.toString(snapshot));
        for (List<Object> row : reader.read(rowIds)) {
            order.add((Long) row.get(1));
        }
        Expectation expectation = new Expectation(state, writer.dataFiles(table, snapshot), order);
        expectation.check();
        return expectation;
    }

    /** A data file and what the table held when it was committed. */
    record Change(DataFile file, ModelState after) {}

    /**
     * What a read of the files alone that some snapshots have added must return (R15): the rows of
     * their normal files, and where a group has none, all rows that its files cover; null wherever
     * the files say nothing.
     *
     * @param current has the columns that are read
     */
    static Expectation ofChanges(ModelState current, List<Change> changes) throws IOException {
        List<DataFile> files = changes.stream().map(Change::file).toList();
        ModelState state = new ModelState(current.columns(), false, current.viewed());
        Expectation expectation =
                new Expectation(state, files, new ArrayList<>(changedRows(files)));
        for (long id : expectation.order) {
            Map<Integer, Object> row = new HashMap<>();
            for (ModelColumn column : current.columns()) {
                row.put(column.id(), expectation.changedValue(column, id, changes));
            }
            state.rows().put(id, row);
        }
        return expectation;
    }

    /** Whether two normal files have some rows in common, but not all. */
    static boolean normalFilesOverlapInPart(List<Change> changes) {
        List<DataFile> normal =
                changes.stream().map(Change::file).filter(DataFile::isNormal).toList();
        for (DataFile one : normal) {
            for (DataFile other : normal) {
                if (holds(one, other.firstRowId())
                        && (one.firstRowId() != other.firstRowId()
                                || one.lastRowId() != other.lastRowId())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Set<Long> changedRows(List<DataFile> files) {
        List<DataFile> sorted = new ArrayList<>(files);
        sorted.sort(Comparator.comparing(DataFile::firstRowId));
        Set<Long> rows = new TreeSet<>();
        int start = 0;
        while (start < sorted.size()) {
            long last = sorted.get(start).lastRowId();
            int end = start + 1;
            while (end < sorted.size() && sorted.get(end).firstRowId() <= last) {
                last = Math.max(last, sorted.get(end++).lastRowId());
            }
            List<DataFile> group = sorted.subList(start, end);
            boolean hasNormal = group.stream().anyMatch(DataFile::isNormal);
            for (DataFile file : group) {
                for (long id = file.firstRowId(); id <= file.lastRowId(); id++) {
                    if (file.isNormal() || !hasNormal) {
                        rows.add(id);
                    }
                }
            }
            start = end;
        }
        return rows;
    }

    private Object changedValue(ModelColumn column, long id, List<Change> changes)
            throws IOException {
        if (column.isBlob()) {
            Winner winner = winner(column.id(), id);
            return winner == null ? null : value(column, winner, null);
        }
        List<Change> newestLast =
                changes.stream()
                        .filter(change -> holds(change.file(), id))
                        .sorted(Comparator.comparing(change -> change.file().maxSequenceNumber()))
                        .toList();
        Object value = null;
        for (Change change : newestLast) {
            if (column.name().equals("part")) {
                value = change.file().partition().get(0);
            } else if (change.file().columnIds().contains(column.id())) {
                Map<Integer, Object> row = change.after().rows().get(id);
                // What a deleted row holds that is written again is nobody's promise.
                value = row == null ? Values.ANY : cast(row.get(column.id()), column, change);
            }
        }
        return value;
    }

    /** A value of a changed file as the column has it now. */
    private static Object cast(Object value, ModelColumn column, Change change) {
        boolean sameType =
                change.after().columns().stream()
                        .anyMatch(
                                any -> any.id() == column.id() && any.type().equals(column.type()));
        return sameType ? value : Casts.cast(value, column.type());
    }

    /**
     * What can go wrong in a newer Paimon where a read holds some of the layers only: rows are
     * lost, their partition is null, and where a blob column has no file, it may have the values of
     * another, and the other none.
     */
    KnownFaults knownFaultsOfChanges(ReadRequest request) throws IOException {
        List<List<Object>> may = new ArrayList<>();
        for (long id : order) {
            List<Object> row = row(request, id);
            boolean lacksFile =
                    state.blobColumns().stream().anyMatch(column -> !isInFile(column, id));
            for (int i = 0; i < row.size(); i++) {
                String name = names(request).get(i);
                if (name.equals("part") || (lacksFile && isBlob(name))) {
                    row.set(i, Values.ANY);
                }
            }
            may.add(row);
        }
        return new KnownFaults(
                EnumSet.complementOf(
                        EnumSet.of(
                                KnownFault.INDEX_OF_OTHER_VALUES, KnownFault.BITMAP_OF_THE_HOST)),
                ExpectedRows.atLeast(List.of(), may));
    }

    private boolean isInFile(ModelColumn column, long id) {
        return files.stream()
                .anyMatch(file -> file.columnIds().contains(column.id()) && holds(file, id));
    }

    private boolean isBlob(String name) {
        return !SYSTEM.contains(name) && state.column(name).isBlob();
    }

    ModelState state() {
        return state;
    }

    /** The last row id of the snapshot. */
    long lastRowId() {
        return files.stream().mapToLong(DataFile::lastRowId).max().orElseThrow();
    }

    /**
     * Checks that the files say what the operations say, so that a slip in the generator does not
     * look like one in a reader.
     */
    private void check() throws IOException {
        if (!new TreeSet<>(order).equals(state.rows().navigableKeySet())) {
            throw new AssertionError("Row ids " + order + " are not the model's " + state.rows());
        }
        for (ModelColumn column : state.blobColumns()) {
            for (long id : order) {
                Winner winner = winner(column.id(), id);
                Object inFile = winner == null ? null : value(column, winner, null);
                Object expected = state.rows().get(id).get(column.id());
                if (!Values.matches(expected, inFile)) {
                    throw new AssertionError(
                            column
                                    + " of row id "
                                    + id
                                    + ": operations say "
                                    + Values.text(expected)
                                    + ", files say "
                                    + Values.text(inFile));
                }
            }
        }
    }

    /**
     * The rows that a request must return, partition by partition. Rows of a partition come in the
     * order of the table; which partition comes first is nobody's promise.
     */
    ExpectedRows rows(ReadRequest request) throws IOException {
        ReadRequest.Filter filter = request.filter();
        if (request.limit() != null || (filter != null && !filter.exact())) {
            return someRows(request);
        }
        Map<List<Object>, List<List<Object>>> partitions = new LinkedHashMap<>();
        for (long id : order) {
            if (inRanges(request, id, id) && passes(filter, id)) {
                partitions
                        .computeIfAbsent(normalFile(id).partition(), any -> new ArrayList<>())
                        .add(row(request, id));
            }
        }
        return ExpectedRows.all(List.copyOf(partitions.values()));
    }

    /** Where it is open which rows come: those that pass the filter must, up to the limit. */
    ExpectedRows someRows(ReadRequest request) throws IOException {
        int rowId = request.columns().indexOf(ROW_ID);
        int key = rowId < 0 ? request.columns().indexOf("id") : rowId;
        List<List<Object>> rows = new ArrayList<>();
        Set<Object> wanted = new HashSet<>();
        for (long id : order) {
            if (inRanges(request, id, id)) {
                List<Object> row = row(request, id);
                rows.add(row);
                if (passes(request.filter(), id)) {
                    wanted.add(row.get(key));
                }
            }
        }
        int least =
                request.limit() == null ? wanted.size() : Math.min(request.limit(), wanted.size());
        return ExpectedRows.some(key, rows, wanted, least);
    }

    /**
     * Where rows behind some row id may be left out, since no index has them: of those that pass
     * the filter and of no others.
     */
    ExpectedRows indexedRows(ReadRequest request, long indexedTo) throws IOException {
        List<List<Object>> rows = new ArrayList<>();
        Set<Object> wanted = new HashSet<>();
        for (long id : order) {
            if (inRanges(request, id, id) && passes(request.filter(), id)) {
                rows.add(row(request, id));
                if (id <= indexedTo) {
                    wanted.add(id);
                }
            }
        }
        int key = request.columns().indexOf(ROW_ID);
        return ExpectedRows.some(key, rows, wanted, wanted.size());
    }

    private boolean passes(ReadRequest.Filter filter, long id) {
        if (filter == null) {
            return true;
        }
        Map<Integer, Object> row = state.rows().get(id);
        return Filters.passes(filter, column -> row.get(state.column(column).id()));
    }

    private List<Object> row(ReadRequest request, long id) throws IOException {
        boolean descriptors = "true".equals(request.options().get("blob-as-descriptor"));
        List<Object> row = new ArrayList<>();
        for (String name : names(request)) {
            row.add(
                    switch (name) {
                        case ROW_KIND -> "+I";
                        case ROW_ID -> id;
                        case SEQUENCE_NUMBER -> sequenceNumber(request, id);
                        default -> value(state.column(name), id, descriptors);
                    });
        }
        return row;
    }

    private List<String> names(ReadRequest request) {
        if (request.columns() != null) {
            return request.columns();
        }
        List<String> names = new ArrayList<>();
        if (request.table().endsWith("$audit_log")) {
            names.add(ROW_KIND);
        }
        state.columns().forEach(column -> names.add(column.name()));
        if (request.table().endsWith("$row_tracking")) {
            names.add(ROW_ID);
            names.add(SEQUENCE_NUMBER);
        }
        return names;
    }

    private Object value(ModelColumn column, long id, boolean descriptors) throws IOException {
        Object value = state.rows().get(id).get(column.id());
        if (value instanceof ViewOf view) {
            return state.viewed().value(view, descriptors);
        }
        if (value instanceof Descriptor descriptor && !descriptors) {
            return payload(descriptor);
        }
        if (value == null || !descriptors || !column.isBlob()) {
            return value;
        }
        Winner winner = winner(column.id(), id);
        return value(column, winner, winner.file.path());
    }

    private Object value(ModelColumn column, Winner winner, String path) throws IOException {
        return dump(winner.file).value(winner.entry, column.type(), path);
    }

    private static byte[] payload(Descriptor descriptor) throws IOException {
        byte[] file = Files.readAllBytes(Path.of(descriptor.uri()));
        int from = (int) descriptor.offset();
        return Arrays.copyOfRange(file, from, from + (int) descriptor.length());
    }

    /**
     * The newest normal file of the read gives it; where the read has none, the winner of the blob
     * column with the lowest field id, of those whose files overlap here, -1 if there is no winner
     * (R4). It is open where the columns that are read leave rows of the group uncovered, so that
     * something else must count them.
     */
    private Object sequenceNumber(ReadRequest request, long id) throws IOException {
        List<DataFile> read = filesRead(request, id);
        long newest =
                read.stream()
                        .filter(DataFile::isNormal)
                        .mapToLong(DataFile::maxSequenceNumber)
                        .max()
                        .orElse(-1);
        if (newest >= 0) {
            return newest;
        }
        if (!covered(request, id, read)) {
            return Values.ANY;
        }
        int column =
                overlapping(read, id).stream()
                        .mapToInt(file -> file.columnIds().get(0))
                        .min()
                        .getAsInt();
        // There Paimon 2.0 says -1, and the plugin takes the first column that has a file.
        if (read.stream().noneMatch(file -> file.columnIds().get(0) == column && holds(file, id))) {
            return Values.ANY;
        }
        Winner winner = winner(column, id);
        return winner == null ? -1L : winner.file.maxSequenceNumber();
    }

    /**
     * The files whose row ids overlap, one with the next, up to one that holds a row. Without the
     * normal file a group falls apart into these.
     */
    private static List<DataFile> overlapping(List<DataFile> files, long id) {
        List<DataFile> found = new ArrayList<>();
        files.stream().filter(file -> holds(file, id)).forEach(found::add);
        for (int i = 0; i < found.size(); i++) {
            DataFile one = found.get(i);
            for (DataFile other : files) {
                if (!found.contains(other)
                        && other.firstRowId() <= one.lastRowId()
                        && one.firstRowId() <= other.lastRowId()) {
                    found.add(other);
                }
            }
        }
        return found;
    }

    /** Whether each row of a row's group that is read is in one of some files. */
    private boolean covered(ReadRequest request, long id, List<DataFile> read) {
        DataFile normal = normalFile(id);
        for (long row = normal.firstRowId(); row <= normal.lastRowId(); row++) {
            long wanted = row;
            if (inRanges(request, row, row)
                    && read.stream().noneMatch(file -> holds(file, wanted))) {
                return false;
            }
        }
        return true;
    }

    /** The files of a row's group that the request needs. */
    private List<DataFile> filesRead(ReadRequest request, long id) {
        Set<Integer> wanted = wantedIds(request);
        DataFile normal = normalFile(id);
        List<DataFile> read = new ArrayList<>();
        for (DataFile file : files) {
            if (file.firstRowId() <= normal.lastRowId()
                    && file.lastRowId() >= normal.firstRowId()
                    && inRanges(request, file.firstRowId(), file.lastRowId())
                    && (wanted.isEmpty() || file.columnIds().stream().anyMatch(wanted::contains))) {
                read.add(file);
            }
        }
        DataFile anchor = anchor(normal);
        if (state.hasDeletionVectors() && !read.contains(anchor)) {
            read.add(anchor);
        }
        return read;
    }

    /** The oldest normal file of a group; deletion vectors hang on it, so each read has it (R9). */
    private DataFile anchor(DataFile normal) {
        return files.stream()
                .filter(file -> file.isNormal() && holds(file, normal.firstRowId()))
                .min(
                        Comparator.comparing(DataFile::maxSequenceNumber)
                                .thenComparing(DataFile::name))
                .orElseThrow();
    }

    private Set<Integer> wantedIds(ReadRequest request) {
        Set<Integer> ids = new HashSet<>();
        for (String name : names(request)) {
            if (!SYSTEM.contains(name)) {
                ids.add(state.column(name).id());
            }
        }
        return ids;
    }

    private DataFile normalFile(long id) {
        return files.stream()
                .filter(file -> file.isNormal() && holds(file, id))
                .findFirst()
                .orElseThrow();
    }

    /**
     * What can go wrong in a newer Paimon when it reads this.
     *
     * @param ofIndexes what can go wrong in the indexes that the filter asks
     */
    KnownFaults knownFaults(ReadRequest request, Set<KnownFault> ofIndexes) throws IOException {
        if (faultsOfFiles == null) {
            faultsOfFiles = faultsOfFiles();
        }
        Set<KnownFault> faults = EnumSet.noneOf(KnownFault.class);
        faults.addAll(faultsOfFiles);
        faults.addAll(ofIndexes);
        boolean indexed = !ofIndexes.isEmpty();
        boolean open = request.limit() != null;
        boolean exact = request.filter() != null && request.filter().exact();
        List<List<Object>> must = new ArrayList<>();
        List<List<Object>> may = new ArrayList<>();
        for (long id : order) {
            if (!inRanges(request, id, id)) {
                continue;
            }
            boolean passes = passes(request.filter(), id);
            List<Object> row = row(request, id);
            List<Object> other = mayComeAs(request, id, row);
            if (other != null) {
                faults.add(KnownFault.OTHER_ROWS);
                may.add(other);
            } else if (passes && !indexed && !open) {
                must.add(row);
            } else if (passes || !exact) {
                may.add(row);
            }
        }
        // They take the rows of several groups for those of one, its deletions too.
        if (state.hasDeletionVectors() && faults.contains(KnownFault.FILE_OVER_SEVERAL_GROUPS)) {
            faults.add(KnownFault.OTHER_ROWS);
            may.addAll(deletedRows(request));
        }
        return new KnownFaults(faults, ExpectedRows.atLeast(must, may));
    }

    private Set<KnownFault> faultsOfFiles() throws IOException {
        Set<KnownFault> faults = EnumSet.noneOf(KnownFault.class);
        for (ModelColumn column : state.columns()) {
            if (RandomDefinition.isMapOfMaster(column.type())) {
                faults.add(KnownFault.MAP_KEYS_OF_MASTER);
            }
            if (column.kind() == ModelColumn.Kind.VECTOR && state.hasDeletionVectors()) {
                faults.add(KnownFault.VECTORS_BESIDE_DELETIONS);
            }
            if (column.isBlob() && isWithoutFiles(column.id())) {
                faults.add(KnownFault.COLUMN_WITHOUT_FILES);
                faults.add(KnownFault.ONE_FILE_OF_A_GROUP);
            }
        }
        for (DataFile file : files) {
            if (!file.isBlob()) {
                continue;
            }
            DataFile normal = normalFile(file.firstRowId());
            if (file.lastRowId() > normal.lastRowId()) {
                faults.add(KnownFault.FILE_OVER_SEVERAL_GROUPS);
            }
            for (long id = normal.firstRowId(); id <= normal.lastRowId(); id++) {
                faults.addAll(faultsOfRow(file.columnIds().get(0), id));
            }
        }
        return faults;
    }

    /** Whether there is a group without a file of a column. */
    private boolean isWithoutFiles(int column) {
        return files.stream()
                .filter(DataFile::isNormal)
                .anyMatch(
                        group ->
                                files.stream()
                                        .filter(file -> file.columnIds().contains(column))
                                        .noneMatch(
                                                file ->
                                                        file.firstRowId() <= group.lastRowId()
                                                                && group.firstRowId()
                                                                        <= file.lastRowId()));
    }

    /** What can go wrong where a row is among those that are read, in a column of its group. */
    private Set<KnownFault> faultsOfRow(int column, long id) throws IOException {
        if (winner(column, id) != null) {
            return Set.of();
        }
        return files.stream().anyMatch(file -> file.columnIds().contains(column) && holds(file, id))
                ? Set.of(KnownFault.NO_OLDER_LAYER)
                : Set.of(KnownFault.COLUMN_IN_A_PART_OF_A_GROUP);
    }

    /**
     * What the newer Paimons make of a row, if they make it at all, where they are known to go
     * wrong without an error: they take a group's range from the files that are left for the
     * projection, so they lose rows that these do not cover; of vector-store files that were
     * written with several schemas they read those of the oldest schema, not the newest files; they
     * give a column that has no file the values of another, which then has none; and to a filter a
     * placeholder without an older layer is no null. Null where none of these can be met.
     */
    private List<Object> mayComeAs(ReadRequest request, long id, List<Object> row)
            throws IOException {
        boolean mayDiffer = mayDiffer(request, id);
        boolean lacksFiles =
                names(request).stream()
                        .anyMatch(name -> isBlob(name) && isWithoutFiles(state.column(name).id()));
        boolean severalSchemas = vectorSchemas(filesRead(request, id)) > 1;
        if (!mayDiffer && !lacksFiles && !isNoNullToPaimon2(request.filter(), id)) {
            return null;
        }
        List<Object> other = new ArrayList<>(row);
        List<String> names = names(request);
        for (int i = 0; i < other.size(); i++) {
            String name = names.get(i);
            if ((mayDiffer && name.equals(SEQUENCE_NUMBER))
                    || (lacksFiles && isBlob(name))
                    || (severalSchemas && isVector(name))) {
                other.set(i, Values.ANY);
            }
        }
        return other;
    }

    private boolean isVector(String name) {
        return !SYSTEM.contains(name) && state.column(name).kind() == ModelColumn.Kind.VECTOR;
    }

    private List<List<Object>> deletedRows(ReadRequest request) {
        List<List<Object>> rows = new ArrayList<>();
        for (long id = 0; id <= lastRowId(); id++) {
            long any = id;
            if (inRanges(request, id, id)
                    && !state.rows().containsKey(id)
                    && files.stream().anyMatch(file -> file.isNormal() && holds(file, any))) {
                rows.add(Collections.nCopies(names(request).size(), Values.ANY));
            }
        }
        return rows;
    }

    private boolean isNoNullToPaimon2(ReadRequest.Filter filter, long id) throws IOException {
        if (filter == null) {
            return false;
        }
        for (String name : Filters.columns(filter)) {
            ModelColumn column = state.column(name);
            if (column.isBlob()
                    && faultsOfRow(column.id(), id).contains(KnownFault.NO_OLDER_LAYER)) {
                return true;
            }
        }
        return false;
    }

    private boolean mayDiffer(ReadRequest request, long id) {
        List<DataFile> read = filesRead(request, id);
        if (read.isEmpty()) {
            return true;
        }
        if (vectorSchemas(read) > 1) {
            return true;
        }
        Set<Integer> columns = new HashSet<>();
        Set<Integer> covering = new HashSet<>();
        DataFile normal = normalFile(id);
        for (DataFile file : read) {
            if (file.firstRowId() < normal.firstRowId() || file.lastRowId() > normal.lastRowId()) {
                return true;
            }
            columns.addAll(file.columnIds());
            if (holds(file, id)) {
                covering.addAll(file.columnIds());
            }
        }
        return !covering.equals(columns);
    }

    private static long vectorSchemas(List<DataFile> files) {
        return files.stream()
                .filter(file -> !file.isBlob() && !file.isNormal())
                .mapToLong(DataFile::schemaId)
                .distinct()
                .count();
    }

    private Winner winner(int column, long id) throws IOException {
        List<DataFile> candidates =
                files.stream()
                        .filter(DataFile::isBlob)
                        .filter(file -> file.columnIds().contains(column) && holds(file, id))
                        .sorted(Comparator.comparing(DataFile::maxSequenceNumber).reversed())
                        .toList();
        for (DataFile file : candidates) {
            Winner winner = new Winner(file, (int) (id - file.firstRowId()));
            if (!dump(file).isPlaceholder(winner.entry)) {
                return winner;
            }
        }
        return null;
    }

    private BlobFileDump dump(DataFile file) throws IOException {
        String path = file.path();
        if (!dumps.containsKey(path)) {
            dumps.put(path, BlobFileDump.of(Path.of(path)));
        }
        return dumps.get(path);
    }

    private static boolean holds(DataFile file, long id) {
        return file.firstRowId() <= id && id <= file.lastRowId();
    }

    private static boolean inRanges(ReadRequest request, long from, long to) {
        return request.ranges() == null
                || request.ranges().stream()
                        .anyMatch(range -> range.from() <= to && from <= range.to());
    }
}
