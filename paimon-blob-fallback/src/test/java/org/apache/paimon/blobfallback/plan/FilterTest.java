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

package org.apache.paimon.blobfallback.plan;

import static org.apache.paimon.blobfallback.testtable.BlobLayer.PLACEHOLDER;
import static org.apache.paimon.blobfallback.testtable.LayeredTable.string;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.data.serializer.InternalRowSerializer;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.TableRead;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.Range;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** R19: which files a filter leaves out of a plan. */
class FilterTest {

    private static final List<String> FORMATS = List.of("parquet", "orc", "avro");

    /** Whether each operator meets each value, rather than one of each type in each format. */
    private static final boolean ALL_FILTERS = Boolean.getBoolean("filters.all");

    @TempDir private java.nio.file.Path folder;

    private final List<InternalRow> allRows = new ArrayList<>();

    @Test
    void eachRangeThatABlobFileJoinsIsJudgedByItsOwnStatistics() throws Exception {
        LayeredTable table = LayeredTable.create(LocalFileIO.create(), folder);
        table.append(0, 10).append(11, 32).append(33, 54);
        Object[] entries = new Object[27];
        Arrays.fill(entries, PLACEHOLDER);
        entries[0] = "new27";
        table.layer("pic").file(27, entries).commit();
        PredicateBuilder builder = new PredicateBuilder(table.table().rowType());

        assertThat(ids(table.table(), builder.equal(0, 5))).containsExactlyElementsOf(ids(0, 10));
        assertThat(ids(table.table(), builder.between(0, 17, 17)))
                .containsExactlyElementsOf(ids(11, 32));
        assertThat(ids(table.table(), builder.equal(0, 54))).containsExactlyElementsOf(ids(33, 54));
        assertThat(ids(table.table(), builder.in(0, List.of(3, 40))))
                .containsExactlyElementsOf(
                        Stream.of(ids(0, 10), ids(33, 54)).flatMap(List::stream).toList());
        assertThat(ids(table.table(), builder.equal(0, 55))).isEmpty();
        assertThat(table.read("id", "pic").rows()).contains(List.of(27, "new27"));
    }

    @Test
    void theNewestFileThatHoldsAColumnHasItsStatistics() throws Exception {
        LayeredTable table = LayeredTable.create(LocalFileIO.create(), folder);
        table.append(0, 2).append(3, 5);
        table.rewrite("name", 0, string("x"), string("y"), string("z"));
        PredicateBuilder builder = new PredicateBuilder(table.table().rowType());

        assertThat(ids(table.table(), builder.equal(1, string("y")))).containsExactly(0, 1, 2);
        assertThat(ids(table.table(), builder.equal(1, string("name1")))).isEmpty();
        assertThat(ids(table.table(), builder.equal(1, string("name4")))).containsExactly(3, 4, 5);
    }

