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

package org.apache.paimon.blobfallback.read;

import static org.apache.paimon.blobfallback.format.io.BlobReadMetrics.FILES_OPENED;
import static org.apache.paimon.blobfallback.format.io.BlobReadMetrics.PAYLOAD_BYTES;
import static org.apache.paimon.blobfallback.format.io.BlobReadMetrics.ROWS_SKIPPED_BY_FILTER;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.read.blobs.BlobBatches;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.blobfallback.testtable.BlobLayer;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.metrics.Gauge;
import org.apache.paimon.metrics.MetricGroup;
import org.apache.paimon.metrics.MetricGroupImpl;
import org.apache.paimon.metrics.MetricRegistry;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.Range;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R23: a filter on other columns is decided before blobs are read. */
class FilteredReadTest {

    private static final Map<String, String> NO_GAP =
            Map.of("blob-fallback.read.coalesce-gap", "0");

    @TempDir Path folder;

    private final CountingFileIO fileIO = CountingFileIO.vectored();
    private final Map<String, Long> metrics = new TreeMap<>();
    private MetricGroup group;

    private final MetricRegistry registry =
            (name, variables) -> group = new MetricGroupImpl(name, variables);

    /** Columns 0 id, 1 name, 2 pic, 3 doc. */
    private static PredicateBuilder where(FileStoreTable table) {
        return new PredicateBuilder(table.rowType());
    }

    @Test
    void onlyTheBlobsOfRowsThatPassAreRead() throws Exception {
        LayeredTable layered = LayeredTable.create(fileIO, folder).appendWithoutBlobs(0, 99);
        layered.layer("pic").file(0, pics("old", 100)).commit();
        Object[] newer = new Object[100];
        Arrays.fill(newer, BlobLayer.PLACEHOLDER);
        newer[42] = "newer";
        layered.layer("pic").file(0, newer).commit();
        FileStoreTable table = layered.table().copy(NO_GAP);

        assertThat(read(table, where(table).in(0, List.of(41, 42)), "pic", "name"))
                .containsExactly(List.of("old41", "name41"), List.of("newer", "name42"));
        assertThat(metrics)
                .containsEntry(PAYLOAD_BYTES, 2L * BlobFileLayout.ENTRY_OVERHEAD + 2 * 5)
                .containsEntry(ROWS_SKIPPED_BY_FILTER, 98L);
        fileIO.assertNothingOpen();
    }

    @Test
    void whereNoRowPassesNoBlobFileIsOpened() throws Exception {
        LayeredTable layered = LayeredTable.create(fileIO, folder).append(0, 9);
        FileStoreTable table = layered.table();
        // Statistics cannot tell, so that the plan keeps the file.
        Predicate between = where(table).contains(1, LayeredTable.string("nobody"));

        assertThat(read(table, between, "pic")).isEmpty();
        assertThat(metrics).containsEntry(FILES_OPENED, 0L).containsEntry(PAYLOAD_BYTES, 0L);
    }

    @Test
    void aNullBlobIsFoundInTheIndexes() throws Exception {
        LayeredTable layered = LayeredTable.create(fileIO, folder).appendWithoutBlobs(0, 3);
        layered.layer("pic").file(0, "p0", "p1", "p2", "p3").commit();
        layered.layer("pic")
                .file(0, BlobLayer.PLACEHOLDER, null, BlobLayer.PLACEHOLDER, "q3")
                .commit();
        layered.layer("doc").file(0, "d0", "d1", null, "d3").commit();
        FileStoreTable table = layered.table().copy(NO_GAP);

        assertThat(read(table, where(table).isNull(2), "id", "doc"))
                .containsExactly(List.of(1, "d1"));
        assertThat(metrics).containsEntry(PAYLOAD_BYTES, 18L);
        assertThat(
                        read(
                                table,
                                PredicateBuilder.and(
                                        where(table).isNotNull(2), where(table).isNull(3)),
                                "pic"))
                .containsExactly(List.of("p2"));
        assertThat(metrics).containsEntry(PAYLOAD_BYTES, 18L);
    }

