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

package org.apache.paimon.blobfallback.tests.s3;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;

/**
 * A table {@code (id INT, pic BLOB, doc BLOB)} of one group that Paimon 2.0 writes to S3, and what
 * it must hold. A row's id is its row id.
 *
 * <p>Its pictures are 200 of 12 KiB. One update has replaced all but each eighth, another one has
 * set rows 3 (null), 16 and 17; in the documents an update has set rows 10 and 190.
 */
final class Gallery {

    static final int ROWS = 200;

    /** Every how many rows an old picture is still the winner. */
    static final int KEPT = 8;

    private static final int PICTURE_LENGTH = 12 << 10;

    private final String table;
    private final List<List<Object>> rows = new ArrayList<>();

    Gallery(String table) {
        this.table = table;
    }

    String table() {
        return table;
    }

    /** Creates and writes the table. */
    Gallery write(PaimonWriter writer) throws Exception {
        for (int id = 0; id < ROWS; id++) {
            byte[] picture = new byte[PICTURE_LENGTH];
            Arrays.fill(picture, (byte) id);
            rows.add(Arrays.asList(id, picture, bytes("doc " + id)));
        }
        writer.createTable(table, TableDefinition.of("id", "INT", "pic", "BLOB", "doc", "BLOB"));
        writer.append(table, rows);
        Map<Long, byte[]> most = new TreeMap<>();
        for (long id = 0; id < ROWS; id++) {
            if (id % KEPT != 0) {
                most.put(id, bytes("new " + id));
            }
        }
        update(writer, "pic", most);
        Map<Long, byte[]> few = new TreeMap<>();
        few.put(3L, null);
        few.put(16L, bytes("newest 16"));
        few.put(17L, new byte[0]);
        update(writer, "pic", few);
        update(writer, "doc", Map.of(10L, bytes("new doc 10"), 190L, bytes("new doc 190")));
        return this;
    }

    private void update(PaimonWriter writer, String column, Map<Long, byte[]> values)
            throws Exception {
        Map<Long, List<Object>> update = new TreeMap<>();
        values.forEach(
                (rowId, value) -> {
                    update.put(rowId, Collections.singletonList(value));
                    set(rowId, column, value);
                });
        writer.update(table, List.of(column), update, Map.of());
    }

    /** Notes a value that somebody has set. */
    void set(long rowId, String column, byte[] value) {
        List<Object> row = new ArrayList<>(rows.get((int) rowId));
        row.set(column.equals("pic") ? 1 : 2, value);
        rows.set((int) rowId, row);
    }

    /** The values of a row. */
    List<Object> row(int id) {
        return rows.get(id);
    }

    /** That rows are those of the table, in their order. */
    void assertHolds(List<List<Object>> read) {
        assertThat(texts(read)).isEqualTo(texts(rows));
    }

    /** Rows with each blob as a string, which is quick to compare. */
    private static List<List<Object>> texts(List<List<Object>> rows) {
        List<List<Object>> texts = new ArrayList<>();
        for (List<Object> row : rows) {
            List<Object> text = new ArrayList<>();
            for (Object value : row) {
                text.add(value instanceof byte[] bytes ? new String(bytes, ISO_8859_1) : value);
            }
            texts.add(text);
        }
        return texts;
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
