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

import static org.apache.paimon.blobfallback.tests.differential.Sides.bytes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.BlobFile;
import org.apache.paimon.blobfallback.tests.bridge.DataFile;
import org.apache.paimon.blobfallback.tests.bridge.Descriptor;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.Placeholder;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.SchemaEdit;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.apache.paimon.blobfallback.tests.bridge.ViewOf;

/**
 * Features of Paimon 2.0's blob support, each as a small table that Paimon 2.0 writes, a read of
 * it, and the right rows.
 */
final class Features {

    private static final Object UNTOUCHED = Placeholder.UNTOUCHED;

    /**
     * A feature.
     *
     * @param name as in the documentation
     * @param table {@code db.table}
     * @param write writes the table
     * @param request reads it
     * @param count whether the rows are to be counted from the plan
     * @param rows the right rows, as text; the number of rows where they are counted
     */
    record Feature(
            String name,
            String table,
            Write write,
            ReadRequest request,
            boolean count,
            List<String> rows) {

        @Override
        public String toString() {
            return name;
        }
    }

    /** Writes a table. */
    @FunctionalInterface
    interface Write {

        void run(PaimonWriter writer, String table) throws Exception;
    }

    private final Path elsewhere;
    private final List<Feature> features = new ArrayList<>();

    /**
     * @param elsewhere a folder for what is outside of the tables
     */
    Features(Path elsewhere) {
        this.elsewhere = elsewhere;
        plain();
        updates();
        gaps();
        types();
        deletionVectors();
        history();
        neighbours();
        unknown();
    }

    /** All features in the order of the documentation. */
    List<Feature> all() {
        return features;
    }

    private void plain() {
        add("No update", Features::plainTable, "[0, b0]", "[1, b1]", "[2, b2]", "[3, b3]");
        addBlobsOnly("No update, `_ROW_ID` beside blob columns alone", Features::plainTable)
                .rows("[b0, 0]", "[b1, 1]", "[b2, 2]", "[b3, 3]");
    }

    private void updates() {
        String[] updated = {"[0, b0]", "[1, new]", "[2, b2]", "[3, b3]"};
        add("Partial update", Features::updatedTable, updated);
        addBlobsOnly("Partial update, blob columns alone", Features::updatedTable)
                .rows("[b0, 0]", "[new, 1]", "[b2, 2]", "[b3, 3]");
        add("Partial update, descriptors", Features::updatedTable)
                .with("blob-as-descriptor", "true")
                .rows(updated);
        add("Partial update, a row after a placeholder", Features::updatedTable)
                .range(1, 1)
                .rows("[1, new]");
        add(
                "Partial update to null",
                Features::nulledTable,
                "[0, b0]",
                "[1, null]",
                "[2, b2]",
                "[3, b3]");
        add(
                "Many partial updates",
                (writer, table) -> {
                    plainTable(writer, table);
                    for (long row = 0; row < 3; row++) {
                        update(writer, table, row, "u" + row);
                        update(writer, table, row + 1, "v" + row);
                    }
                },
                "[0, u0]",
                "[1, u1]",
                "[2, u2]",
                "[3, v2]");
        add("Partial update, `COUNT(*)` from the plan", Features::updatedTable).counted("4");
        add("Partial update, no column but `_ROW_ID`", Features::updatedTable)
                .columns("_ROW_ID")
                .rows("[0]", "[1]", "[2]", "[3]");
        addSystemTable(
                "row_tracking",
                "[0, b0, 0, 1]",
                "[1, new, 1, 1]",
                "[2, b2, 2, 1]",
                "[3, b3, 3, 1]");
        addSystemTable("audit_log", "[+I, 0, b0]", "[+I, 1, new]", "[+I, 2, b2]", "[+I, 3, b3]");
        addSystemTable("ro", updated);
    }

