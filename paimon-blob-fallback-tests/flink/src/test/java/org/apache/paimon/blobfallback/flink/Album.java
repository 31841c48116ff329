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

package org.apache.paimon.blobfallback.flink;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;

/**
 * A table {@code (id INT, front BLOB, name STRING, back BLOB)} that Paimon 2.0 writes, and what it
 * must hold. A row's id is its row id.
 */
final class Album {

    /** What the table is created with. */
    static final TableDefinition DEFINITION =
            TableDefinition.of("id", "INT", "front", "BLOB", "name", "STRING", "back", "BLOB");

    private static final int FRONT = 1;
    private static final int BACK = 3;

    private final PaimonWriter writer;
    private final String table;
    private final List<Row> rows = new ArrayList<>();

    private Album(PaimonWriter writer, String table) {
        this.writer = writer;
        this.table = table;
    }

    /** Creates the empty table {@code db.table}. */
    static Album create(PaimonWriter writer, String table) throws Exception {
        writer.createTable(table, DEFINITION);
        return of(writer, table);
    }

    /** Takes over a table that was created by {@link #DEFINITION} and is still empty. */
    static Album of(PaimonWriter writer, String table) {
        return new Album(writer, table);
    }

    /**
     * Three groups of four rows and five layers: a row updated twice, a null over data and data
     * over null, empty blobs, one group that no update touches in {@code front}.
     */
    static Album layered(PaimonWriter writer, String table) throws Exception {
        Album album = create(writer, table);
        album.append(4).append(4).append(4);
        album.update("front", Map.of(1L, "front-1, first update", 6L, "front-6, first update"));
        album.update("back", Map.of(0L, "back-0, updated", 11L, "back-11, updated"));
        Map<Long, String> toNull = new TreeMap<>();
        toNull.put(2L, null);
        toNull.put(1L, "front-1, second update");
        album.update("front", toNull);
        Map<Long, String> toEmpty = new TreeMap<>();
        toEmpty.put(4L, "");
        toEmpty.put(0L, null);
        album.update("back", toEmpty);
        album.update("back", Map.of(0L, "back-0, updated after null"));
        return album;
    }

    /** Appends rows in one commit, which makes one group of them. */
    Album append(int count) throws Exception {
        List<List<Object>> values = new ArrayList<>();
        for (Row row : appendedByOthers(count)) {
            values.add(
                    Arrays.asList(
                            row.getField(0), row.getField(1), row.getField(2), row.getField(3)));
        }
        writer.append(table, values);
        return this;
    }

    /** Notes rows, named like those of {@link #append}, that somebody else has appended. */
    List<Row> appendedByOthers(int count) {
        List<Row> appended = new ArrayList<>();
        for (int id = rows.size(); id < rows.size() + count; id++) {
            appended.add(Row.of(id, bytes("front-" + id), "name-" + id, bytes("back-" + id)));
        }
        rows.addAll(appended);
        return appended;
    }

    /** Updates one blob column in part, in one commit. */
    Album update(String column, Map<Long, String> values) throws Exception {
        Map<Long, List<Object>> update = new LinkedHashMap<>();
        values.forEach((rowId, text) -> update.put(rowId, Arrays.asList((Object) bytes(text))));
        writer.update(table, List.of(column), update, Map.of());
        return updatedByOthers(column, values);
    }

    /** Notes values that somebody else has set in one blob column. */
    Album updatedByOthers(String column, Map<Long, String> values) {
        int position = column.equals("front") ? FRONT : BACK;
        values.forEach(
                (rowId, text) -> {
                    Row row = Row.copy(rows.get(rowId.intValue()));
                    row.setField(position, bytes(text));
                    rows.set(rowId.intValue(), row);
                });
        return this;
    }

    /** All rows that the table holds now, all columns. */
    List<Row> rows() {
        return List.copyOf(rows);
    }

    /** All rows that the table holds now, the given columns. */
    List<Row> rows(String... columns) {
        List<Row> projected = new ArrayList<>();
        for (Row row : rows) {
            Row target = new Row(columns.length);
            for (int i = 0; i < columns.length; i++) {
                target.setField(
                        i,
                        row.getField(List.of("id", "front", "name", "back").indexOf(columns[i])));
            }
            projected.add(target);
        }
        return projected;
    }

    private static byte[] bytes(String text) {
        return text == null ? null : text.getBytes(UTF_8);
    }
}
