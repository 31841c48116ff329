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

import static org.apache.paimon.blobfallback.testtable.BlobLayer.PLACEHOLDER;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.paimon.blobfallback.testio.Allocation;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.blobfallback.testio.Mutator;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.InnerTableRead;
import org.apache.paimon.table.source.Split;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Holds R13 on a table of three layers, one of which is damaged behind the metadata's back: each
 * read returns as many rows as there are, each a value of the table, or an {@link IOException} that
 * names the file.
 *
 * <p>The system properties {@code fuzz.seed} and {@code fuzz.mutants} run others than the build's.
 */
@Tag("slow")
class LayerFuzzTest {

    private static final long SEED = Long.getLong("fuzz.seed", 20260102);
    private static final int MUTANTS = Integer.getInteger("fuzz.mutants", 9_000);
    private static final long ALLOCATION_SLACK = 1 << 20;
    private static final int ROWS = 8;
    private static final Set<String> VALUES =
            Set.of("", "a", "bb", "old0", "old1", "old2", "old3", "old4", "old5", "old6", "old7");

    private final CountingFileIO fileIO = CountingFileIO.vectored();

    @TempDir java.nio.file.Path folder;

    @Test
    void everyReadOfADamagedLayerIsRightOrNamesTheFile() throws Exception {
        LayeredTable table = LayeredTable.create(fileIO, folder);
        table.appendWithoutBlobs(0, ROWS - 1);
        table.layer("pic")
                .file(0, "old0", "old1", "old2", "old3", "old4", "old5", "old6", "old7")
                .commit();
        table.layer("pic").file(0, "a", PLACEHOLDER, null, "", PLACEHOLDER, "bb").commit();
        table.layer("pic").file(6, PLACEHOLDER, null).commit();

        FileStoreTable wrapped =
                table.table().copy(Map.of("blob-fallback.verify-checksum", "true"));
        InnerTableRead read = wrapped.newRead().withReadType(wrapped.rowType().project("pic"));

        Split split =
                wrapped.newScan()
                        .withReadType(wrapped.rowType().project("pic"))
                        .plan()
                        .splits()
                        .get(0);
        Mutator mutator = new Mutator(SEED);
        int failures = 0;
        int files = table.blobFiles("pic").size();
        for (int i = 0; i < files; i++) {
            String name = table.blobFiles("pic").get(i).fileName();
            java.nio.file.Path file = folder.resolve("table/bucket-0").resolve(name);
            byte[] valid = Files.readAllBytes(file);
            read(read, split, name);
            long sound = Allocation.of(() -> read(read, split, name));
            for (int mutant = 0; mutant < MUTANTS / files; mutant++) {
                Files.write(file, mutator.mutate(valid));
                boolean[] success = {false};
                long allocated = Allocation.of(() -> success[0] = read(read, split, name));
                failures += success[0] ? 0 : 1;

                String what = "seed %d, mutant %d of file %d";
                assertThat(allocated)
                        .as(what, SEED, mutant, i)
                        .isLessThan(2 * sound + ALLOCATION_SLACK);
                assertThat(fileIO.openStreams()).as(what, SEED, mutant, i).isEmpty();
                fileIO.reset();
            }
            Files.write(file, valid);
        }
        assertThat(failures).isBetween(MUTANTS / 4, MUTANTS - 1);
    }

    /** Returns whether the table could be read. */
    private static boolean read(InnerTableRead read, Split split, String damaged) {
        List<String> rows = new ArrayList<>();
        try (RecordReader<InternalRow> reader = read.createReader(split)) {
            reader.forEachRemaining(
                    row -> rows.add(row.isNullAt(0) ? null : new String(row.getBlob(0).toData())));
        } catch (IOException e) {
            assertThat(e).hasMessageContaining(damaged);
            return false;
        }
        assertThat(rows).hasSize(ROWS);
        assertThat(rows).allMatch(row -> row == null || VALUES.contains(row));
        return true;
    }
}
