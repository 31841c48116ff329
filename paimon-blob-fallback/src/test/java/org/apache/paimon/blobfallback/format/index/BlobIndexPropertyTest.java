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
import java.nio.file.Files;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.file.RawBlobFile;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.utils.DeltaVarintCompressor;

/** An index says what the host decodes from the same bytes, or is refused (R13). */
class BlobIndexPropertyTest {

    private java.nio.file.Path file;

    @BeforeProperty
    void createFile() throws IOException {
        file = Files.createTempFile("index", ".blob");
    }

    @AfterProperty
    void deleteFile() throws IOException {
        Files.delete(file);
    }

    @Provide
    Arbitrary<List<Long>> lengths() {
        return Arbitraries.oneOf(Arbitraries.of(-2L, -1L), Arbitraries.longs().between(16, 300))
                .list()
                .ofMaxSize(60);
    }

    @Property(tries = 300)
    void anyLengthsAreReadAsTheyWereWritten(@ForAll("lengths") List<Long> lengths)
            throws IOException {
        RawBlobFile raw = new RawBlobFile();
        for (long length : lengths) {
            if (length < 0) {
                raw.length(length);
            } else {
                raw.entry(new byte[(int) length - BlobFileLayout.ENTRY_OVERHEAD]);
            }
        }
        BlobIndex index = read(raw.toBytes(), lengths.size());

        BlobIndex.Cursor cursor = index.cursor();
        long offset = 0;
        for (long length : lengths) {
            assertThat(cursor.next()).isEqualTo(length);
            assertThat(cursor.offset()).isEqualTo(offset);
            offset += Math.max(0, length);
        }
        assertThat(index.nullCount()).isEqualTo(lengths.stream().filter(l -> l == -1).count());
        assertThat(index.placeholderCount())
                .isEqualTo(lengths.stream().filter(l -> l == -2).count());
    }

    @Property(tries = 300)
    void anyEntryIsFoundFromAnyOther(
            @ForAll("lengths") List<Long> lengths, @ForAll @Size(8) List<Integer> steps)
            throws IOException {
        if (lengths.isEmpty()) {
            return;
        }
        RawBlobFile raw = new RawBlobFile();
        lengths.forEach(l -> raw.length(l < 0 ? l : -1));
        BlobIndex.Cursor cursor = read(raw.toBytes(), lengths.size()).cursor();
        for (int step : steps) {
            int entry = Math.floorMod(step, lengths.size());
            cursor.seek(entry);
            assertThat(cursor.next()).isEqualTo(lengths.get(entry) == -2 ? -2 : -1);
            assertThat(cursor.nextEntry()).isEqualTo(entry + 1);
        }
    }

    @Property(tries = 1000)
    void anyBytesAreRefusedOrMeanWhatTheHostDecodes(
            @ForAll @Size(max = 12) byte[] index, @ForAll boolean withData) throws IOException {
        RawBlobFile raw = new RawBlobFile().withIndex(index);
        if (withData) {
            raw.bytes(new byte[17]);
        }
        long[] expected;
        try {
            expected = DeltaVarintCompressor.decompress(index);
        } catch (RuntimeException e) {
            expected = null;
        }
        BlobIndex found;
        try {
            found = read(raw.toBytes(), -1);
        } catch (IOException e) {
            assertThat(e).hasMessageContaining(file.getFileName().toString());
            return;
        }
        assertThat(expected).isNotNull().hasSize(found.entryCount());
        BlobIndex.Cursor cursor = found.cursor();
        long total = 0;
        for (long length : expected) {
            assertThat(cursor.next()).isEqualTo(length);
            total += Math.max(0, length);
        }
        assertThat(total).isEqualTo(withData ? 17 : 0);
    }

    private BlobIndex read(byte[] bytes, long rowCount) throws IOException {
        Files.write(file, bytes);
        try (BlobFileInput input =
                new BlobFileInput(LocalFileIO.create(), new Path(file.toUri()), bytes.length)) {
            return rowCount < 0 ? BlobIndex.read(input) : BlobIndex.read(input, rowCount);
        }
    }
}
