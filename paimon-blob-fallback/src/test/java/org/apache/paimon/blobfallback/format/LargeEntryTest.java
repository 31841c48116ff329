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

package org.apache.paimon.blobfallback.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.paimon.blobfallback.BlobFallbackOptions;
import org.apache.paimon.data.Blob;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.options.MemorySize;
import org.apache.paimon.options.Options;
import org.apache.paimon.utils.DeltaVarintCompressor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R14: an entry that no array holds comes as a blob that streams. The file is sparse. */
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
            BlobValues values =
                    new BlobValues(
                            RawBlobCodec.INSTANCE,
                            asDescriptor,
                            new BlobEntryReader(
                                    new BlobReadOptions(new Options()), new OpenBlobFiles()));
            BlobEntry[] entries = entries(file, index);
            values.reset(entries, 3);

            assertThat(((Blob) values.value(0)).toData()).containsExactly(1);
            Blob large = (Blob) values.value(1);
            assertThat(((Blob) values.value(2)).toData()).containsExactly(3);

            assertThat(large.toDescriptor().length()).isEqualTo(LARGE);
            try (SeekableInputStream in = large.newInputStream()) {
                in.seek(LARGE - 2);
                assertThat(in.read()).isEqualTo(0);
                assertThat(in.read()).isEqualTo(42);
                assertThat(in.read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void anEntryLargerThanTheBufferIsReadAlone() throws Exception {
        Path path = writeSmallLargeSmall();
        Options options = new Options();
        options.set(BlobFallbackOptions.READ_BUFFER_SIZE, new MemorySize(4));

        try (BlobFileInput file = new BlobFileInput(LocalFileIO.create(), path, length(path))) {
            BlobEntry[] entries = entries(file, BlobIndex.read(file, 3));
            entries[1] = null;
            BlobValues values =
                    new BlobValues(
                            RawBlobCodec.INSTANCE,
                            false,
                            new BlobEntryReader(new BlobReadOptions(options), new OpenBlobFiles()));
            values.reset(entries, 3);

            assertThat(((Blob) values.value(0)).toData()).containsExactly(1);
            assertThat(values.value(1)).isNull();
            assertThat(((Blob) values.value(2)).toData()).containsExactly(3);
        }
    }

    private static BlobEntry[] entries(BlobFileInput file, BlobIndex index) {
        BlobEntry[] entries = new BlobEntry[index.entryCount()];
        BlobIndex.Cursor cursor = index.cursor();
        for (int i = 0; i < entries.length; i++) {
            long length = cursor.next();
            entries[i] = new BlobEntry(file, cursor.offset(), length);
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
        out.write(BlobFileLayout.ENTRY_MAGIC_BYTES);
        out.seek(out.getFilePointer() + length - 1);
        out.write(lastByte);
        out.write(littleEndian(8).putLong(length + BlobFileLayout.ENTRY_OVERHEAD).array());
        out.write(littleEndian(4).putInt(0).array());
    }

    private static ByteBuffer littleEndian(int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