    private void gaps() {
        add(
                "Placeholders without an older layer",
                (writer, table) -> {
                    create(writer, table, TableDefinition.of("id", "INT"));
                    writer.append(table, List.of(List.of(0), List.of(1)));
                    writer.alter(
                            table, List.of(SchemaEdit.of(SchemaEdit.Kind.ADD_COLUMN, "b", "BLOB")));
                    update(writer, table, 1, "new");
                },
                "[0, null]",
                "[1, new]");
        add(
                "Blob column added later, a file for a part of the rows",
                (writer, table) -> {
                    create(writer, table, TableDefinition.of("id", "INT"));
                    writer.append(table, List.of(List.of(0), List.of(1), List.of(2)));
                    writer.alter(
                            table, List.of(SchemaEdit.of(SchemaEdit.Kind.ADD_COLUMN, "b", "BLOB")));
                    writer.commitBlobFiles(
                            table,
                            List.of(new BlobFile("b", 1, 0, List.of(bytes("new")))),
                            List.of());
                },
                "[0, null]",
                "[1, new]",
                "[2, null]");
        addBlobsOnly(
                        "A layer that covers a part of its group",
                        (writer, table) -> {
                            plainTable(writer, table);
                            writer.commitBlobFiles(
                                    table,
                                    List.of(
                                            new BlobFile(
                                                    "b", 1, 0, List.of(bytes("x"), UNTOUCHED))),
                                    List.of());
                        })
                .rows("[b0, 0]", "[x, 1]", "[b2, 2]", "[b3, 3]");
        add(
                "A blob file over several groups",
                (writer, table) -> {
                    create(writer, table, TableDefinition.of("id", "INT", "b", "BLOB"));
                    writer.append(table, rows(0, 2));
                    writer.append(table, rows(2, 4));
                    writer.commitBlobFiles(
                            table,
                            List.of(
                                    new BlobFile(
                                            "b",
                                            0,
                                            0,
                                            List.of(UNTOUCHED, bytes("x"), bytes("y"), UNTOUCHED))),
                            List.of());
                },
                "[0, b0]",
                "[1, x]",
                "[2, y]",
                "[3, b3]");
    }

    private void types() {
        add("`ARRAY<BLOB>`", Features::arrays, "[0, [a, null]]", "[1, []]", "[2, null]");
        add(
                "`ARRAY<BLOB>`, partial update",
                (writer, table) -> {
                    arrays(writer, table);
                    writer.update(
                            table,
                            List.of("b"),
                            Map.of(1L, List.of(List.of(bytes("n")))),
                            Map.of());
                },
                "[0, [a, null]]",
                "[1, [n]]",
                "[2, null]");
        add("`MAP<K, BLOB>`", Features::maps, "[0, {k=a}]", "[1, {}]", "[2, null]");
        add(
                "`MAP<K, BLOB>`, partial update",
                (writer, table) -> {
                    maps(writer, table);
                    writer.update(
                            table,
                            List.of("b"),
                            Map.of(1L, List.of(Map.of("n", bytes("m")))),
                            Map.of());
                },
                "[0, {k=a}]",
                "[1, {n=m}]",
                "[2, null]");
    }

    private void deletionVectors() {
        add("Deletion vectors", Features::deletedRows, "[1, new]", "[2, b2]");
        addBlobsOnly("Deletion vectors, blob columns alone", Features::deletedRows)
                .rows("[new, 1]", "[b2, 2]");
        add("Deletion vectors, `COUNT(*)` from the plan", Features::deletedRows).counted("2");
    }

    private void history() {
        add("Partial update, an older snapshot", Features::updatedTable)
                .with("scan.snapshot-id", "1")
                .rows("[0, b0]", "[1, b1]", "[2, b2]", "[3, b3]");
        add(
                        "Partial update, a branch",
                        (writer, table) -> {
                            updatedTable(writer, table);
                            writer.createTag(table, "t");
                            writer.createBranch(table, "side", "t");
                            update(writer, table, 2, "main");
                        })
                .of("$branch_side")
                .rows("[0, b0]", "[1, new]", "[2, b2]", "[3, b3]");
        add("Changes of a partial update (`incremental-between`)", Features::updatedTable)
                .with("incremental-between", "1,2")
                .rows("[null, null]", "[null, new]", "[null, null]", "[null, null]");
        add(
                        "Partial update, then row ids reassigned",
                        (writer, table) -> {
                            create(
                                    writer,
                                    table,
                                    TableDefinition.of("id", "INT", "b", "BLOB", "p", "STRING")
                                            .partitionedBy("p"));
                            writer.append(
                                    table,
                                    List.of(
                                            List.of(0, bytes("b0"), "x"),
                                            List.of(1, bytes("b1"), "x"),
                                            List.of(2, bytes("b2"), "y")));
                            writer.append(table, List.of(List.of(3, bytes("b3"), "x")));
                            update(writer, table, 1, "new");
                            writer.reassignRowIds(table);
                        })
                .columns("id", "b")
                .rows("[0, b0]", "[1, new]", "[2, b2]", "[3, b3]");
        add(
                "Partial update, then compacted by Paimon 2.0 without blobs",
                (writer, table) -> compacted(writer, table, false),
                "[0, b0]",
                "[1, new]",
                "[2, b2]",
                "[3, b3]");
        add(
                "Partial update, then compacted by Paimon 2.0 with blobs",
                (writer, table) -> compacted(writer, table, true),
                "[0, b0]",
                "[1, new]",
                "[2, b2]",
                "[3, b3]");
        add(
                "Partial update, then columns added, dropped and moved",
                (writer, table) -> {
                    create(writer, table, TableDefinition.of("n", "INT", "b", "BLOB", "id", "INT"));
                    writer.append(
                            table, List.of(List.of(7, bytes("b0"), 0), List.of(8, bytes("b1"), 1)));
                    writer.alter(
                            table,
                            List.of(
                                    SchemaEdit.of(SchemaEdit.Kind.DROP_COLUMN, "n"),
                                    SchemaEdit.of(SchemaEdit.Kind.ADD_COLUMN, "m", "STRING"),
                                    SchemaEdit.of(SchemaEdit.Kind.MOVE_FIRST, "id")));
                    update(writer, table, 1, "new");
                },
                "[0, b0, null]",
                "[1, new, null]");
    }

