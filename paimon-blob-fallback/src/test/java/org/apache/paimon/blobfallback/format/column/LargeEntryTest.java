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

import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.entry.BlobEntries;
import org.apache.paimon.blobfallback.format.entry.BlobEntryReader;
import org.apache.paimon.blobfallback.format.index.BlobIndex;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.format.io.BlobReadOptions;
import org.apache.paimon.blobfallback.format.io.LongBlob;
import org.apache.paimon.blobfallback.format.io.ReadThreads;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.options.MemorySize;
import org.apache.paimon.options.Options;
import org.apache.paimon.utils.DeltaVarintCompressor;
import org.apache.paimon.utils.UriReader;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * R14: an entry that is too long for an array is returned as a blob that streams. The file is
 * sparse.
 */
class LargeEntryTest {

    private static final long LARGE = (3L << 30) + 7;

    @TempDir private java.nio.file.Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void threeGibibytesComeWholeInlineAndAsDescriptor(boolean asDescriptor) throws Exception {
        Path path = writeSmallLargeSmall();

        BlobFileInput file = new BlobFileInput(LocalFileIO.create(), path, length(path));
        try (file) {
            BlobIndex index = BlobIndex.read(file, 3);
            List<Object> values =
                    values(entries(file, index, 0, 1, 2), asDescriptor, new Options());

            assertThat(((Blob) values.get(0)).toData()).containsExactly(1);
            Blob large = (Blob) values.get(1);
            assertThat(((Blob) values.get(2)).toData()).containsExactly(3);

            assertThat(large.toDescriptor().length()).isEqualTo(LARGE);
            assertTooLong(large::toData);
            try (SeekableInputStream in = large.newInputStream()) {
                in.seek(LARGE - 2);
                assertThat(in.read()).isEqualTo(0);
                assertThat(in.read()).isEqualTo(42);
                assertThat(in.read()).isEqualTo(-1);
            }
        }
    }

    /** R14: the same for elements, which engines read as bytes. */
    @Test
    void anElementThatDoesNotFitIntoAnArrayIsReportedByRowAndColumn() {
        Blob large =
                new LongBlob(
                        UriReader.fromFile(LocalFileIO.create()),
                        new BlobDescriptor("file:/x.blob", 4, LARGE));
        BlobArray array = new BlobArray(new Object[] {Blob.fromData(new byte[1]), large}, false);
        BlobMap map = new BlobMap(new Object[] {1}, new Object[] {large}, false);

        BlobValues.locate(array, "column pics of table t", 7);
        assertTooLong(() -> array.getBinary(1)).hasMessageContaining("(row id 7, column pics of");
        BlobValues.locate(map, "column docs of table t", 8);
        assertTooLong(() -> map.valueArray().getBinary(0))
                .hasMessageContaining("(row id 8, column docs of table t)");
    }

    private static AbstractThrowableAssert<?, ?> assertTooLong(ThrowingCallable read) {
        return assertThatThrownBy(read)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("The blob of " + LARGE + " bytes at position ")
                .hasMessageContaining(".blob")
                .hasMessageContaining("Set the option 'blob-as-descriptor' = 'true'");
    }

    @Test
    void anEntryLargerThanTheBufferIsReadAlone() throws Exception {
        Path path = writeSmallLargeSmall();
        Options options = new Options();
        options.set(BlobFallbackOptions.READ_BUFFER_SIZE, new MemorySize(4));

        try (BlobFileInput file = new BlobFileInput(LocalFileIO.create(), path, length(path))) {
            BlobEntries entries = entries(file, BlobIndex.read(file, 3), 0, 2);
            List<Object> values = values(entries, false, options);

            assertThat(((Blob) values.get(0)).toData()).containsExactly(1);
            assertThat(values.get(1)).isNull();
            assertThat(((Blob) values.get(2)).toData()).containsExactly(3);
        }
    }

    private static List<Object> values(BlobEntries entries, boolean asDescriptor, Options options)
            throws Exception {
        BlobValues reader =
                new BlobValues(
                        RawColumn.INSTANCE,
                        BlobForm.of(asDescriptor),
                        new BlobEntryReader(
                                new BlobReadOptions(options), new ReadThreads(1), Long.MAX_VALUE));
        List<Object> values = new ArrayList<>();
        while (values.size() < entries.rowCount()) {
            values.addAll(Arrays.asList(reader.read(entries, values.size(), entries.rowCount())));
        }
        return values;
    }

    private static BlobEntries entries(BlobFileInput file, BlobIndex index, int... wanted) {
        BlobEntries entries = new BlobEntries(index.entryCount());
        int number = entries.addFile(file);
        BlobIndex.Cursor cursor = index.cursor();
        for (int row : wanted) {
            cursor.seek(row);
            long length = cursor.next();
            entries.set(row, number, cursor.offset(), length);
        }
        return entries;
    }

    private static long length(Path path) throws Exception {
        return LocalFileIO.create().getFileSize(path);
    }

    /** Entries of one byte, of {@link #LARGE} bytes that end in 42, and of one byte. */
    private Path writeSmallLargeSmall() throws Exception {
        java.nio.file.Path path = folder.resolve("large.blob");
        try (RandomAccessFile out = new RandomAccessFile(path.toFile(), "rw")) {
            writeEntry(out, 1, 1);
            writeEntry(out, LARGE, 42);
            writeEntry(out, 1, 3);
            byte[] index =
                    DeltaVarintCompressor.compress(
                            new long[] {17, LARGE + BlobFileLayout.ENTRY_OVERHEAD, 17});
            out.write(index);
            out.write(littleEndian(4).putInt(index.length).array());
            out.write(BlobFileLayout.VERSION);
        }
        return new Path(path.toUri());
    }

    private static void writeEntry(RandomAccessFile out, long length, int lastByte)
            throws Exception {
        out.write(littleEndian(4).putInt(BlobFileLayout.ENTRY_MAGIC).array());
        out.seek(out.getFilePointer() + length - 1);
        out.write(lastByte);
        out.write(littleEndian(8).putLong(length + BlobFileLayout.ENTRY_OVERHEAD).array());
        out.write(littleEndian(4).putInt(0).array());
    }

    private static ByteBuffer littleEndian(int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
