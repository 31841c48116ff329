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

package org.apache.paimon.blobfallback.tests.spark;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;

/**
 * A table {@code (id INT, front BLOB, name STRING, back BLOB)} that Paimon 2.0 writes, and what it
 * must hold as texts. A row's id is its row id.
 */
final class Album {

    /** What the table is created with. */
    static final TableDefinition DEFINITION =
            TableDefinition.of("id", "INT", "front", "BLOB", "name", "STRING", "back", "BLOB");

    private static final List<String> COLUMNS = List.of("id", "front", "name", "back");

    private final PaimonWriter writer;
    private final String table;
    private final List<Object[]> rows = new ArrayList<>();

    private Album(PaimonWriter writer, String table) {
        this.writer = writer;
        this.table = table;
    }

    /** A table without rows. */
    static Album create(PaimonWriter writer, String table) throws Exception {
        writer.createTable(table, DEFINITION);
        return new Album(writer, table);
    }

    /** A table of two groups of six and four rows whose fronts and backs have layers. */
    static Album layered(PaimonWriter writer, String table) throws Exception {
        Album album = create(writer, table);
        album.append(6).append(4);
        album.update("front", Map.of(1L, "second front-1", 7L, "second front-7"));
        album.update("back", Map.of(0L, "second back-0", 1L, "second back-1"));
        album.update("front", Map.of(1L, "third front-1"));
        return album;
    }

    /** Appends rows as a group. */
    Album append(int count) throws Exception {
        List<List<Object>> appended = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int id = rows.size();
            Object[] row = {id, "front-" + id, "name-" + id, "back-" + id};
            rows.add(row);
            appended.add(
                    Arrays.asList(id, bytes("front-" + id), "name-" + id, bytes("back-" + id)));
        }
        writer.append(table, appended);
        return this;
    }

    /** Lets Paimon 2.0 set values in one blob column, in a layer of its own. */
    Album update(String column, Map<Long, String> values) throws Exception {
        Map<Long, List<Object>> update = new LinkedHashMap<>();
        values.forEach((rowId, text) -> update.put(rowId, Arrays.asList((Object) bytes(text))));
        writer.update(table, List.of(column), update, Map.of());
        return updatedByOthers(column, values);
    }

    /** Notes values that somebody else has set in one blob column. */
    Album updatedByOthers(String column, Map<Long, String> values) {
        values.forEach((rowId, text) -> rows.get(rowId.intValue())[COLUMNS.indexOf(column)] = text);
        return this;
    }

    /** The given columns of all rows that the table holds now. */
    List<List<Object>> rows(String... columns) {
        List<List<Object>> projected = new ArrayList<>();
        for (Object[] row : rows) {
            List<Object> values = new ArrayList<>();
            for (String column : columns) {
                values.add(row[COLUMNS.indexOf(column)]);
            }
            projected.add(values);
        }
        return projected;
    }

    /** All rows that the table holds now. */
    List<List<Object>> rows() {
        return rows(COLUMNS.toArray(new String[0]));
    }

    /** Rows with their bytes as texts. */
    static List<List<Object>> texts(List<List<Object>> rows) {
        List<List<Object>> texts = new ArrayList<>();
        for (List<Object> row : rows) {
            List<Object> values = new ArrayList<>();
            for (Object value : row) {
                values.add(value instanceof byte[] bytes ? new String(bytes, UTF_8) : value);
            }
            texts.add(values);
        }
        return texts;
    }

    private static byte[] bytes(String text) {
        return text == null ? null : text.getBytes(UTF_8);
    }
}