    private void neighbours() {
        add(
                "Partial update, several blob columns and partitions",
                (writer, table) -> {
                    create(
                            writer,
                            table,
                            TableDefinition.of("id", "INT", "b", "BLOB", "c", "BLOB", "p", "STRING")
                                    .partitionedBy("p"));
                    writer.append(
                            table,
                            List.of(
                                    List.of(0, bytes("b0"), bytes("c0"), "x"),
                                    List.of(1, bytes("b1"), bytes("c1"), "x")));
                    update(writer, table, 1, "new");
                },
                "[0, b0, c0, x]",
                "[1, new, c1, x]");
        add(
                "Partial update, external paths",
                (writer, table) -> {
                    create(
                            writer,
                            table,
                            TableDefinition.of("id", "INT", "b", "BLOB")
                                    .with(
                                            "data-file.external-paths",
                                            elsewhere.resolve("external").toUri().toString())
                                    .with("data-file.external-paths.strategy", "round-robin"));
                    writer.append(table, rows(0, 2));
                    update(writer, table, 1, "new");
                },
                "[0, b0]",
                "[1, new]");
        add(
                "Partial update beside vector-store files",
                (writer, table) -> {
                    create(
                            writer,
                            table,
                            TableDefinition.of("id", "INT", "b", "BLOB", "v", "VECTOR<FLOAT, 2>")
                                    .with("vector-field", "v")
                                    .with("vector.file.format", "json")
                                    .with("file.compression", "none"));
                    writer.append(
                            table,
                            List.of(
                                    List.of(0, bytes("b0"), List.of(0f, 1f)),
                                    List.of(1, bytes("b1"), List.of(1f, 2f))));
                    update(writer, table, 1, "new");
                },
                "[0, b0, [0.0, 1.0]]",
                "[1, new, [1.0, 2.0]]");
        add(
                "Partial update beside inline descriptors (`blob-descriptor-field`)",
                (writer, table) -> {
                    Path file = Files.write(elsewhere.resolve("payload"), bytes("0123456789"));
                    create(
                            writer,
                            table,
                            TableDefinition.of("id", "INT", "b", "BLOB", "d", "BLOB")
                                    .with("blob-descriptor-field", "d"));
                    writer.append(
                            table,
                            List.of(
                                    List.of(0, bytes("b0"), new Descriptor(file.toString(), 2, 3)),
                                    Arrays.asList(1, bytes("b1"), null)));
                    update(writer, table, 1, "new");
                },
                "[0, b0, 234]",
                "[1, new, null]");
        add(
                "Blob views (`blob-view-field`)",
                (writer, table) -> {
                    updatedTable(writer, table + "_viewed");
                    create(
                            writer,
                            table,
                            TableDefinition.of("id", "INT", "w", "BLOB")
                                    .with("blob-view-field", "w"));
                    writer.append(
                            table,
                            List.of(
                                    List.of(0, new ViewOf(table + "_viewed", 1, 1)),
                                    Arrays.asList(1, null)));
                },
                "[0, new]",
                "[1, null]");
        add("Partial update, its file lost, `scan.ignore-lost-files`", Features::lostTable)
                .with("scan.ignore-lost-files", "true")
                .rows("[0, b0]", "[1, b1]", "[2, b2]", "[3, b3]");
    }

    private void unknown() {
        add(
                "Normal columns in the format `row`",
                (writer, table) -> {
                    create(
                            writer,
                            table,
                            TableDefinition.of("id", "INT", "b", "BLOB")
                                    .with("file.format", "row"));
                    writer.append(table, rows(0, 1));
                },
                "[0, b0]");
        add(
                "Managed blobs of a table with a primary key",
                (writer, table) -> {
                    create(
                            writer,
                            table,
                            TableDefinition.of("id", "INT NOT NULL", "b", "BLOB")
                                    .with("primary-key", "id")
                                    .with("bucket", "1")
                                    .with("row-tracking.enabled", "false")
                                    .with("data-evolution.enabled", "false"));
                    writer.append(table, rows(0, 1));
                },
                "[0, b0]");
    }

