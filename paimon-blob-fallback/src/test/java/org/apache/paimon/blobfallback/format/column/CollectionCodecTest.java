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

package org.apache.paimon.blobfallback.format.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.paimon.blobfallback.format.BlobPlaceholder;
import org.apache.paimon.blobfallback.format.file.BlobFileCheck;
import org.apache.paimon.blobfallback.format.file.BlobFormatReads;
import org.apache.paimon.blobfallback.format.file.GoldenFile;
import org.apache.paimon.blobfallback.format.file.RawBlobFile;
import org.apache.paimon.blobfallback.format.index.BlobIndex;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.format.io.NewerBlobFileException;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalMap;
import org.apache.paimon.data.serializer.InternalSerializers;
import org.apache.paimon.fs.Path;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.MapType;
import org.apache.paimon.utils.DeltaVarintCompressor;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds R10 and R13 on arrays of blobs and maps to blobs. */
class CollectionCodecTest {

    private static final DataType ARRAY = DataTypes.ARRAY(DataTypes.BLOB());
    private static final DataType MAP = DataTypes.MAP(DataTypes.STRING(), DataTypes.BLOB());
    private static final DataType INT_MAP = DataTypes.MAP(DataTypes.INT(), DataTypes.BLOB());

    private final CountingFileIO fileIO = CountingFileIO.vectored();

    @TempDir java.nio.file.Path folder;

    static Stream<GoldenFile> goldenFiles() {
        return GoldenFile.all().stream().filter(file -> !file.type().equals("BLOB"));
    }

    @AfterEach
    void everyStreamIsClosed() {
        fileIO.assertNothingOpen();
    }

    @ParameterizedTest
    @MethodSource("goldenFiles")
    void valuesOfPaimon2AreRead(GoldenFile golden) throws IOException {
        List<BlobFormatReads.Row> rows = reads(golden.dataType()).read(golden.path());

        assertThat(rows).hasSize(golden.entries().size());
        for (int i = 0; i < rows.size(); i++) {
            assertValue(golden, golden.entries().get(i), rows.get(i).value());
        }
    }

    @ParameterizedTest
    @MethodSource("goldenFiles")
    void descriptorsNameTheElementsInTheFile(GoldenFile golden) throws IOException {
        List<BlobFormatReads.Row> rows =
                reads(golden.dataType()).option("blob-as-descriptor", true).read(golden.path());

        byte[] file = golden.bytes();
        for (int i = 0; i < rows.size(); i++) {
            assertValue(golden, golden.entries().get(i), rows.get(i).value());
            for (Blob blob : blobs(rows.get(i).value())) {
                if (blob != BlobPlaceholder.INSTANCE) {
                    BlobDescriptor descriptor = blob.toDescriptor();
                    int start = (int) descriptor.offset();
                    assertThat(descriptor.uri()).endsWith(golden.path().getFileName().toString());
                    assertThat(Arrays.copyOfRange(file, start, start + (int) descriptor.length()))
                            .isEqualTo(blob.toData());
                }
            }
        }
    }

    /** R7: the descriptor form reads the payload's frame and keys only. */
    @Test
    void noBlobsBytesAreReadForDescriptors() throws IOException {
        byte[] blob = new byte[100_000];
        java.nio.file.Path array =
                new RawBlobFile().entry(array(blob, null, blob, new byte[0])).writeTo(folder);
        java.nio.file.Path map =
                new RawBlobFile().entry(map(List.of("a", "bb"), blob, blob)).writeTo(folder);

        assertThat(reads(ARRAY).option("blob-as-descriptor", true).read(array)).hasSize(1);
        assertThat(fileIO.bytesRead(".blob")).isLessThan(100);
        fileIO.reset();
        assertThat(reads(MAP).option("blob-as-descriptor", true).read(map)).hasSize(1);
        assertThat(fileIO.bytesRead(".blob")).isLessThan(100);
    }

