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

package org.apache.paimon.blobfallback.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;

/**
 * A table of products with a picture each, written by Paimon 2.0. The id of a product is its row
 * id.
 */
final class Products {

    /** The table's name. */
    static final String TABLE = "shop.products";

    /** The table's blob column. */
    static final String PICTURE = "picture";

    private static final List<String> NAMES =
            List.of("apple", "banana", "cherry", "date", "elder", "fig");

    private static final List<Integer> UPDATED = List.of(2, 5);

    private final PaimonWriter writer;
    private final Map<Integer, byte[]> pictures = new TreeMap<>();

    /**
     * @param writer Paimon 2.0 with an open catalog; the caller closes it
     */
    Products(PaimonWriter writer) {
        this.writer = writer;
    }

    /** What the product is called. */
    static String name(int id) {
        return NAMES.get(id);
    }

    /** Creates the table and fills it; returns the pictures by id. */
    Map<Integer, byte[]> write() throws Exception {
        writer.createTable(
                TABLE, TableDefinition.of("id", "INT", "name", "STRING", PICTURE, "BLOB"));
        List<List<Object>> rows = new ArrayList<>();
        for (int id = 0; id < NAMES.size(); id++) {
            byte[] picture = Pictures.paint(64, id);
            pictures.put(id, picture);
            rows.add(List.of(id, name(id), picture));
        }
        writer.append(TABLE, rows);
        return pictures();
    }

    /** Updates some of the pictures, in part; returns these. */
    Map<Integer, byte[]> update() throws Exception {
        Map<Integer, byte[]> updated = new TreeMap<>();
        Map<Long, List<Object>> values = new LinkedHashMap<>();
        for (int id : UPDATED) {
            byte[] picture = Pictures.paint(96, NAMES.size() + id);
            updated.put(id, picture);
            values.put((long) id, List.of(picture));
        }
        writer.update(TABLE, List.of(PICTURE), values, Map.of());
        pictures.putAll(updated);
        return updated;
    }

    /** The pictures that the table holds now, by id. */
    Map<Integer, byte[]> pictures() {
        return new TreeMap<>(pictures);
    }
}