    /** What is not decided here is left to the caller, the rest of the filter is used. */
    @Test
    void aConjunctThatCannotBeDecidedIsLeftOut() throws Exception {
        Schema schema =
                LayeredTable.options(
                                Schema.newBuilder()
                                        .column("id", DataTypes.INT())
                                        .column("d", DataTypes.DOUBLE())
                                        .column("pic", DataTypes.BLOB()))
                        .build();
        LayeredTable layered = LayeredTable.create(fileIO, folder, schema);
        List<GenericRow> rows = new ArrayList<>();
        for (int id = 0; id < 4; id++) {
            rows.add(GenericRow.of(id, id % 2 == 0 ? -0.0 : 1.0, LayeredTable.blob("p" + id)));
        }
        layered.append(layered.stock().rowType(), rows);
        FileStoreTable table = layered.table();
        PredicateBuilder where = where(table);

        // In SQL a negative zero is a zero.
        assertThat(read(table, where.equal(1, 0.0), "pic")).hasSize(4);
        assertThat(
                        read(
                                table,
                                PredicateBuilder.and(where.equal(1, 0.0), where.lessThan(0, 3)),
                                "id",
                                "pic"))
                .containsExactly(List.of(0, "p0"), List.of(1, "p1"), List.of(2, "p2"));
        assertThat(
                        read(
                                table,
                                PredicateBuilder.or(where.equal(1, 0.0), where.lessThan(0, 1)),
                                "pic"))
                .hasSize(4);
    }

    /** Values are those that the row has today. */
    @Test
    void valuesOfAnOlderSchemaAreComparedAsWhatTheyAreNow() throws Exception {
        LayeredTable layered = LayeredTable.create(fileIO, folder).append(-3, 3);
        layered.alter(
                SchemaChange.updateColumnType("id", DataTypes.BIGINT()),
                SchemaChange.renameColumn("name", "title"),
                SchemaChange.addColumn("name", DataTypes.STRING()));
        FileStoreTable table = layered.table();
        PredicateBuilder where = where(table);

        assertThat(read(table, where.equal(where.indexOf("id"), -2L), "pic"))
                .containsExactly(List.of("pic-2"));
        assertThat(
                        read(
                                table,
                                where.equal(where.indexOf("title"), LayeredTable.string("name1")),
                                "id",
                                "pic"))
                .containsExactly(List.of(1L, "pic1"));
        assertThat(read(table, where.isNull(where.indexOf("name")), "pic")).hasSize(7);
        assertThat(read(table, where.isNotNull(where.indexOf("name")), "pic")).isEmpty();
    }

