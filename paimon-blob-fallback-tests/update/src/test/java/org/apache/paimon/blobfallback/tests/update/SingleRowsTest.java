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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.serve.BlobReader;
import org.apache.paimon.blobfallback.serve.BlobRow;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.apache.paimon.blobfallback.tests.bridge.SchemaEdit;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.Table;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R26: single rows of random tables of Paimon 2.0, which writes and judges, after each step. */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
class SingleRowsTest {

    private static final String TABLE = "db.t";
    private static final int STEPS = 10;

    @TempDir private Path warehouse;

    private final Map<Long, Integer> rows = new TreeMap<>();
    private final List<Long> deleted = new ArrayList<>();
    private long nextRowId;
    private Random random;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void eachRowIdReadsAsPaimon2ReadsTheTable(long seed) throws Exception {
        random = new Random(seed);
        boolean deletions = seed % 2 == 0;
        Map<String, String> options =
                Map.of(
                        "warehouse", warehouse.toString(),
                        "metastore", "blob-fallback",
                        "cache-enabled", "false");
        try (PaimonRuntime paimon2 = Runtimes.paimon2();
                PaimonWriter writer = paimon2.find(PaimonWriter.class);
                PaimonReader judge = paimon2.find(PaimonReader.class);
                Catalog plugin =
                        CatalogFactory.createCatalog(
                                CatalogContext.create(Options.fromMap(options)))) {
            writer.open(warehouse.toString(), Map.of());
            judge.open(Map.of("warehouse", warehouse.toString()));
            TableDefinition definition =
                    TableDefinition.of("id", "INT", "part", "INT", "a", "BLOB", "b", "BLOB")
                            .partitionedBy("part");
            writer.createTable(
                    TABLE,
                    deletions ? definition.with("deletion-vectors.enabled", "true") : definition);
            append(writer);
            Table table = plugin.getTable(Identifier.fromString(TABLE));
            try (BlobReader reader = BlobFallback.newBlobReader(table).newReader()) {
                for (int step = 0; step < STEPS; step++) {
                    step(writer, deletions);
                    assertThat(reader.refresh()).isTrue();
                    assertReads(reader, judge);
                }
                writer.alter(TABLE, List.of(SchemaEdit.of(SchemaEdit.Kind.DROP_COLUMN, "b")));
                append(writer);
                assertThat(reader.refresh()).isTrue();
            }
            table = plugin.getTable(Identifier.fromString(TABLE));
            try (BlobReader reader = BlobFallback.newBlobReader(table).newReader()) {
                assertThat(reader.read(0).get(0).rowId()).isZero();
                assertReads(reader, judge, "a");
            }
        }
    }

    private void step(PaimonWriter writer, boolean deletions) throws Exception {
        switch (random.nextInt(deletions ? 4 : 3)) {
            case 0:
                append(writer);
                break;
            case 3:
                List<Long> all = new ArrayList<>(rows.keySet());
                List<Long> some = List.of(all.get(random.nextInt(all.size())));
                writer.delete(TABLE, some);
                deleted.addAll(some);
                some.forEach(rows::remove);
                break;
            default:
                String column = random.nextBoolean() ? "a" : "b";
                Map<Long, List<Object>> values = new HashMap<>();
                for (long rowId : rows.keySet()) {
                    if (values.isEmpty() || random.nextInt(3) == 0) {
                        values.put(
                                rowId,
                                random.nextInt(4) == 0
                                        ? Arrays.asList((Object) null)
                                        : List.of(bytes("u" + random.nextInt(1000))));
                    }
                }
                writer.update(TABLE, List.of(column), values, Map.of());
        }
    }

    private void append(PaimonWriter writer) throws Exception {
        List<List<Object>> appended = new ArrayList<>();
        int part = random.nextInt(2);
        int count = 1 + random.nextInt(6);
        boolean dropped = writer.columnIds(TABLE).get("b") == null;
        for (int i = 0; i < count; i++) {
            List<Object> row =
                    new ArrayList<>(
                            List.of(
                                    (int) nextRowId,
                                    part,
                                    bytes("a" + nextRowId),
                                    bytes("b" + nextRowId)));
            appended.add(dropped ? row.subList(0, 3) : row);
            rows.put(nextRowId++, part);
        }
        writer.append(TABLE, appended);
    }

    private void assertReads(BlobReader reader, PaimonReader judge) throws Exception {
        assertReads(reader, judge, "a", "b");
    }

    private void assertReads(BlobReader reader, PaimonReader judge, String... columns)
            throws Exception {
        List<String> projected = new ArrayList<>(List.of(columns));
        projected.add("_ROW_ID");
        Map<Long, List<String>> expected = new HashMap<>();
        for (List<Object> row :
                judge.read(ReadRequest.all(TABLE).columns(projected.toArray(new String[0])))) {
            List<String> values = new ArrayList<>();
            for (int i = 0; i < columns.length; i++) {
                values.add(text((byte[]) row.get(i)));
            }
            expected.put((Long) row.get(columns.length), values);
        }
        assertThat(expected.keySet()).isEqualTo(rows.keySet());
        long[] rowIds = random.longs(20, 0, nextRowId + 2).toArray();
        List<BlobRow> read = random.nextBoolean() ? reader.read(rowIds) : reader.describe(rowIds);
        for (int i = 0; i < rowIds.length; i++) {
            BlobRow row = read.get(i);
            assertThat(row.rowId()).isEqualTo(rowIds[i]);
            assertThat(row.exists()).isEqualTo(rows.containsKey(rowIds[i]));
            assertThat(row.isDeleted()).isEqualTo(deleted.contains(rowIds[i]));
            if (row.exists()) {
                List<String> values = new ArrayList<>();
                for (String column : columns) {
                    values.add(row.isNull(column) ? null : text(row.getBlob(column).toData()));
                }
                assertThat(values).as("row id %s", rowIds[i]).isEqualTo(expected.get(rowIds[i]));
            }
        }
    }

    private static String text(byte[] bytes) {
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