    private static void create(PaimonWriter writer, String table, TableDefinition definition)
            throws Exception {
        writer.createTable(table, definition);
    }

    private static void plainTable(PaimonWriter writer, String table) throws Exception {
        create(writer, table, TableDefinition.of("id", "INT", "b", "BLOB"));
        writer.append(table, rows(0, 4));
    }

    private static void updatedTable(PaimonWriter writer, String table) throws Exception {
        plainTable(writer, table);
        update(writer, table, 1, "new");
    }

    private static void nulledTable(PaimonWriter writer, String table) throws Exception {
        plainTable(writer, table);
        update(writer, table, 1, null);
    }

    private static void arrays(PaimonWriter writer, String table) throws Exception {
        create(writer, table, TableDefinition.of("id", "INT", "b", "ARRAY<BLOB>"));
        writer.append(
                table,
                List.of(
                        List.of(0, Arrays.asList(bytes("a"), null)),
                        List.of(1, List.of()),
                        Arrays.asList(2, null)));
    }

    private static void maps(PaimonWriter writer, String table) throws Exception {
        create(writer, table, TableDefinition.of("id", "INT", "b", "MAP<STRING, BLOB>"));
        writer.append(
                table,
                List.of(
                        List.of(0, Map.of("k", bytes("a"))),
                        List.of(1, Map.of()),
                        Arrays.asList(2, null)));
    }

    private static void deletedRows(PaimonWriter writer, String table) throws Exception {
        create(
                writer,
                table,
                TableDefinition.of("id", "INT", "b", "BLOB")
                        .with("deletion-vectors.enabled", "true"));
        writer.append(table, rows(0, 4));
        update(writer, table, 1, "new");
        writer.delete(table, List.of(0L, 3L));
    }

    private static void compacted(PaimonWriter writer, String table, boolean blobs)
            throws Exception {
        create(writer, table, TableDefinition.of("id", "INT", "b", "BLOB"));
        writer.append(table, rows(0, 2));
        writer.append(table, rows(2, 4));
        update(writer, table, 1, "new");
        writer.compact(table, blobs, Map.of("compaction.min.file-num", "2"));
    }

    private static void lostTable(PaimonWriter writer, String table) throws Exception {
        updatedTable(writer, table);
        DataFile newest =
                writer.dataFiles(table).stream()
                        .filter(DataFile::isBlob)
                        .max(Comparator.comparing(DataFile::maxSequenceNumber))
                        .orElseThrow();
        Files.delete(Path.of(newest.path()));
    }

    private static void update(PaimonWriter writer, String table, long row, String value)
            throws Exception {
        writer.update(
                table,
                List.of("b"),
                Map.of(row, Arrays.asList(value == null ? null : bytes(value))),
                Map.of());
    }

    private static List<List<Object>> rows(int from, int to) {
        List<List<Object>> rows = new ArrayList<>();
        for (int i = from; i < to; i++) {
            rows.add(List.of(i, bytes("b" + i)));
        }
        return rows;
    }

    private void add(String name, Write write, String... rows) {
        add(name, write).rows(rows);
    }

    private Adding add(String name, Write write) {
        return new Adding(name, write);
    }

    private Adding addBlobsOnly(String name, Write write) {
        return add(name, write).columns("b", "_ROW_ID");
    }

    private void addSystemTable(String systemTable, String... rows) {
        add("Partial update, `$" + systemTable + "`", Features::updatedTable)
                .of("$" + systemTable)
                .rows(rows);
    }

    /** A feature whose read is not as usual. */
    private final class Adding {

        private final String name;
        private final String table = "db.f" + features.size();
        private final Write write;
        private ReadRequest request = ReadRequest.all(table);

        private Adding(String name, Write write) {
            this.name = name;
            this.write = write;
        }

        private Adding columns(String... columns) {
            request = request.columns(columns);
            return this;
        }

        private Adding range(long from, long to) {
            request = request.range(from, to);
            return this;
        }

        private Adding with(String key, String value) {
            request = request.with(key, value);
            return this;
        }

        private Adding of(String suffix) {
            request =
                    new ReadRequest(
                            table + suffix, request.columns(), request.ranges(), request.options());
            return this;
        }

        private void rows(String... rows) {
            features.add(new Feature(name, table, write, request, false, List.of(rows)));
        }

        private void counted(String count) {
            features.add(new Feature(name, table, write, request, true, List.of(count)));
        }
    }
}
