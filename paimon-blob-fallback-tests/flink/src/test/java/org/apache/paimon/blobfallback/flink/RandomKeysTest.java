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
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * W7: updates by key, in between appends, partial updates of Paimon 2.0, flattens and changes of
 * columns, in a random order. {@code -Dkeys.seed=S} runs one schedule, a new one or one of these.
 */
class RandomKeysTest {

    private static final int SCHEDULES = 4;
    private static final int STEPS = 6;

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    @TempDir Path warehouse;

    /** A row as it must be; both the id and the name tell it from the others. */
    private static final class Picture {

        private final int id;
        private final String name;
        private String front;

        private Picture(int id) {
            this.id = id;
            this.name = "n" + id;
            this.front = "front" + id;
        }
    }

    private final Map<Integer, Picture> pictures = new TreeMap<>();
    private final List<String> history = new ArrayList<>();
    private FlinkCluster.Session session;
    private PaimonWriter writer;
    private Random random;
    private String idColumn = "id";
    private boolean isChanged;
    private int nextName;

    static List<Long> seeds() {
        Long seed = Long.getLong("keys.seed");
        List<Long> seeds = new ArrayList<>();
        for (long i = 0; seed == null && i < SCHEDULES; i++) {
            seeds.add(i);
        }
        return seed == null ? seeds : List.of(seed);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void eachUpdateChangesTheRowsOfItsKeysAlone(long seed) throws Exception {
        random = new Random(seed);
        session = FLINK.batch().inPluginCatalog(warehouse);
        try (PaimonWriter opened = PAIMON2.writer(warehouse)) {
            writer = opened;
            writer.createTable(
                    "db.t", TableDefinition.of("id", "INT", "name", "STRING", "front", "BLOB"));
            session.sql("USE db");
            append();
            for (int i = 0; i < STEPS; i++) {
                step();
            }
            updateByKey();
        } catch (Exception | AssertionError e) {
            throw new AssertionError("Repeat with -Dkeys.seed=" + seed + " " + history, e);
        }
    }

    private void step() throws Exception {
        switch (random.nextInt(8)) {
            case 0 -> append();
            case 1, 2 -> updateWithPaimon2();
            case 3 -> {
                history.add("flatten");
                session.sql("CALL sys.flatten_blob_layers(`table` => 'db.t')");
            }
            case 4, 5 -> changeColumns();
            default -> updateByKey();
        }
    }

    private void append() throws Exception {
        List<String> rows = new ArrayList<>();
        for (int i = random.nextInt(5); i >= 0; i--) {
            Picture picture = new Picture(pictures.size());
            pictures.put(picture.id, picture);
            rows.add("(%d, '%s', %s)".formatted(picture.id, picture.name, hex(picture.front)));
        }
        history.add("append " + rows.size());
        session.sql("INSERT INTO t (%s, name, front) VALUES %s", idColumn, String.join(", ", rows));
    }

    private void updateWithPaimon2() throws Exception {
        Map<Long, List<Object>> values = new TreeMap<>();
        for (Row row : session.sql("SELECT _ROW_ID, %s FROM `t$row_tracking`", idColumn)) {
            if (random.nextInt(3) == 0) {
                Picture picture = pictures.get(((Number) row.getField(1)).intValue());
                picture.front = "two" + nextName++;
                values.put((Long) row.getField(0), List.of(picture.front.getBytes(UTF_8)));
            }
        }
        history.add("2.0 updates " + values.keySet());
        if (!values.isEmpty()) {
            writer.update("db.t", List.of("front"), values, Map.of());
        }
    }

    private void changeColumns() throws Exception {
        String change;
        switch (random.nextInt(4)) {
            case 0 -> change = "ADD extra" + nextName++ + " STRING FIRST";
            case 1 -> change = "MODIFY name STRING FIRST";
            case 2 -> {
                String renamed = "number" + nextName++;
                change = "RENAME " + idColumn + " TO " + renamed;
                idColumn = renamed;
            }
            default -> {
                change = "MODIFY " + idColumn + " BIGINT";
                if (isChanged) {
                    return;
                }
                isChanged = true;
            }
        }
        history.add(change);
        session.sql("ALTER TABLE t " + change);
    }

    private void updateByKey() throws Exception {
        List<String> key = new ArrayList<>(List.of(idColumn, "name"));
        if (random.nextInt(3) > 0) {
            key.remove(random.nextInt(2));
        }
        Collections.shuffle(key, random);
        Map<String, String> fronts = new LinkedHashMap<>();
        for (Picture picture : pictures.values()) {
            if (random.nextInt(3) == 0) {
                String front = random.nextInt(5) == 0 ? null : "key" + nextName++;
                fronts.put(values(key, picture.id, picture.name), front);
            }
        }
        // Of a row that does not exist.
        fronts.put(values(key, 1_000, "nobody"), "nobody");
        long touched = 0;
        for (Picture picture : pictures.values()) {
            String values = values(key, picture.id, picture.name);
            if (fronts.containsKey(values)) {
                picture.front = fronts.get(values);
                touched++;
            }
        }
        String keys = String.join(", ", key);
        history.add("update by " + keys + ": " + fronts);
        List<String> rows = new ArrayList<>();
        fronts.forEach((values, front) -> rows.add("(" + values + ", " + hex(front) + ")"));
        Row result =
                session.execute(
                                "CALL sys.update_blobs(`table` => 'db.t', source => 'SELECT * FROM"
                                        + " (VALUES "
                                        + String.join(", ", rows).replace("'", "''")
                                        + ") AS s ("
                                        + keys
                                        + ", front)', key => '"
                                        + keys
                                        + "')")
                        .rows()
                        .get(0);

        assertThat(result.getField(0)).isEqualTo(touched);
        assertThat(read())
                .isEqualTo(
                        pictures.values().stream()
                                .map(picture -> picture.id + "=" + picture.front)
                                .collect(Collectors.toList()));
    }

    private static String values(List<String> key, int id, String name) {
        return key.stream()
                .map(column -> column.equals("name") ? "'" + name + "'" : Integer.toString(id))
                .collect(Collectors.joining(", "));
    }

    private List<String> read() throws Exception {
        Map<Integer, String> rows = new TreeMap<>();
        for (Row row : session.sql("SELECT %s, front FROM t", idColumn)) {
            byte[] front = (byte[]) row.getField(1);
            int id = ((Number) row.getField(0)).intValue();
            assertThat(rows).doesNotContainKey(id);
            rows.put(id, front == null ? null : new String(front, UTF_8));
        }
        return rows.entrySet().stream()
                .map(row -> row.getKey() + "=" + row.getValue())
                .collect(Collectors.toList());
    }

    private static String hex(String front) {
        return front == null
                ? "CAST(NULL AS BYTES)"
                : "X'" + HexFormat.of().formatHex(front.getBytes(UTF_8)) + "'";
    }
}
