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
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.index.BlobIndex;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.format.io.NewerBlobFileException;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.blobfallback.testio.Allocation;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.fs.Path;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds R13: a contradictory file is an {@link IOException} that names it and the fault. */
class DamagedBlobFileTest {

    private final CountingFileIO fileIO = CountingFileIO.vectored();

    @TempDir java.nio.file.Path folder;

    static List<GoldenFile> smallFiles() {
        return GoldenFile.ofType("BLOB").stream()
                .filter(file -> file.bytes().length < 100)
                .toList();
    }

    @AfterEach
    void everyStreamIsClosed() {
        fileIO.assertNothingOpen();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, -128})
    void aVersionThatDoesNotExistIsReported(int version) {
        assertCorrupt(sound().withVersion(version))
                .hasMessageContaining("expected version 1")
                .hasMessageContaining("found " + version);
    }

    /** R22 */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 127})
    void aVersionThatIsTooNewIsNotTakenForDamage(int version) {
        java.nio.file.Path file = sound().withVersion(version).writeTo(folder);
        assertThatThrownBy(() -> verifying().read(file))
                .isInstanceOf(NewerBlobFileException.class)
                .hasMessageContaining("is newer than this plugin: expected version 1 of the file")
                .hasMessageContaining(
                        "position " + (file.toFile().length() - 1) + ", found " + version)
                .hasMessageContaining("A Paimon newer than 2.0 may have written it");
    }

    @ParameterizedTest
    @ValueSource(ints = {100_000, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
    void anIndexLongerThanTheFileIsReported(int length) {
        assertCorrupt(sound().withIndexLength(length)).hasMessageContaining("length " + length);
    }

    /** A length close to the true one shifts the start of the index. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 4, 5, 6, 7, 20})
    void anIndexLengthCloseToTheTrueOneIsReported(int length) {
        assertCorrupt(sound().withIndexLength(length));
    }

    @ParameterizedTest
    @ValueSource(longs = {-3, -4, Long.MIN_VALUE, 0, 15})
    void aLengthThatNoEntryCanHaveIsReported(long length) {
        assertCorrupt(sound().length(length))
                .hasMessageContaining("entry 3")
                .hasMessageContaining("length " + length);
    }

    @ParameterizedTest
    @ValueSource(longs = {16, 1 << 20, Integer.MAX_VALUE + 1L, Long.MAX_VALUE})
    void aLengthBeyondTheDataAreaIsReported(long length) {
        assertCorrupt(sound().length(length))
                .hasMessageContaining("entry 3 claims " + length + " bytes");
    }

    /** The sum of these lengths overflows a long and ends at the right number. */
    @Test
    void lengthsWhoseSumOverflowsAreReported() {
        assertCorrupt(sound().length(Long.MAX_VALUE).length(Long.MAX_VALUE).length(2));
    }

    @Test
    void lengthsThatDoNotAddUpToTheDataAreaAreReported() {
        assertCorrupt(sound().bytes((byte) 1, (byte) 2))
                .hasMessageContaining("add up to 37 bytes, expected the 39 bytes");
    }

    @Test
    void anIndexThatEndsInTheMiddleOfALengthIsReported() {
        assertCorrupt(new RawBlobFile().withIndex((byte) 0x80)).hasMessageContaining("middle");
        byte[] endless = new byte[40];
        Arrays.fill(endless, (byte) 0xFF);
        assertCorrupt(new RawBlobFile().withIndex(endless)).hasMessageContaining("10 bytes");
    }

    @Test
    void anotherNumberOfEntriesThanTheMetadataPromisesIsReported() throws IOException {
        java.nio.file.Path file = sound().writeTo(folder);
        for (long rowCount : new long[] {0, 1, 2, 4, 5, 100, Integer.MAX_VALUE, 1L << 40}) {
            assertThatThrownBy(
                            () -> {
                                try (BlobFileInput input = input(file)) {
                                    BlobIndex.read(input, rowCount);
                                }
                            })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(file.getFileName().toString())
                    .hasMessageContaining(Long.toString(rowCount));
        }
    }

    @Test
    void aWrongEntryMagicIsReported() {
        assertCorrupt(sound().withEntryMagic(7).entry((byte) 1))
                .hasMessageContaining("entry at position 37")
                .hasMessageContaining("expected the magic 1481511375, found 7");
    }

    @Test
    void anEntryThatContradictsTheLengthInTheIndexIsReported() {
        assertCorrupt(sound().withLengthError(-1).entry((byte) 1))
                .hasMessageContaining("entry at position 37")
                .hasMessageContaining("17 bytes")
                .hasMessageContaining("16");
    }

    @Test
    void aWrongChecksumIsReportedIfItIsChecked() throws IOException {
        RawBlobFile file = sound().withCrcError(1).entry((byte) 1);
        java.nio.file.Path path = file.writeTo(folder);

        assertThat(new BlobFormatReads(fileIO).read(path)).hasSize(4);
        assertThatThrownBy(() -> verifying().read(path))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(path.getFileName().toString())
                .hasMessageContaining("entry at position 37")
                .hasMessageContaining("CRC32");
    }

    /** The checksum is checked on long payloads too, which are read differently from short ones. */
    @ParameterizedTest
    @ValueSource(ints = {1, 1000, 1 << 14, 100_000, 3_000_000})
    void aFlippedBitInAPayloadIsReportedIfChecksumsAreChecked(int length) throws IOException {
        byte[] bytes = new RawBlobFile().entry(new byte[length]).toBytes();
        java.nio.file.Path path = folder.resolve("flipped.blob");
        Files.write(path, bytes);
        assertThat(verifying().read(path)).hasSize(1);

        bytes[BlobFileLayout.ENTRY_HEADER_LENGTH + length / 2] ^= 16;
        Files.write(path, bytes);
        assertThatThrownBy(() -> verifying().read(path))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("CRC32");
    }

    @Test
    void aSelectionBeyondTheEntriesIsReported() {
        java.nio.file.Path file = sound().writeTo(folder);
        assertThatThrownBy(() -> new BlobFormatReads(fileIO).select(0, 3).read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.getFileName().toString())
                .hasMessageContaining("position 3");
    }

    @Test
    void aFileThatDoesNotExistIsNamed() {
        java.nio.file.Path file = folder.resolve("gone.blob");
        assertThatThrownBy(() -> new BlobFormatReads(fileIO).read(file, 100))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("gone.blob");
    }

    /** The metadata knows the size that is left. */
    @ParameterizedTest
    @MethodSource("smallFiles")
    void aFileCutAtAnyByteIsNeverRead(GoldenFile golden) throws IOException {
        byte[] bytes = golden.bytes();
        java.nio.file.Path file = folder.resolve("cut.blob");
        for (int length = 0; length < bytes.length; length++) {
            Files.write(file, Arrays.copyOf(bytes, length));
            assertReadFails(file, length);
        }
    }

    /** The metadata knows the size that was written. */
    @ParameterizedTest
    @MethodSource("smallFiles")
    void aFileThatIsCutAtAnyByteWithoutItsMetadataIsNeverRead(GoldenFile golden)
            throws IOException {
        byte[] bytes = golden.bytes();
        java.nio.file.Path file = folder.resolve("cut.blob");
        for (int length = 0; length < bytes.length; length++) {
            Files.write(file, Arrays.copyOf(bytes, length));
            assertReadFails(file, bytes.length);
        }
    }

    /**
     * Neither the length of the index nor that of an entry is trusted before the bytes are there.
     */
    @Test
    void noLengthInTheFileOrItsMetadataDictatesWhatIsAllocated() throws IOException {
        java.nio.file.Path file = sound().withIndexLength(Integer.MAX_VALUE - 100).writeTo(folder);
        long allocated =
                Allocation.of(
                        () -> {
                            for (long size : new long[] {Integer.MAX_VALUE, 1L << 50}) {
                                assertReadFails(file, size);
                            }
                            try (BlobFileInput input =
                                    new BlobFileInput(
                                            fileIO, new Path(file.toUri()), Integer.MAX_VALUE)) {
                                assertThatThrownBy(
                                                () ->
                                                        BlobIndex.read(
                                                                input, Integer.MAX_VALUE - 200))
                                        .isInstanceOf(IOException.class);
                            }
                        });
        assertThat(allocated).isLessThan(64 << 20);
    }

    private void assertReadFails(java.nio.file.Path file, long fileSize) {
        assertThatThrownBy(() -> verifying().read(file, fileSize))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.getFileName().toString());
        fileIO.assertNothingOpen();
    }

    private AbstractThrowableAssert<?, ?> assertCorrupt(RawBlobFile raw) {
        java.nio.file.Path file = raw.writeTo(folder);
        return assertThatThrownBy(() -> verifying().read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Corrupt blob file")
                .hasMessageContaining(file.getFileName().toString());
    }

    private BlobFormatReads verifying() {
        return new BlobFormatReads(fileIO)
                .option(BlobFallbackOptions.VERIFY_CHECKSUM.key(), true)
                .option(BlobFallbackOptions.EMIT_PLACEHOLDER_SENTINEL.key(), true);
    }

    private BlobFileInput input(java.nio.file.Path file) throws IOException {
        return new BlobFileInput(fileIO, new Path(file.toUri()), Files.size(file));
    }

    /** Entries of 17 bytes, null and 20 bytes; an index of three bytes. */
    private static RawBlobFile sound() {
        return new RawBlobFile().entry((byte) 1).length(-1).entry(new byte[4]);
    }
}