    /** No more of the filter's columns is read than the rows that were asked for. */
    @Test
    void aReadThatEndsEarlyDecidesNoMoreRowsThanItsWindow() throws Exception {
        int count = 10_000;
        LayeredTable layered = LayeredTable.create(fileIO, folder);
        layered.append(
                layered.stock().rowType().project("id", "name"),
                IntStream.range(0, count)
                        .mapToObj(id -> GenericRow.of(id, LayeredTable.string("n" + id % 2)))
                        .toList());
        layered.layer("pic").file(0, pics("p", count)).commit();
        FileStoreTable table = layered.table();
        Predicate odd = where(table).equal(1, LayeredTable.string("n1"));

        ReadBuilder builder = builder(table, odd, "pic", "id");
        try (RecordReader<InternalRow> reader = reader(builder)) {
            assertThat(reader.readBatch().next().getInt(1)).isEqualTo(1);
        }
        takeMetrics();
        assertThat(metrics.get(ROWS_SKIPPED_BY_FILTER))
                .isBetween(1L, (long) BlobBatches.MIN_PLACES);
        fileIO.assertNothingOpen();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void randomFiltersOnRandomLayersGiveTheRowsThatPass(long seed) throws Exception {
        Random random = new Random(seed);
        LayeredTable layered = LayeredTable.create(fileIO, folder);
        int rows = 0;
        List<String> pics = new ArrayList<>();
        for (int group = 0; group < 3; group++) {
            int size = 1 + random.nextInt(2_000);
            layered.appendWithoutBlobs(rows, rows + size - 1);
            String[] winners = new String[size];
            for (int layer = 0; layer < 1 + random.nextInt(4); layer++) {
                Object[] values = new Object[size];
                for (int i = 0; i < size; i++) {
                    int kind = layer == 0 ? 1 + random.nextInt(9) : random.nextInt(10);
                    if (kind == 1) {
                        values[i] = null;
                        winners[i] = null;
                    } else if (kind < 4 || layer == 0) {
                        values[i] = winners[i] = "v" + random.nextInt(1_000_000);
                    } else {
                        values[i] = BlobLayer.PLACEHOLDER;
                    }
                }
                layered.layer("pic").file(rows, values).commit();
            }
            pics.addAll(Arrays.asList(winners));
            rows += size;
        }
        FileStoreTable table = layered.table().copy(NO_GAP);
        PredicateBuilder where = where(table);
        int total = rows;
        for (int i = 0; i < 10; i++) {
            int low = random.nextInt(total);
            int high = low + random.nextInt(total - low);
            String digit = String.valueOf(random.nextInt(10));
            boolean nulls = random.nextInt(4) == 0;
            List<Predicate> conjuncts = new ArrayList<>();
            conjuncts.add(where.between(0, low, high));
            conjuncts.add(where.endsWith(1, LayeredTable.string(digit)));
            if (nulls) {
                conjuncts.add(where.isNotNull(2));
            }
            List<Range> ranges =
                    random.nextBoolean()
                            ? null
                            : List.of(new Range(0, total / 3), new Range(total / 2, total));
            List<List<Object>> expected = new ArrayList<>();
            long payload = 0;
            for (int id = low; id <= high; id++) {
                boolean selected = ranges == null || id <= total / 3 || id >= total / 2;
                String pic = pics.get(id);
                if (selected && String.valueOf(id).endsWith(digit) && !(nulls && pic == null)) {
                    expected.add(Arrays.asList((long) id, pic, id));
                    payload += pic == null ? 0 : pic.length() + BlobFileLayout.ENTRY_OVERHEAD;
                }
            }

            assertThat(read(table, PredicateBuilder.and(conjuncts), ranges, "_ROW_ID", "pic", "id"))
                    .as("seed %d, filter %d", seed, i)
                    .isEqualTo(expected);
            assertThat(metrics).containsEntry(PAYLOAD_BYTES, payload);
        }
        fileIO.assertNothingOpen();
    }

    private static Object[] pics(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toArray();
    }

    private List<List<Object>> read(FileStoreTable table, Predicate filter, String... columns)
            throws Exception {
        return read(table, filter, null, columns);
    }

    private List<List<Object>> read(
            FileStoreTable table, Predicate filter, List<Range> ranges, String... columns)
            throws Exception {
        List<List<Object>> rows = new ArrayList<>();
        ReadBuilder builder = builder(table, filter, columns).withRowRanges(ranges);
        RowType type = builder.readType();
        try (RecordReader<InternalRow> reader = reader(builder)) {
            reader.forEachRemaining(
                    row -> {
                        List<Object> values = new ArrayList<>();
                        for (int i = 0; i < type.getFieldCount(); i++) {
                            Object value =
                                    InternalRow.createFieldGetter(type.getTypeAt(i), i)
                                            .getFieldOrNull(row);
                            values.add(
                                    value instanceof Blob blob
                                            ? new String(blob.toData(), StandardCharsets.UTF_8)
                                            : value instanceof BinaryString
                                                    ? value.toString()
                                                    : value);
                        }
                        rows.add(values);
                    });
        }
        takeMetrics();
        return rows;
    }

    private void takeMetrics() {
        metrics.clear();
        group.getMetrics()
                .forEach(
                        (name, metric) -> metrics.put(name, (Long) ((Gauge<?>) metric).getValue()));
    }

    private static ReadBuilder builder(FileStoreTable table, Predicate filter, String... columns) {
        RowType all = SpecialFields.rowTypeWithRowTracking(table.rowType());
        return table.newReadBuilder().withReadType(all.project(columns)).withFilter(filter);
    }

    private RecordReader<InternalRow> reader(ReadBuilder builder) throws Exception {
        return builder.newRead()
                .withMetricRegistry(registry)
                .createReader(builder.newScan().plan());
    }
}