    @Test
    void aNewerFileWithoutStatisticsOfTheColumnProvesNothing() throws Exception {
        LayeredTable table = LayeredTable.create(LocalFileIO.create(), folder);
        table.append(0, 2);
        table.alter(SchemaChange.setOption("metadata.stats-mode", "none"));
        table.rewrite("name", 0, string("x"), string("y"), string("z"));
        table.alter(SchemaChange.setOption("metadata.stats-mode", "counts"));
        table.append(3, 5);
        PredicateBuilder builder = new PredicateBuilder(table.table().rowType());

        assertThat(ids(table.table(), builder.equal(1, string("y"))))
                .containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(ids(table.table(), builder.isNull(1))).containsExactly(0, 1, 2);
        assertThat(ids(table.table(), builder.isNotNull(1))).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void aColumnThatNoFileHoldsProvesNothing() throws Exception {
        LayeredTable table = LayeredTable.create(LocalFileIO.create(), folder);
        table.append(0, 2);
        table.alter(SchemaChange.addColumn("extra", DataTypes.STRING()));
        PredicateBuilder builder = new PredicateBuilder(table.table().rowType());

        assertThat(ids(table.table(), builder.isNull(4))).containsExactly(0, 1, 2);
        assertThat(ids(table.table(), builder.equal(4, string("a")))).containsExactly(0, 1, 2);
    }

    @Test
    void aRenamedColumnAndOneThatTookItsNameHaveTheirOwnStatistics() throws Exception {
        LayeredTable table = LayeredTable.create(LocalFileIO.create(), folder);
        table.append(0, 2);
        table.alter(SchemaChange.renameColumn("name", "title"));
        table.alter(SchemaChange.addColumn("name", DataTypes.STRING()));
        PredicateBuilder builder = new PredicateBuilder(table.table().rowType());

        assertThat(ids(table.table(), builder.equal(1, string("name1")))).containsExactly(0, 1, 2);
        assertThat(ids(table.table(), builder.equal(1, string("a")))).isEmpty();
        assertThat(ids(table.table(), builder.isNull(4))).containsExactly(0, 1, 2);
    }

    /** What SQL allows without more ado, as {@code ALTER TABLE ... MODIFY}. */
    static Stream<Object[]> typeChanges() {
        return Stream.of(
                change(DataTypes.TINYINT(), DataTypes.INT(), (byte) -1, -1),
                change(DataTypes.INT(), DataTypes.BIGINT(), -1, -1L),
                change(DataTypes.INT(), DataTypes.DOUBLE(), -1, -1d),
                change(DataTypes.INT(), DataTypes.DECIMAL(20, 2), 8, decimal("8.00", 20)),
                change(DataTypes.INT(), DataTypes.STRING(), 10, string("10")),
                change(DataTypes.FLOAT(), DataTypes.DOUBLE(), 2.5f, 2.5d),
                change(
                        DataTypes.DECIMAL(10, 2),
                        DataTypes.DECIMAL(20, 2),
                        decimal("-1.50", 10),
                        decimal("-1.50", 20)),
                change(DataTypes.VARCHAR(3), DataTypes.STRING(), string("abc"), string("abc")),
                change(DataTypes.CHAR(5), DataTypes.STRING(), string("abcde"), string("abcde")),
                change(
                        DataTypes.DATE(),
                        DataTypes.TIMESTAMP(3),
                        -1,
                        Timestamp.fromEpochMillis(-86400000)),
                change(
                        DataTypes.TIMESTAMP(3),
                        DataTypes.TIMESTAMP(6),
                        Timestamp.fromEpochMillis(1700000000123L),
                        Timestamp.fromEpochMillis(1700000000123L)),
                change(DataTypes.BOOLEAN(), DataTypes.STRING(), true, string("true")));
    }

    @ParameterizedTest
    @MethodSource("typeChanges")
    void aValueWrittenInAnOlderTypeIsFoundByTheNewOne(
            DataType from, DataType to, Object written, Object read) throws Exception {
        for (String format : FORMATS) {
            LayeredTable table =
                    LayeredTable.create(
                            LocalFileIO.create(),
                            folder.resolve(format),
                            LayeredTable.options(
                                            Schema.newBuilder()
                                                    .column("id", DataTypes.INT())
                                                    .column("v", from)
                                                    .column("pic", DataTypes.BLOB()))
                                    .option("file.format", format)
                                    .build());
            table.append(
                    table.stock().rowType(),
                    List.of(GenericRow.of(0, written, LayeredTable.blob("a"))));
            table.append(
                    table.stock().rowType(),
                    List.of(GenericRow.of(1, null, LayeredTable.blob("b"))));
            table.alter(SchemaChange.updateColumnType("v", to));
            PredicateBuilder builder = new PredicateBuilder(table.table().rowType());

            for (Predicate filter :
                    List.of(
                            builder.equal(1, read),
                            builder.lessOrEqual(1, read),
                            builder.greaterOrEqual(1, read),
                            builder.between(1, read, read),
                            builder.in(1, List.of(read)),
                            builder.isNotNull(1))) {
                assertThat(passing(table.table(), filter)).as("%s, %s", format, filter).contains(0);
            }
            assertThat(passing(table.table(), builder.isNull(1))).as(format).containsExactly(1);
            assertThat(passing(table.table(), builder.notEqual(1, read))).as(format).isEmpty();
        }
    }

    @Test
    void anUpdateByAFilterFindsValuesOfAnOlderType() throws Exception {
        LayeredTable table = LayeredTable.create(LocalFileIO.create(), folder);
        table.append(-2, 2);
        table.alter(SchemaChange.updateColumnType("id", DataTypes.BIGINT()));
        PredicateBuilder builder = new PredicateBuilder(table.table().rowType());

        try (BlobUpdate update =
                BlobFallback.newUpdateBuilder(table.table()).withColumns("pic").newUpdate()) {
            update.setWhere(builder.equal(0, -1L), "pic", LayeredTable.blob("new"));
            update.commit();
        }

        assertThat(table.read("pic").values())
                .containsExactly("pic-2", "new", "pic0", "pic1", "pic2");
    }

    private static Object[] change(DataType from, DataType to, Object written, Object read) {
        return new Object[] {from, to, written, read};
    }

    @ParameterizedTest
    @ValueSource(strings = {"parquet", "orc", "avro"})
    void aFilterOfAnyKindOnAnyTypeLosesNoRow(String format) throws Exception {
        Map<DataType, List<Object>> columns = columns(format);
        Schema.Builder schema = Schema.newBuilder().column("id", DataTypes.INT());
        int next = 1;
        for (DataType type : columns.keySet()) {
            schema.column("c" + next++, type);
        }
        LayeredTable table =
                LayeredTable.create(
                        LocalFileIO.create(),
                        folder,
                        LayeredTable.options(schema.column("pic", DataTypes.BLOB()))
                                .option("file.format", format)
                                .build());
        List<GenericRow> rows = rows(columns);
        for (GenericRow row : rows) {
            table.append(table.stock().rowType(), List.of(row));
        }
        table.append(table.stock().rowType(), rows);
        table.append(table.stock().rowType(), rows.subList(0, 2));
        FileStoreTable read = table.table();
        PredicateBuilder builder = new PredicateBuilder(read.rowType());
        int column = 1;
        for (Map.Entry<DataType, List<Object>> entry : columns.entrySet()) {
            for (Predicate filter :
                    filters(builder, column, entry.getValue(), FORMATS.indexOf(format))) {
                assertThat(plannedRowIds(read, filter))
                        .as("%s %s: %s", format, entry.getKey(), filter)
                        .containsAll(passingRowIds(read, filter));
            }
            column++;
        }
        assertThat(plannedRowIds(read, builder.equal(0, 1))).hasSizeLessThan(rows.size() + 4);
    }

    /** Sorts, nulls, signs, zeros, what is no number, text longer than statistics keep. */
    private static Map<DataType, List<Object>> columns(String format) {
        Map<DataType, List<Object>> columns = new LinkedHashMap<>();
        columns.put(DataTypes.BOOLEAN(), List.of(true, false));
        columns.put(DataTypes.TINYINT(), List.of((byte) -128, (byte) 0, (byte) 127));
        columns.put(DataTypes.SMALLINT(), List.of((short) -1, (short) 300));
        columns.put(DataTypes.BIGINT(), List.of(Long.MIN_VALUE, -1L, 0L, Long.MAX_VALUE));
        columns.put(
                DataTypes.FLOAT(),
                List.of(-0f, 0f, 1f, Float.NaN, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY));
        columns.put(DataTypes.DOUBLE(), List.of(0d, Double.NaN, -0d, 1d, -1.5d));
        columns.put(DataTypes.DECIMAL(9, 2), List.of(decimal("-1.50", 9), decimal("3.25", 9)));
        columns.put(
                DataTypes.DECIMAL(30, 2),
                List.of(decimal("-12345678901234567890.50", 30), decimal("3.25", 30)));
        columns.put(
                DataTypes.STRING(),
                List.of(
                        string(""),
                        string("abc"),
                        string("a text that is longer than sixteen"),
                        string("a text that is longer than others"),
                        string("äöü€\uD83D\uDE00"),
                        string("\uFFFF".repeat(20)),
                        string("\uD83D\uDE00".repeat(20))));
        columns.put(DataTypes.CHAR(3), List.of(string("abc"), string("x  ")));
        columns.put(DataTypes.VARCHAR(5), List.of(string("abc"), string("abcde")));
        columns.put(
                DataTypes.BYTES(),
                List.of(
                        "abc".getBytes(StandardCharsets.UTF_8),
                        new byte[] {(byte) 0x80, 1},
                        new byte[] {0x7f}));
        columns.put(DataTypes.BINARY(2), List.of(new byte[] {(byte) 0xff, 0}, new byte[] {1, 2}));
        columns.put(DataTypes.DATE(), List.of(-1, 0, 20000));
        columns.put(DataTypes.TIME(), List.of(0, 86399999));
        // The host writes no nanoseconds into Avro files.
        int[] precisions = format.equals("avro") ? new int[] {0, 3, 6} : new int[] {0, 3, 6, 9};
        for (int precision : precisions) {
            List<Object> values =
                    List.of(
                            timestamp(-1001, precision),
                            timestamp(0, precision),
                            timestamp(1700000000123L, precision));
            columns.put(DataTypes.TIMESTAMP(precision), values);
            if (precision > 0) {
                columns.put(DataTypes.TIMESTAMP_WITH_LOCAL_TIME_ZONE(precision), values);
            }
        }
        return columns;
    }

    private static Timestamp timestamp(long millis, int precision) {
        if (precision == 0) {
            return Timestamp.fromEpochMillis(Math.floorDiv(millis, 1000L) * 1000);
        }
        int nanos = precision == 9 ? 456789 : precision == 6 ? 456000 : 0;
        return Timestamp.fromEpochMillis(millis, nanos);
    }

    /** Each value of each column in some row, beside rows of nulls. */
    private static List<GenericRow> rows(Map<DataType, List<Object>> columns) {
        int count = columns.values().stream().mapToInt(List::size).max().orElseThrow();
        List<GenericRow> rows = new ArrayList<>();
        for (int i = 0; i <= count; i++) {
            GenericRow row = new GenericRow(columns.size() + 2);
            row.setField(0, i);
            int column = 1;
            for (List<Object> values : columns.values()) {
                row.setField(column++, i < values.size() ? values.get(i) : null);
            }
            row.setField(column, LayeredTable.blob("b" + i));
            rows.add(row);
        }
        return rows;
    }

    /**
     * Filters of all operators on a column.
     *
     * @param turn another number has an operator meet another value
     */
    private static List<Predicate> filters(
            PredicateBuilder builder, int column, List<Object> values, int turn) {
        List<Predicate> filters = new ArrayList<>();
        filters.add(builder.isNull(column));
        filters.add(builder.isNotNull(column));
        for (int i = 0; i < values.size(); i++) {
            List<Predicate> ofValue = filters(builder, column, values.get(0), values.get(i));
            for (int operator = 0; operator < ofValue.size(); operator++) {
                if (ALL_FILTERS || (operator + turn) % values.size() == i) {
                    filters.add(ofValue.get(operator));
                }
            }
        }
        return filters;
    }

    private static List<Predicate> filters(
            PredicateBuilder builder, int column, Object first, Object value) {
        List<Predicate> filters = new ArrayList<>();
        filters.add(builder.equal(column, value));
        filters.add(builder.notEqual(column, value));
        filters.add(builder.lessThan(column, value));
        filters.add(builder.lessOrEqual(column, value));
        filters.add(builder.greaterThan(column, value));
        filters.add(builder.greaterOrEqual(column, value));
        filters.add(builder.in(column, List.of(value)));
        filters.add(builder.notIn(column, List.of(value)));
        filters.add(builder.between(column, first, value));
        filters.add(builder.between(column, first, value).negate().orElseThrow());
        filters.add(
                PredicateBuilder.or(builder.equal(column, value), builder.greaterThan(0, 1000)));
        filters.add(PredicateBuilder.and(builder.equal(column, value), builder.lessThan(0, 3)));
        if (value instanceof BinaryString) {
            filters.add(builder.startsWith(column, value));
            filters.add(builder.endsWith(column, value));
            filters.add(builder.contains(column, value));
        }
        return filters;
    }

    private static Decimal decimal(String value, int precision) {
        return Decimal.fromBigDecimal(new BigDecimal(value), precision, 2);
    }

    private static List<Integer> ids(int from, int to) {
        return Stream.iterate(from, id -> id <= to, id -> id + 1).toList();
    }

    /** Ids of all rows of the files that a filter leaves in the plan. */
    private static List<Integer> ids(FileStoreTable table, Predicate filter) throws Exception {
        List<Integer> ids = new ArrayList<>();
        read(table, filter, row -> ids.add(row.getInt(0)));
        return ids;
    }

    private static Set<Integer> passing(FileStoreTable table, Predicate filter) throws Exception {
        Set<Integer> ids = new TreeSet<>();
        read(
                table,
                filter,
                row -> {
                    if (filter.test(row)) {
                        ids.add(row.getInt(0));
                    }
                });
        return ids;
    }

    private static Set<Long> plannedRowIds(FileStoreTable table, Predicate filter) {
        Set<Long> rowIds = new TreeSet<>();
        for (Split split : table.newReadBuilder().withFilter(filter).newScan().plan().splits()) {
            for (DataFileMeta file : ((DataSplit) split).dataFiles()) {
                Range range = file.nonNullRowIdRange();
                LongStream.rangeClosed(range.from, range.to).forEach(rowIds::add);
            }
        }
        return rowIds;
    }

    private List<Long> passingRowIds(FileStoreTable table, Predicate filter) throws Exception {
        if (allRows.isEmpty()) {
            InternalRowSerializer copier = new InternalRowSerializer(withRowId(table));
            read(table, null, row -> allRows.add(copier.copy(row)));
        }
        return allRows.stream()
                .filter(filter::test)
                .map(row -> row.getLong(table.rowType().getFieldCount()))
                .toList();
    }

    private static RowType withRowId(FileStoreTable table) {
        List<DataField> fields = new ArrayList<>(table.rowType().getFields());
        fields.add(SpecialFields.ROW_ID);
        return new RowType(fields);
    }

    /** Reads all that is planned for a filter, by a read that does not know the filter. */
    private static void read(FileStoreTable table, Predicate filter, Consumer<InternalRow> use)
            throws Exception {
        ReadBuilder builder = table.newReadBuilder().withReadType(withRowId(table));
        TableRead read = builder.newRead();
        try (RecordReader<InternalRow> reader =
                read.createReader(builder.withFilter(filter).newScan().plan())) {
            reader.forEachRemaining(use);
        }
    }
}