    /** Engines ask for bytes, and get those of the descriptor if descriptors are wanted. */
    @Test
    void elementsAlsoComeAsBytes() throws IOException {
        byte[] blob = {1, 2, 3};
        java.nio.file.Path array = new RawBlobFile().entry(array(blob, null)).writeTo(folder);
        java.nio.file.Path map = new RawBlobFile().entry(map(List.of("k"), blob)).writeTo(folder);

        InternalArray inline = (InternalArray) reads(ARRAY).read(array).get(0).value();
        assertThat(inline.getBinary(0)).isEqualTo(blob);
        assertThat(inline.isNullAt(1)).isTrue();
        InternalMap inlineMap = (InternalMap) reads(MAP).read(map).get(0).value();
        assertThat(inlineMap.valueArray().getBinary(0)).isEqualTo(blob);

        BlobFormatReads descriptors = reads(ARRAY).option("blob-as-descriptor", true);
        InternalArray described = (InternalArray) descriptors.read(array).get(0).value();
        BlobDescriptor descriptor = BlobDescriptor.deserialize(described.getBinary(0));
        assertThat(descriptor).isEqualTo(described.getBlob(0).toDescriptor());
        assertThat(descriptor.length()).isEqualTo(3);
    }

    /** As an operator that keeps rows does. */
    @ParameterizedTest
    @MethodSource("goldenFiles")
    void valuesCanBeCopiedByTheHostsSerializers(GoldenFile golden) throws IOException {
        for (BlobFormatReads.Row row : reads(golden.dataType()).read(golden.path())) {
            if (row.value() != null) {
                Object copy = InternalSerializers.create(golden.dataType()).copy(row.value());
                assertThat(plain(golden.dataType(), copy))
                        .usingRecursiveComparison()
                        .isEqualTo(plain(golden.dataType(), row.value()));
            }
        }
    }

    @Test
    void equalValuesAreEqual() throws IOException {
        byte[] bytes = map(List.of("a", "b"), new byte[1], new byte[2]);
        java.nio.file.Path file = new RawBlobFile().entry(bytes).entry(bytes).writeTo(folder);
        List<BlobFormatReads.Row> rows = reads(MAP).read(file);

        assertThat(rows.get(0).value()).isEqualTo(rows.get(1).value());
        assertThat(rows.get(0).value()).hasSameHashCodeAs(rows.get(1).value());
        assertThat(((InternalMap) rows.get(0).value()).size()).isEqualTo(2);
    }

