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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.IntStream;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.BlobPlaceholder;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.format.FileFormat;
import org.apache.paimon.format.FileFormatFactory;
import org.apache.paimon.format.FormatReaderContext;
import org.apache.paimon.fs.Path;
import org.apache.paimon.options.Options;
import org.apache.paimon.reader.FileRecordReader;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the format rules F1, F4 and F5 on the reader's side. */
class BlobFileReaderTest {

    private final CountingFileIO fileIO = CountingFileIO.vectored();

    @TempDir java.nio.file.Path folder;

    static List<GoldenFile> goldenFiles() {
        return GoldenFile.ofType("BLOB");
    }

    @AfterEach
    void everyStreamIsClosed() {
        fileIO.assertNothingOpen();
    }

    /** F1. */
    @Test
    void theFormatComesThroughTheServiceLoader() {
        assertThat(ServiceLoader.load(FileFormatFactory.class))
                .anySatisfy(
                        factory -> {
                            assertThat(factory).isInstanceOf(BlobFallbackFileFormatFactory.class);
                            assertThat(factory.identifier()).isEqualTo("blob");
                        });
        assertThat(FileFormat.fromIdentifier("blob", new Options()))
                .isInstanceOf(BlobFallbackFileFormat.class);
    }

    /** F4, F5: with the internal option each row is there, a placeholder by reference. */
    @ParameterizedTest
    @MethodSource("goldenFiles")
    void everyEntryOfAFileOfPaimon2IsHandedOutWithItsPosition(GoldenFile golden)
            throws IOException {
        List<BlobFormatReads.Row> rows = emitting().read(golden.path());

        assertThat(rows).hasSize(golden.entries().size());
        for (int i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i).position()).isEqualTo(i);
            assertRow(golden, rows.get(i));
        }
    }

    /** F5: a selection changes which rows are returned, not their positions. */
    @ParameterizedTest
    @MethodSource("goldenFiles")
    void selectedEntriesAreHandedOutWithTheirPositions(GoldenFile golden) throws IOException {
        int[] positions =
                IntStream.range(0, golden.entries().size()).filter(i -> i % 3 != 1).toArray();
        List<BlobFormatReads.Row> rows = emitting().select(positions).read(golden.path());

        assertThat(rows)
                .extracting(row -> (int) row.position())
                .containsExactly(IntStream.of(positions).boxed().toArray(Integer[]::new));
        rows.forEach(row -> assertRow(golden, row));
    }

    @ParameterizedTest
    @MethodSource("goldenFiles")
    void descriptorsNameFileOffsetAndLengthWithoutReadingAnEntry(GoldenFile golden)
            throws IOException {
        List<BlobFormatReads.Row> rows =
                emitting().option("blob-as-descriptor", true).read(golden.path());
        assertThat(fileIO.operations().size()).isLessThanOrEqualTo(4); // open, index, close

        byte[] bytes = golden.bytes();
        for (int i = 0; i < rows.size(); i++) {
            Object entry = golden.entries().get(i);
            if (entry instanceof byte[] blob) {
                BlobDescriptor descriptor = rows.get(i).descriptor();
                assertThat(descriptor.uri()).endsWith(golden.path().getFileName().toString());
                assertThat(descriptor.length()).isEqualTo(blob.length);
                int offset = (int) descriptor.offset();
                assertThat(bytes).satisfies(b -> assertRange(b, offset, blob));
                assertThat(rows.get(i).bytes()).isEqualTo(blob);
            } else {
                assertRow(golden, rows.get(i));
            }
        }
    }

    /** F4: by default a placeholder is an error that says what to do. */
    @Test
    void aPlaceholderFailsTheReaderByDefault() {
        java.nio.file.Path file = GoldenFile.named("blob-dp").path();

        assertThatThrownBy(() -> new BlobFormatReads(fileIO).read(file))
                .isInstanceOf(IOException.class)
                .hasMessageMatching("Entry 1 of blob file .*blob-dp\\.blob is a placeholder.*")
                .hasMessageContaining("'metastore' = 'blob-fallback'")
                .hasMessageContaining("'blob-fallback.enabled' = 'true'");
    }

    /** F4: a placeholder that is not selected does not matter. */
    @Test
    void aPlaceholderThatIsNotSelectedDoesNotFailTheReader() throws IOException {
        java.nio.file.Path file = GoldenFile.named("blob-dp").path();
        assertThat(new BlobFormatReads(fileIO).select(0).read(file)).hasSize(1);
    }

    /** F4: by reference and by value. */
    @Test
    void anEmittedPlaceholderIsTheSingletonWithTheSentinelsBytes() throws IOException {
        java.nio.file.Path file = GoldenFile.named("blob-p").path();
        Object value = emitting().read(file).get(0).value();

        assertThat(value).isSameAs(BlobPlaceholder.INSTANCE);
        assertThat(BlobPlaceholder.INSTANCE.toData())
                .isEqualTo("\u0001BLOBPLHD".getBytes(StandardCharsets.US_ASCII));
    }

    /** F3 on the way back: bytes that look like the sentinel's are data. */
    @Test
    void aUsersBlobOfTheSentinelsBytesIsData() throws IOException {
        java.nio.file.Path file = GoldenFile.named("blob-sentinel").path();
        List<BlobFormatReads.Row> rows = emitting().read(file);

        assertThat(rows.get(0).value()).isNotSameAs(BlobPlaceholder.INSTANCE);
        assertThat(rows.get(0).bytes()).isEqualTo(BlobPlaceholder.INSTANCE.toData());
        assertThat(rows.get(1).value()).isSameAs(BlobPlaceholder.INSTANCE);
    }

    @Test
    void theBlobsColumnMayStandAmongOthersThatAreThenNull() throws IOException {
        GoldenFile golden = GoldenFile.named("blob-d");
        RowType type =
                RowType.builder()
                        .field("a", DataTypes.INT())
                        .field("f", DataTypes.BLOB())
                        .field("b", DataTypes.STRING())
                        .build();
        try (FileRecordReader<InternalRow> reader =
                new BlobFallbackFileFormat(new Options())
                        .createReaderFactory(type, type, null)
                        .createReader(
                                new FormatReaderContext(
                                        fileIO,
                                        new Path(golden.path().toUri()),
                                        Files.size(golden.path())))) {
            InternalRow row = reader.readBatch().next();
            assertThat(row.isNullAt(0)).isTrue();
            assertThat(row.getBlob(1).toData()).isEqualTo((byte[]) golden.entries().get(0));
            assertThat(row.isNullAt(2)).isTrue();
        }
    }

    @Test
    void aProjectionWithoutABlobColumnIsRefused() {
        RowType type = RowType.builder().field("a", DataTypes.INT()).build();
        assertThatThrownBy(
                        () ->
                                new BlobFallbackFileFormat(new Options())
                                        .createReaderFactory(type, type, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("blob column");
    }

    /** More rows than a batch and more bytes than the buffer. */
    @Test
    void aLongFileComesInBatchesWithinTheBuffer() throws IOException {
        RawBlobFile raw = new RawBlobFile();
        for (int i = 0; i < 10_000; i++) {
            raw.entry((byte) i, (byte) (i >> 8));
        }
        long indexStart = 10_000L * (BlobFileLayout.ENTRY_OVERHEAD + 2);
        java.nio.file.Path file = raw.writeTo(folder);
        List<BlobFormatReads.Row> rows =
                new BlobFormatReads(fileIO)
                        .option(BlobFallbackOptions.READ_BUFFER_SIZE.key(), "1 kb")
                        .read(file);

        assertThat(rows).hasSize(10_000);
        for (int i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i).position()).isEqualTo(i);
            assertThat(rows.get(i).bytes()).containsExactly((byte) i, (byte) (i >> 8));
        }
        assertThat(fileIO.operations())
                .filteredOn(operation -> operation.position() < indexStart)
                .allSatisfy(operation -> assertThat(operation.length()).isLessThanOrEqualTo(1024));
    }

    private BlobFormatReads emitting() {
        return new BlobFormatReads(fileIO)
                .option(BlobFallbackOptions.EMIT_PLACEHOLDER_SENTINEL.key(), true)
                .option(BlobFallbackOptions.VERIFY_CHECKSUM.key(), true);
    }

    private static void assertRow(GoldenFile golden, BlobFormatReads.Row row) {
        Object entry = golden.entries().get((int) row.position());
        if (entry == GoldenFile.PLACEHOLDER) {
            assertThat(row.value()).isSameAs(BlobPlaceholder.INSTANCE);
        } else {
            assertThat(row.bytes()).isEqualTo((byte[]) entry);
        }
    }

    private static void assertRange(byte[] bytes, int offset, byte[] expected) {
        assertThat(Arrays.copyOfRange(bytes, offset, offset + expected.length)).isEqualTo(expected);
    }
}
