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

package org.apache.paimon.blobfallback.format.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import java.io.EOFException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.BlobPlaceholder;
import org.apache.paimon.blobfallback.format.index.BlobIndexEncoder;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.BlobConsumer;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericArray;
import org.apache.paimon.data.GenericMap;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.format.blob.BlobFormatWriter;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.DeltaVarintCompressor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Holds the format rules F2, F3 and F6 on the writer's side. */
class BlobFileWriterTest {

    private static final RowType BLOB = RowType.of(new DataType[] {DataTypes.BLOB()}, name("pic"));

    @TempDir java.nio.file.Path folder;

    @Test
    void withoutPlaceholdersTheBytesAreThoseOfTheHostsOwnWriter() throws IOException {
        Random random = new Random(1);
        List<Blob> values = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            byte[] bytes = new byte[random.nextInt(3000)];
            random.nextBytes(bytes);
            values.add(i % 7 == 0 ? null : Blob.fromData(i % 5 == 0 ? new byte[0] : bytes));
        }

        java.nio.file.Path expected = folder.resolve("host.blob");
        try (PositionOutputStream out = open(expected);
                BlobFormatWriter writer = new BlobFormatWriter(out, null, BLOB)) {
            for (Blob value : values) {
                writer.addElement(GenericRow.of(value));
            }
        }