    /** As in Paimon 2.0. */
    @Test
    void theLastOneWinsWhereAKeyComesTwice() throws IOException {
        java.nio.file.Path file =
                new RawBlobFile()
                        .entry(map(List.of("a", "b", "a"), new byte[1], new byte[2], new byte[3]))
                        .writeTo(folder);
        InternalMap map = (InternalMap) reads(MAP).read(file).get(0).value();

        assertThat(map.size()).isEqualTo(2);
        assertThat(map.keyArray().getString(0)).isEqualTo(BinaryString.fromString("a"));
        assertThat(map.valueArray().getBlob(0).toData()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPayloadOfAnotherKindIsReported(boolean descriptors) {
        assertCorrupt(ARRAY, descriptors, map(List.of())).hasMessageContaining("magic 1094861634");
        assertCorrupt(MAP, descriptors, array(new byte[9])).hasMessageContaining("magic");
        assertCorrupt(MAP, descriptors, new byte[17]).hasMessageContaining("magic");
        assertCorrupt(ARRAY, descriptors, new byte[12])
                .hasMessageContaining("at least 13 bytes, found 12");
        assertCorrupt(MAP, descriptors, new byte[0])
                .hasMessageContaining("at least 17 bytes, found 0");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aVersionThatDoesNotExistIsReported(boolean descriptors) {
        byte[] payload = array(new byte[3]);
        payload[4] = 0;
        assertCorrupt(ARRAY, descriptors, payload)
                .hasMessageContaining("version 1 of an array, found 0");
    }

    /** R22 */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aVersionThatIsTooNewIsNotTakenForDamage(boolean descriptors) {
        byte[] payload = array(new byte[3]);
        payload[4] = 2;
        java.nio.file.Path file = new RawBlobFile().entry(payload).writeTo(folder);
        assertThatThrownBy(() -> reads(ARRAY).option("blob-as-descriptor", descriptors).read(file))
                .isInstanceOf(NewerBlobFileException.class)
                .hasMessageContaining(file.getFileName().toString())
                .hasMessageContaining(
                        "expected version 1 of an array at byte 4 of the payload of the entry at"
                                + " position 0, found 2");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 2, 3, 100, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void aWrongCountIsReported(int count) {
        for (boolean descriptors : new boolean[] {false, true}) {
            byte[] payload = array(new byte[3]);
            intAt(payload, 5, count);
            assertCorrupt(ARRAY, descriptors, payload).hasMessageContaining("" + count);
            payload = map(List.of("k"), new byte[3]);
            intAt(payload, 5, count);
            assertCorrupt(MAP, descriptors, payload).hasMessageContaining("" + count);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 2, 3, 100, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void aWrongLengthOfALengthListIsReported(int length) {
        for (boolean descriptors : new boolean[] {false, true}) {
            byte[] payload = array(new byte[3]);
            intAt(payload, payload.length - 4, length);
            assertCorrupt(ARRAY, descriptors, payload);
            payload = map(List.of("k"), new byte[3]);
            intAt(payload, payload.length - 4, length);
            assertCorrupt(MAP, descriptors, payload);
            payload = map(List.of("k"), new byte[3]);
            intAt(payload, payload.length - 8, length);
            assertCorrupt(MAP, descriptors, payload);
        }
    }

    @ParameterizedTest
    @ValueSource(
            longs = {-2, 2, 4, 1 << 20, Integer.MAX_VALUE + 1L, Long.MAX_VALUE, Long.MIN_VALUE})
    void aWrongLengthOfAnElementIsReported(long length) {
        for (boolean descriptors : new boolean[] {false, true}) {
            assertCorrupt(ARRAY, descriptors, arrayOf(new byte[3], length));
            assertCorrupt(MAP, descriptors, mapOf(new byte[4], new long[] {1}, length));
            assertCorrupt(MAP, descriptors, mapOf(new byte[4], new long[] {length}, 3));
        }
    }

    @Test
    void lengthsWhoseSumOverflowsAreReported() {
        assertCorrupt(ARRAY, false, arrayOf(new byte[3], Long.MAX_VALUE, Long.MAX_VALUE, 5));
    }

    @Test
    void aKeyOfTheWrongWidthIsReported() {
        assertCorrupt(INT_MAP, false, mapOf(new byte[6], new long[] {3}, 3))
                .hasMessageContaining("key 0 of a map has 3 bytes, expected 4");
    }

    @Test
    void aListThatCannotBeDecodedIsReported() {
        byte[] payload = arrayOf(new byte[3], 3);
        payload[payload.length - 5] = (byte) 0x80;
        assertCorrupt(ARRAY, false, payload).hasMessageContaining("cannot be decoded");
    }

    /** Cut in the index of the file, so that everything outside the payload is sound. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPayloadCutAtAnyByteIsNeverRead(boolean descriptors) {
        byte[] array = array(new byte[] {1}, null, new byte[] {2, 3});
        for (int length = 0; length < array.length; length++) {
            assertCorrupt(ARRAY, descriptors, Arrays.copyOf(array, length));
        }
        byte[] map = map(Arrays.asList("a", null, "bc"), new byte[] {1}, null, new byte[] {2, 3});
        for (int length = 0; length < map.length; length++) {
            assertCorrupt(MAP, descriptors, Arrays.copyOf(map, length));
        }
    }

    /** F7 */
    @Test
    void keysOfOtherTypesAreRefused() {
        for (DataType key :
                List.of(DataTypes.DOUBLE(), DataTypes.TIMESTAMP(3), DataTypes.ROW(ARRAY))) {
            DataType type = DataTypes.MAP(key, DataTypes.BLOB());
            assertThatThrownBy(() -> BlobColumnType.of(type))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("keys of the types BOOLEAN, TINYINT")
                    .hasMessageContaining("found " + key);
            assertThatThrownBy(() -> BlobColumnType.of("db.t", new DataField(7, "docs", type)))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("Column docs of table db.t is a " + type)
                    .hasMessageContaining("found " + key)
                    .hasMessageContaining("Leave the column out");
        }
        assertThatThrownBy(() -> BlobColumnType.of(DataTypes.ARRAY(DataTypes.INT())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ARRAY<INT>");
    }

    /** F7: bytes that no writer makes of a key are damage. */
    @Test
    void bytesThatAreNotAKeyAreReported() {
        byte[] ninetyNine = new byte[8];
        ninetyNine[7] = 0x7F;
        for (boolean descriptors : new boolean[] {false, true}) {
            assertCorrupt(
                            DataTypes.MAP(DataTypes.BOOLEAN(), DataTypes.BLOB()),
                            descriptors,
                            mapOf(new byte[] {1, 2}, new long[] {1, 1}, 0, 0))
                    .hasMessageContaining("the 1 bytes of key 1 of a map are not a valid BOOLEAN");
            assertCorrupt(
                            DataTypes.MAP(DataTypes.DATE(), DataTypes.BLOB()),
                            descriptors,
                            mapOf(new byte[3], new long[] {3}, 0))
                    .hasMessageContaining("key 0 of a map has 3 bytes, expected 4");
            assertCorrupt(
                            DataTypes.MAP(DataTypes.DECIMAL(18, 2), DataTypes.BLOB()),
                            descriptors,
                            mapOf(ninetyNine, new long[] {8}, 0))
                    .hasMessageContaining(
                            "the 8 bytes of key 0 of a map are not a valid DECIMAL(18, 2)");
            assertCorrupt(
                            DataTypes.MAP(DataTypes.DECIMAL(19, 2), DataTypes.BLOB()),
                            descriptors,
                            mapOf(new byte[0], new long[] {0}, 0))
                    .hasMessageContaining(
                            "the 0 bytes of key 0 of a map are not a valid DECIMAL(19, 2)");
        }
    }

    /** F7: equal bytes are one key, although two arrays are not equal in Java. */
    @Test
    void theLastOneWinsWhereTheBytesOfAKeyComeTwice() throws IOException {
        java.nio.file.Path file =
                new RawBlobFile()
                        .entry(mapOf(new byte[] {5, 6, 5, 6, 1, 2, 2}, new long[] {2, 2}, 1, 2))
                        .writeTo(folder);
        InternalMap map =
                (InternalMap)
                        reads(DataTypes.MAP(DataTypes.BYTES(), DataTypes.BLOB()))
                                .read(file)
                                .get(0)
                                .value();

        assertThat(map.size()).isEqualTo(1);
        assertThat(map.keyArray().getBinary(0)).isEqualTo(new byte[] {5, 6});
        assertThat(map.valueArray().getBlob(0).toData()).isEqualTo(new byte[] {2, 2});
    }

    /** F7: a read returns only one of the two, so a check must report it. */
    @Test
    void aCheckReportsDuplicateKeysAndPayloadsThatAreNotSound() throws IOException {
        byte[] one = {1};
        RawBlobFile file =
                new RawBlobFile()
                        .entry(map(List.of("a", "b"), one, one))
                        .entry(map(List.of("a", "b", "a"), one, one, one))
                        .entry(map(Arrays.asList(null, "a", null), one, one, one))
                        .entry(array(one));

        assertThat(faults(MAP, file))
                .satisfiesExactly(
                        fault ->
                                assertThat(fault)
                                        .contains("in the entry at position 41, key 2 of a map is")
                                        .contains("the same as key 0, so a read shows only"),
                        fault ->
                                assertThat(fault)
                                        .contains("in the entry at position ")
                                        .contains("key 2 of a map is the same as key 0"),
                        fault -> assertThat(fault).contains("a map takes at least 17 bytes"));
    }

    /** The same for payloads that a check does not hold in memory. */
    @Test
    void aCheckReportsDuplicateKeysInALongMap() throws IOException {
        byte[] five = new byte[5 << 20];
        RawBlobFile file = new RawBlobFile().entry(map(List.of("a", "a"), five, new byte[1]));

        assertThat(faults(MAP, file))
                .singleElement()
                .asString()
                .contains("in the entry at position 0, key 1 of a map is the same as key 0");
    }

    private List<String> faults(DataType type, RawBlobFile raw) throws IOException {
        java.nio.file.Path path = raw.writeTo(folder);
        List<String> faults = new ArrayList<>();
        try (BlobFileInput input =
                new BlobFileInput(fileIO, new Path(path.toUri()), Files.size(path))) {
            new BlobFileCheck(
                            input,
                            BlobIndex.read(input),
                            BlobColumnType.of(type),
                            fault -> faults.add(fault.getMessage()))
                    .run();
        }
        return faults;
    }

    private AbstractThrowableAssert<?, ?> assertCorrupt(
            DataType type, boolean descriptors, byte[] payload) {
        java.nio.file.Path file = new RawBlobFile().entry(payload).writeTo(folder);
        try {
            return assertThatThrownBy(
                            () -> reads(type).option("blob-as-descriptor", descriptors).read(file))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Corrupt blob file")
                    .hasMessageContaining(file.getFileName().toString())
                    .hasMessageContaining("entry at position 0");
        } finally {
            fileIO.assertNothingOpen();
        }
    }

    private BlobFormatReads reads(DataType type) {
        return new BlobFormatReads(fileIO)
                .type(type)
                .option(BlobFallbackOptions.EMIT_PLACEHOLDER_SENTINEL.key(), true)
                .option(BlobFallbackOptions.VERIFY_CHECKSUM.key(), true);
    }

    private static void assertValue(GoldenFile golden, Object expected, Object value) {
        if (expected == GoldenFile.PLACEHOLDER) {
            assertThat(blobs(value)).containsExactly(BlobPlaceholder.INSTANCE);
        } else {
            assertThat(plain(golden.dataType(), value))
                    .usingRecursiveComparison()
                    .isEqualTo(expected);
        }
    }

    private static List<Blob> blobs(Object value) {
        List<Blob> blobs = new ArrayList<>();
        if (value != null) {
            InternalArray array =
                    value instanceof InternalMap map ? map.valueArray() : (InternalArray) value;
            for (int i = 0; i < array.size(); i++) {
                if (!array.isNullAt(i)) {
                    blobs.add(array.getBlob(i));
                }
            }
        }
        return blobs;
    }

    /** Lists and maps of byte arrays, as golden files have them. */
    private static Object plain(DataType type, Object value) {
        if (value instanceof InternalMap map) {
            DataType keyType = ((MapType) type).getKeyType();
            InternalArray.ElementGetter keys = InternalArray.createElementGetter(keyType);
            Map<Object, Object> plain = new LinkedHashMap<>();
            for (int i = 0; i < map.size(); i++) {
                Object key = keys.getElementOrNull(map.keyArray(), i);
                plain.put(plainKey(key), element(map.valueArray(), i));
            }
            return plain;
        }
        if (value instanceof InternalArray array) {
            List<Object> plain = new ArrayList<>();
            for (int i = 0; i < array.size(); i++) {
                plain.add(element(array, i));
            }
            return plain;
        }
        return value;
    }

    private static Object plainKey(Object key) {
        if (key instanceof byte[] bytes) {
            return ByteBuffer.wrap(bytes);
        }
        return key instanceof BinaryString ? key.toString() : key;
    }

    private static Object element(InternalArray array, int position) {
        return array.isNullAt(position) ? null : array.getBlob(position).toData();
    }

    private static byte[] array(byte[]... elements) {
        return arrayOf(concat(elements), lengths(elements));
    }

    private static byte[] arrayOf(byte[] data, long... lengths) {
        byte[] index = DeltaVarintCompressor.compress(lengths);
        return ByteBuffer.allocate(9 + data.length + index.length + 4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(CollectionLayout.ARRAY_MAGIC)
                .put(CollectionLayout.VERSION)
                .putInt(lengths.length)
                .put(data)
                .put(index)
                .putInt(index.length)
                .array();
    }

    private static byte[] map(List<String> keys, byte[]... values) {
        byte[][] keyBytes =
                keys.stream()
                        .map(key -> key == null ? null : key.getBytes(StandardCharsets.UTF_8))
                        .toArray(byte[][]::new);
        byte[] keyData = concat(keyBytes);
        byte[] valueData = concat(values);
        byte[] data = Arrays.copyOf(keyData, keyData.length + valueData.length);
        System.arraycopy(valueData, 0, data, keyData.length, valueData.length);
        return mapOf(data, lengths(keyBytes), lengths(values));
    }

    private static byte[] mapOf(byte[] data, long[] keyLengths, long... valueLengths) {
        byte[] keys = DeltaVarintCompressor.compress(keyLengths);
        byte[] values = DeltaVarintCompressor.compress(valueLengths);
        return ByteBuffer.allocate(9 + data.length + keys.length + values.length + 8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(CollectionLayout.MAP_MAGIC)
                .put(CollectionLayout.VERSION)
                .putInt(keyLengths.length)
                .put(data)
                .put(keys)
                .put(values)
                .putInt(keys.length)
                .putInt(values.length)
                .array();
    }

    private static long[] lengths(byte[]... parts) {
        return Arrays.stream(parts).mapToLong(part -> part == null ? -1 : part.length).toArray();
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            if (part != null) {
                bytes.writeBytes(part);
            }
        }
        return bytes.toByteArray();
    }

    private static void intAt(byte[] bytes, int position, int value) {
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(position, value);
    }
}
