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

import static org.apache.paimon.data.BinaryString.fromString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.blobfallback.update.BlobFlatten;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericMap;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalMap;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds F7: maps with keys of every type are updated, read, described, flattened and checked. */
class MapKeysTest {

    private final CountingFileIO fileIO = CountingFileIO.vectored();

    @TempDir java.nio.file.Path folder;

    @AfterEach
    void everyStreamIsClosed() {
        fileIO.assertNothingOpen();
    }

    static List<Arguments> keys() {
        return List.of(
                Arguments.of(DataTypes.BOOLEAN(), false, true),
                Arguments.of(DataTypes.TINYINT(), (byte) -1, (byte) 7),
                Arguments.of(DataTypes.SMALLINT(), (short) -1, Short.MAX_VALUE),
                Arguments.of(DataTypes.INT(), -1, Integer.MAX_VALUE),
                Arguments.of(DataTypes.BIGINT(), -1L, Long.MIN_VALUE),
                Arguments.of(DataTypes.DATE(), -1, 20_000),
                Arguments.of(DataTypes.TIME(3), 0, 86_399_999),
                Arguments.of(DataTypes.DECIMAL(10, 2), decimal("-1.05", 10), decimal("7.00", 10)),
                Arguments.of(DataTypes.DECIMAL(30, 2), decimal("-1.28", 30), decimal("1.28", 30)),
                Arguments.of(DataTypes.CHAR(2), fromString("a "), fromString("bb")),
                Arguments.of(DataTypes.STRING(), fromString(""), fromString("\u00e4")),
                Arguments.of(DataTypes.BINARY(2), new byte[2], new byte[] {1, -1}),
                Arguments.of(DataTypes.BYTES(), new byte[0], new byte[] {1, 2, 3}));
    }

    private static Decimal decimal(String value, int precision) {
        return Decimal.fromBigDecimal(new BigDecimal(value), precision, 2);
    }

    @ParameterizedTest
    @MethodSource("keys")
    void mapsAreUpdatedReadDescribedFlattenedAndChecked(DataType key, Object first, Object second)
            throws Exception {
        LayeredTable layers = create(key);
        layers.appendWithoutBlobs(0, 2);
        FileStoreTable table = layers.table();
        update(table, 0, map(first, "old", second, null));
        update(table, 1, map(null, "of null", second, "other"));
        update(table, 0, map(second, "new", first, ""));
        List<Map<Object, String>> expected = new ArrayList<>();
        expected.add(plain(second, "new", first, ""));
        expected.add(plain(null, "of null", second, "other"));
        expected.add(null);

        assertThat(rows(table, key)).isEqualTo(expected);
        FileStoreTable descriptors = table.copy(Map.of("blob-as-descriptor", "true"));
        assertThat(rows(descriptors, key)).isEqualTo(expected);
        assertThat(BlobFallback.verify(table).faults()).isEmpty();

        try (BlobFlatten flatten = BlobFallback.newFlattenBuilder(table).newFlatten()) {
            assertThat(flatten.run()).hasSize(1);
        }
        assertThat(layers.blobFiles("docs")).hasSize(1);
        assertThat(rows(layers.table(), key)).isEqualTo(expected);
    }

    @Test
    void aTypeThatIsNotKnownIsRefusedByTableColumnAndType() throws Exception {
        LayeredTable layers = create(DataTypes.DOUBLE());
        layers.appendWithoutBlobs(0, 2);

        assertThatThrownBy(() -> update(layers.table(), 0, map(1.5, "x", 2.5, "y")))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("Column docs of table ")
                .hasMessageContaining("is a MAP<DOUBLE, BLOB>, which this plugin does not know")
                .hasMessageContaining("found DOUBLE. Leave the column out, or use the Paimon that");
    }

    private LayeredTable create(DataType key) throws Exception {
        Schema.Builder schema =
                LayeredTable.options(
                        Schema.newBuilder()
                                .column("id", DataTypes.INT())
                                .column("name", DataTypes.STRING())
                                .column("docs", DataTypes.MAP(key, DataTypes.BLOB())));
        return LayeredTable.create(fileIO, folder, schema.build());
    }

    private static void update(FileStoreTable table, long rowId, GenericMap map) throws Exception {
        try (BlobUpdate update = BlobFallback.newUpdateBuilder(table).newUpdate()) {
            update.set(rowId, "docs", map);
            update.commit();
        }
    }

    private static List<Map<Object, String>> rows(FileStoreTable table, DataType key)
            throws Exception {
        InternalArray.ElementGetter keys = InternalArray.createElementGetter(key);
        List<Map<Object, String>> rows = new ArrayList<>();
        ReadBuilder read =
                table.newReadBuilder().withReadType(table.rowType().project(List.of("docs")));
        try (RecordReader<InternalRow> reader =
                read.newRead().createReader(read.newScan().plan())) {
            reader.forEachRemaining(
                    row -> {
                        if (row.isNullAt(0)) {
                            rows.add(null);
                            return;
                        }
                        InternalMap map = row.getMap(0);
                        Map<Object, String> plain = new HashMap<>();
                        for (int i = 0; i < map.size(); i++) {
                            plain.put(
                                    plainKey(keys.getElementOrNull(map.keyArray(), i)),
                                    map.valueArray().isNullAt(i)
                                            ? null
                                            : new String(map.valueArray().getBlob(i).toData()));
                        }
                        rows.add(plain);
                    });
        }
        return rows;
    }

    private static GenericMap map(Object first, String one, Object second, String two) {
        Map<Object, Object> map = new LinkedHashMap<>();
        map.put(first, one == null ? null : Blob.fromData(one.getBytes()));
        map.put(second, two == null ? null : Blob.fromData(two.getBytes()));
        return new GenericMap(map);
    }

    private static Map<Object, String> plain(Object first, String one, Object second, String two) {
        Map<Object, String> plain = new HashMap<>();
        plain.put(plainKey(first), one);
        plain.put(plainKey(second), two);
        return plain;
    }

    private static Object plainKey(Object key) {
        return key instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : key;
    }
}
