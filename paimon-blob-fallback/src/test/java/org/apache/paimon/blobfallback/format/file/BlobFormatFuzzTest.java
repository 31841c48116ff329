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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.paimon.blobfallback.format.BlobPlaceholder;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.blobfallback.testio.Allocation;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.blobfallback.testio.Mutator;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Holds R13 on mutants of the golden files: each read returns rows or an {@link IOException} that
 * names the file, opens nothing that it does not close, and allocates about what the sound file
 * takes. With checksums no blob is returned that was not in the file.
 *
 * <p>The system properties {@code fuzz.seed} and {@code fuzz.mutants} run others than the build's.
 */
class BlobFormatFuzzTest {

    private static final long SEED = Long.getLong("fuzz.seed", 20260101);
    private static final int MUTANTS = Integer.getInteger("fuzz.mutants", 12_000);
    private static final long ALLOCATION_SLACK = 1 << 20;
    private static final int MAX_BYTES = 2_000;

    private final CountingFileIO fileIO = CountingFileIO.vectored();

    @TempDir java.nio.file.Path folder;

    /** What is done with each mutant, in turn. */
    private enum Mode {
        VERIFIED,
        UNVERIFIED,
        DESCRIPTORS
    }

    @Test
    void everyMutantIsReadRightOrNamed() throws IOException {
        List<GoldenFile> goldenFiles =
                GoldenFile.all().stream()
                        .filter(golden -> golden.bytes().length <= MAX_BYTES)
                        .filter(golden -> !golden.entries().isEmpty())
                        .toList();
        Mutator mutator = new Mutator(SEED);
        java.nio.file.Path file = folder.resolve("mutant.blob");
        int each = MUTANTS / (goldenFiles.size() * Mode.values().length) + 1;
        int mutants = 0;
        int failures = 0;
        for (GoldenFile golden : goldenFiles) {
            byte[] valid = golden.bytes();
            for (Mode mode : Mode.values()) {
                Files.write(file, valid);
                long sound = Allocation.of(() -> read(golden, file, mode));
                for (int i = 0; i < each; i++) {
                    Files.write(file, mutator.mutate(valid));
                    boolean[] success = {false};
                    long allocated = Allocation.of(() -> success[0] = read(golden, file, mode));
                    mutants++;
                    failures += success[0] ? 0 : 1;

                    String mutant = "seed %d, mutant %d of %s, %s";
                    assertThat(allocated)
                            .as(mutant, SEED, i, golden, mode)
                            .isLessThan(2 * sound + ALLOCATION_SLACK);
                    assertThat(fileIO.openStreams()).as(mutant, SEED, i, golden, mode).isEmpty();
                    fileIO.reset();
                }
            }
        }
        assertThat(mutants).isGreaterThanOrEqualTo(MUTANTS);
        assertThat(failures).isBetween(mutants / 4, mutants - 1);
    }

    /** Returns whether the file could be read. */
    private boolean read(GoldenFile golden, java.nio.file.Path file, Mode mode) {
        BlobFormatReads reads =
                new BlobFormatReads(fileIO)
                        .type(golden.dataType())
                        .option("blob-as-descriptor", mode == Mode.DESCRIPTORS)
                        .option(BlobFallbackOptions.EMIT_PLACEHOLDER_SENTINEL.key(), true)
                        .option(BlobFallbackOptions.VERIFY_CHECKSUM.key(), mode == Mode.VERIFIED);
        List<BlobFormatReads.Row> rows;
        try {
            rows = reads.read(file);
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("mutant.blob");
            return false;
        }
        if (mode == Mode.VERIFIED) {
            Set<ByteBuffer> known = new HashSet<>();
            golden.entries().forEach(entry -> collect(entry, known));
            known.add(ByteBuffer.wrap(BlobPlaceholder.INSTANCE.toData()));
            Set<ByteBuffer> found = new HashSet<>();
            rows.forEach(row -> collect(row.value(), found));
            assertThat(known).containsAll(found);
        }
        return true;
    }

    private static void collect(Object value, Set<ByteBuffer> bytes) {
        if (value instanceof byte[] array) {
            bytes.add(ByteBuffer.wrap(array));
        } else if (value instanceof Blob blob) {
            bytes.add(ByteBuffer.wrap(blob.toData()));
        } else if (value instanceof List<?> list) {
            list.forEach(element -> collect(element, bytes));
        } else if (value instanceof Map<?, ?> map) {
            map.values().forEach(element -> collect(element, bytes));
        } else if (value instanceof InternalMap map) {
            collect(map.valueArray(), bytes);
        } else if (value instanceof InternalArray array) {
            for (int i = 0; i < array.size(); i++) {
                if (!array.isNullAt(i)) {
                    collect(array.getBlob(i), bytes);
                }
            }
        }
    }
}