        assertThat(write(values)).isEqualTo(Files.readAllBytes(expected));
    }

    /** F2: a placeholder is a length in the index and nothing else. */
    @Test
    void aPlaceholderLeavesNoByteInTheDataAreaAndItsLengthInTheIndex() throws IOException {
        Blob value = Blob.fromData("abc".getBytes(StandardCharsets.UTF_8));
        byte[] with =
                write(
                        Arrays.asList(
                                BlobPlaceholder.INSTANCE, value, BlobPlaceholder.INSTANCE, null));
        byte[] without = write(Collections.singletonList(value));

        int entry = BlobFileLayout.ENTRY_OVERHEAD + 3;
        assertThat(Arrays.copyOf(with, entry)).isEqualTo(Arrays.copyOf(without, entry));
        byte[] index =
                DeltaVarintCompressor.compress(
                        new long[] {
                            BlobFileLayout.PLACEHOLDER_LENGTH,
                            entry,
                            BlobFileLayout.PLACEHOLDER_LENGTH,
                            BlobFileLayout.NULL_LENGTH
                        });
        assertThat(Arrays.copyOfRange(with, entry, entry + index.length)).isEqualTo(index);
        assertThat(with).hasSize(entry + index.length + BlobFileLayout.FOOTER_LENGTH);
    }

    /** F2: the encoder gives the host's bytes for any lengths in any order. */
    @Test
    void theIndexIsEncodedAsTheHostEncodesItAtOnce() {
        Random random = new Random(2);
        long[] lengths = new long[20_000];
        BlobIndexEncoder encoder = new BlobIndexEncoder();
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = random.nextBoolean() ? -2 : random.nextLong() >> random.nextInt(64);
            encoder.add(lengths[i]);
        }
        assertThat(encoder.toByteArray()).isEqualTo(DeltaVarintCompressor.compress(lengths));
    }

    /** F3: the nine bytes are a user's like any others unless the internal option is set. */
    @Test
    void aUsersBlobOfTheSentinelsBytesStaysWhatItIs() throws IOException {
        List<Blob> values =
                Collections.singletonList(Blob.fromData(BlobPlaceholder.INSTANCE.toData()));

        byte[] asData = write(values);
        byte[] asPlaceholder = write(BLOB, values, null, true);

        assertThat(asData).contains(BlobPlaceholder.INSTANCE.toData());
        assertThat(asPlaceholder)
                .isEqualTo(write(Collections.singletonList(BlobPlaceholder.INSTANCE)));
    }

    /** F6: the consumer is called for data and null, in order and with the place of the payload. */
    @Test
    void theConsumerIsCalledForDataAndNullButNotForPlaceholders() throws IOException {
        List<BlobDescriptor> seen = new ArrayList<>();
        BlobConsumer consumer =
                (column, descriptor) -> {
                    assertThat(column).isEqualTo("pic");
                    seen.add(descriptor);
                    return true;
                };
        byte[] file =
                write(
                        BLOB,
                        Arrays.asList(
                                BlobPlaceholder.INSTANCE,
                                Blob.fromData(new byte[] {1, 2}),
                                null,
                                BlobPlaceholder.INSTANCE,
                                Blob.fromData(new byte[] {3})),
                        consumer,
                        false);

        String path = "file:/the.blob";
        assertThat(seen)
                .containsExactly(
                        new BlobDescriptor(path, 4, 2), null, new BlobDescriptor(path, 22, 1));
        assertThat(file[4]).isEqualTo((byte) 1);
        assertThat(file[22]).isEqualTo((byte) 3);
    }

    @Test
    void aBlobThatEndsBeforeItsPromisedLengthFailsTheWriter() throws IOException {
        java.nio.file.Path source = folder.resolve("short");
        Files.write(source, new byte[10]);
        Blob blob = Blob.fromFile(LocalFileIO.create(), source.toString(), 2, 9);

        assertThatThrownBy(() -> write(Collections.singletonList(blob)))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("short")
                .hasMessageContaining("expected 9 bytes, found 8");
    }

    @Test
    @Timeout(60)
    void aBlobWhoseStreamReturnsNoBytesFailsTheWriter() throws IOException {
        // A stream that neither ends nor returns anything, as no real one does.
        SeekableInputStream stream = mock(SeekableInputStream.class);

        assertThatThrownBy(
                        () -> write(Collections.singletonList(Blob.fromInputStream(() -> stream))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("returned 0 bytes at position 0");
        verify(stream).close();
    }

    @Test
    void blobsAreStreamedInPieces() throws IOException {
        long length = 128L << 20;
        java.nio.file.Path target = folder.resolve("large.blob");
        long before = usedMemory();
        try (PositionOutputStream out = open(target);
                BlobFileWriter writer = new BlobFileWriter(out, BLOB, null, false)) {
            writer.addElement(GenericRow.of(Blob.fromInputStream(() -> new Zeros(length))));
            assertThat(usedMemory() - before).isLessThan(length / 2);
        }
        assertThat(Files.size(target)).isGreaterThan(length);
    }

    @Test
    void aPlaceholderAmongTheElementsOfAnArrayIsRefused() {
        RowType type = RowType.of(new DataType[] {DataTypes.ARRAY(DataTypes.BLOB())}, name("pics"));
        Object[] elements = {Blob.fromData(new byte[1]), BlobPlaceholder.INSTANCE};

        assertThatThrownBy(
                        () -> {
                            try (PositionOutputStream out = open(folder.resolve("array.blob"))) {
                                new BlobFileWriter(out, type, null, false)
                                        .addElement(GenericRow.of(new GenericArray(elements)));
                            }
                        })
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Element 1 of 2 is a placeholder");
    }

    @Test
    void aColumnThatNoBlobFileHoldsIsRefused() throws IOException {
        RowType type = RowType.of(new DataType[] {DataTypes.INT()}, name("i"));
        try (PositionOutputStream out = open(folder.resolve("int.blob"))) {
            assertThatThrownBy(() -> new BlobFileWriter(out, type, null, false))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("INT");
        }
    }

    /** F7: a map of the host holds arrays of equal bytes as two keys. */
    @Test
    void aMapWithAKeyTwiceOrOneThatDoesNotFitIsRefused() throws IOException {
        DataType blob = DataTypes.BLOB();
        Map<Object, Object> twice = new LinkedHashMap<>();
        twice.put(new byte[] {7}, Blob.fromData(new byte[1]));
        twice.put(new byte[] {7}, Blob.fromData(new byte[2]));
        assertThatThrownBy(() -> writeMap(DataTypes.MAP(DataTypes.BYTES(), blob), twice))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Key 1 of a map of BYTES to blobs is the same as key 0.");
        Map<Object, Object> wide =
                Map.of(
                        Decimal.fromBigDecimal(new BigDecimal("1.234"), 18, 3),
                        Blob.fromData(new byte[1]));
        assertThatThrownBy(() -> writeMap(DataTypes.MAP(DataTypes.DECIMAL(18, 2), blob), wide))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("The key 1.234 of a map does not fit into DECIMAL(18, 2)");
    }

    private void writeMap(DataType type, Map<Object, Object> map) throws IOException {
        try (PositionOutputStream out = open(Files.createTempFile(folder, "map", ".blob"));
                BlobFileWriter writer =
                        new BlobFileWriter(
                                out, RowType.of(new DataType[] {type}, name("m")), null, false)) {
            writer.addElement(GenericRow.of(new GenericMap(map)));
        }
    }

    private byte[] write(List<Blob> values) throws IOException {
        return write(BLOB, values, null, false);
    }

    private byte[] write(
            RowType type, List<Blob> values, BlobConsumer consumer, boolean sentinelIsPlaceholder)
            throws IOException {
        java.nio.file.Path file = Files.createTempFile(folder, "written", ".blob");
        try (PositionOutputStream out = open(file);
                BlobFileWriter writer =
                        new BlobFileWriter(out, type, consumer, sentinelIsPlaceholder)) {
            writer.setFile(new Path("file:/the.blob"));
            assertThat(writer.deleteFileUponAbort()).isEqualTo(consumer == null);
            for (Blob value : values) {
                writer.addElement(GenericRow.of(value));
            }
        }
        return Files.readAllBytes(file);
    }

    private static PositionOutputStream open(java.nio.file.Path file) throws IOException {
        return LocalFileIO.create().newOutputStream(new Path(file.toUri()), true);
    }

    private static String[] name(String name) {
        return new String[] {name};
    }

    private static long usedMemory() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** A source that is longer than what the writer may hold. */
    private static final class Zeros extends SeekableInputStream {

        private final long length;
        private long position;

        private Zeros(long length) {
            this.length = length;
        }

        @Override
        public void seek(long desired) {
            position = desired;
        }

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public int read() {
            if (position == length) {
                return -1;
            }
            position++;
            return 0;
        }

        @Override
        public int read(byte[] b, int off, int len) {
            if (position == length) {
                return -1;
            }
            int read = (int) Math.min(len, length - position);
            position += read;
            return read;
        }

        @Override
        public void close() {}
    }
}
