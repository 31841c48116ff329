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

package org.apache.paimon.blobfallback.format.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.file.GoldenFile;
import org.apache.paimon.blobfallback.format.file.RawBlobFile;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.utils.DeltaVarintCompressor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The index of a sound blob file: what it says, and what reading it costs. */
class BlobIndexTest {

    private final CountingFileIO fileIO = CountingFileIO.vectored();

    @TempDir java.nio.file.Path folder;

    static List<GoldenFile> goldenFiles() {
        return GoldenFile.all();
    }

    @AfterEach
    void everyStreamIsClosed() {
        fileIO.assertNothingOpen();
    }

    @ParameterizedTest
    @MethodSource("goldenFiles")
    void theIndexOfAFileOfPaimon2IsWhatTheHostDecodes(GoldenFile golden) throws IOException {
        long[] lengths = hostLengths(golden.bytes());
        BlobIndex index = read(golden.path(), lengths.length);

        assertThat(index.entryCount()).isEqualTo(golden.entries().size());
        assertThat(index.placeholderCount())
                .isEqualTo(
                        golden.entries().stream()
                                .filter(entry -> entry == GoldenFile.PLACEHOLDER)
                                .count());
        assertThat(index.nullCount())
                .isEqualTo(golden.entries().stream().filter(entry -> entry == null).count());
        assertThat(index.dataCount())
                .isEqualTo(Arrays.stream(lengths).filter(length -> length >= 0).count());
        assertEntries(index, lengths);
    }

    @ParameterizedTest
    @MethodSource("goldenFiles")
    void theNumberOfEntriesNeedNotBeKnown(GoldenFile golden) throws IOException {
        try (BlobFileInput input = input(golden.path())) {
            assertEntries(BlobIndex.read(input), hostLengths(golden.bytes()));
        }
    }

    /** Around a checkpoint and around no entry at all. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4095, 4096, 4097, 8192, 10_000})
    void aCursorReachesEachEntryFromAnyOther(int count) throws IOException {
        long[] lengths = new Random(count).longs(count, -2, 9).toArray();
        RawBlobFile file = new RawBlobFile();
        for (int i = 0; i < count; i++) {
            if (lengths[i] < 0) {
                file.length(lengths[i]);
            } else {
                file.entry(new byte[(int) lengths[i]]);
                lengths[i] += BlobFileLayout.ENTRY_OVERHEAD;
            }
        }
        BlobIndex index = read(file.writeTo(folder), count);
        assertEntries(index, lengths);

        long[] offsets = offsets(lengths);
        BlobIndex.Cursor cursor = index.cursor();
        Random random = new Random(-count);
        for (int i = 0; i < 1000 && count > 0; i++) {
            int entry = random.nextInt(count);
            cursor.seek(entry);
            assertThat(cursor.nextEntry()).isEqualTo(entry);
            assertThat(cursor.next()).isEqualTo(lengths[entry]);
            assertThat(cursor.offset()).isEqualTo(offsets[entry]);
        }
        cursor.seek(count);
        assertThat(cursor.nextEntry()).isEqualTo(count);
    }

    @Test
    void repeatedLengthsAreSteppedOverTogether() throws IOException {
        RawBlobFile file = new RawBlobFile().length(-2).length(-2).length(-2);
        file.entry((byte) 1).entry((byte) 2).entry((byte) 3).length(-1);
        BlobIndex.Cursor cursor = read(file.writeTo(folder), 7).cursor();

        assertThat(cursor.next()).isEqualTo(BlobFileLayout.PLACEHOLDER_LENGTH);
        assertThat(cursor.skipRepeats(1)).isEqualTo(1);
        assertThat(cursor.skipRepeats(9)).isEqualTo(1);
        assertThat(cursor.offset()).isZero();
        assertThat(cursor.next()).isEqualTo(17);
        assertThat(cursor.skipRepeats(9)).isEqualTo(2);
        assertThat(cursor.offset()).isEqualTo(34);
        assertThat(cursor.nextEntry()).isEqualTo(6);
        assertThat(cursor.next()).isEqualTo(BlobFileLayout.NULL_LENGTH);
        assertThat(cursor.skipRepeats(9)).isZero();
    }

    @Test
    void anIndexOfAByteARowTakesOneRequestThatReadsLittleElse() throws IOException {
        RawBlobFile file = new RawBlobFile().entry(new byte[100_000]);
        for (int i = 1; i < 1000; i++) {
            file.length(-2);
        }
        read(file.writeTo(folder), 1000);

        assertThat(fileIO.operations()).hasSize(3); // open, read, close
        assertThat(fileIO.bytesRead(".blob")).isLessThan(1100);
    }

    @Test
    void anIndexThatIsLongerThanExpectedTakesASecondRequest() throws IOException {
        long[] lengths = new long[100];
        RawBlobFile file = new RawBlobFile();
        for (int i = 0; i < lengths.length; i++) {
            file.entry(new byte[i % 2 * 200]);
            lengths[i] = BlobFileLayout.ENTRY_OVERHEAD + i % 2 * 200;
        }
        assertEntries(read(file.writeTo(folder), lengths.length), lengths);
        assertThat(fileIO.operations()).hasSize(4);
    }

    private BlobIndex read(java.nio.file.Path file, long rowCount) throws IOException {
        try (BlobFileInput input = input(file)) {
            return BlobIndex.read(input, rowCount);
        }
    }

    private BlobFileInput input(java.nio.file.Path file) throws IOException {
        return new BlobFileInput(fileIO, new Path(file.toUri()), Files.size(file));
    }

    private static void assertEntries(BlobIndex index, long[] lengths) {
        assertThat(index.entryCount()).isEqualTo(lengths.length);
        BlobIndex.Cursor cursor = index.cursor();
        long[] offsets = offsets(lengths);
        for (int i = 0; i < lengths.length; i++) {
            assertThat(cursor.next()).isEqualTo(lengths[i]);
            assertThat(cursor.offset()).isEqualTo(offsets[i]);
        }
        assertThat(index.dataLength()).isEqualTo(offsets[lengths.length]);
    }

    private static long[] offsets(long[] lengths) {
        long[] offsets = new long[lengths.length + 1];
        for (int i = 0; i < lengths.length; i++) {
            offsets[i + 1] = offsets[i] + Math.max(0, lengths[i]);
        }
        return offsets;
    }

    private static long[] hostLengths(byte[] file) {
        int footer = file.length - BlobFileLayout.FOOTER_LENGTH;
        int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(footer);
        return DeltaVarintCompressor.decompress(Arrays.copyOfRange(file, footer - length, footer));
    }
}
