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

package org.apache.paimon.blobfallback.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.paimon.blobfallback.testtable.BlobLayer;
import org.apache.paimon.blobfallback.testtable.IndexOnlyBlobFile;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.stats.SimpleStats;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a reader of single rows takes in memory is bounded by its cache, in a JVM of its own. */
@Tag("slow")
class BlobReaderHeapTest {

    private static final int FILES = 64;
    private static final int ROWS_OF_A_FILE = 500_000;
    private static final int ROWS = FILES * ROWS_OF_A_FILE;
    private static final int CACHE_MEBIBYTES = 4;

    /** Half of what all indexes take, which would not fit beside the host. */
    private static final int HEAP_MEBIBYTES = 32;

    private static final long MEBIBYTE = 1 << 20;

    @TempDir private Path folder;

    @Test
    void indexesOf64MebibytesAreServedIn32() throws Exception {
        LayeredTable table = LayeredTable.create(LocalFileIO.create(), folder);
        FileStoreTable stock = table.stock();
        List<IndexOnlyBlobFile> base = new ArrayList<>();
        List<IndexOnlyBlobFile> update = new ArrayList<>();
        BlobLayer commit = table.layer("pic").file(normalFile(stock));
        for (long first = 0; first < ROWS; first += ROWS_OF_A_FILE) {
            base.add(write(stock, first, 0));
            commit.file(base.get(base.size() - 1).meta(stock, "pic", 1));
        }
        update.add(write(stock, 0, 1));
        update.add(write(stock, ROWS_OF_A_FILE, 1));
        for (IndexOnlyBlobFile file : update) {
            commit.file(file.meta(stock, "pic", 2));
        }
        commit.commit();

        String[] printed = run(table.path().toString(), CACHE_MEBIBYTES + " mb").trim().split(" ");

        assertThat(Long.parseLong(printed[0])).isLessThanOrEqualTo(HEAP_MEBIBYTES * MEBIBYTE);
        assertThat(Long.parseLong(printed[1]))
                .isPositive()
                .isLessThanOrEqualTo(CACHE_MEBIBYTES * MEBIBYTE);
        assertThat(Long.parseLong(printed[2])).isEqualTo(expected(base, update));
    }

    private static IndexOnlyBlobFile write(FileStoreTable table, long firstRowId, int layer)
            throws IOException {
        return IndexOnlyBlobFile.write(
                table, firstRowId, ROWS_OF_A_FILE, row -> length(row, layer));
    }

    /** Each other row of the update is left to the base; no length is that of its neighbour. */
    private static long length(long row, int layer) {
        long mixed = (row * 1_000_003 + layer + 1) * 0x9E3779B97F4A7C15L;
        long scattered = (mixed ^ (mixed >>> 29)) >>> 34;
        return layer == 1 && row % 2 == 0 ? -2 : 200 + scattered % 5000;
    }

    private static long expected(List<IndexOnlyBlobFile> base, List<IndexOnlyBlobFile> update) {
        SplittableRandom random = new SplittableRandom(1);
        long digest = 0;
        for (int call = 0; call < SingleRowsProgram.CALLS; call++) {
            for (long rowId : SingleRowsProgram.rowIds(random, ROWS)) {
                int file = (int) (rowId / ROWS_OF_A_FILE);
                IndexOnlyBlobFile winner =
                        file < update.size() && update.get(file).length(rowId) != -2
                                ? update.get(file)
                                : base.get(file);
                digest = SingleRowsProgram.add(digest, rowId, winner.name(), winner.length(rowId));
            }
        }
        return digest;
    }

    private static DataFileMeta normalFile(FileStoreTable table) {
        return DataFileMeta.forAppend(
                "data-none-0.avro",
                1,
                ROWS,
                SimpleStats.EMPTY_STATS,
                1,
                1,
                table.schema().id(),
                List.of(),
                null,
                FileSource.APPEND,
                null,
                null,
                0L,
                List.of("id", "name"));
    }

    private static String run(String table, String cache) throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx" + HEAP_MEBIBYTES + "m",
                                "-XX:+UseSerialGC",
                                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                                "-cp",
                                System.getProperty("java.class.path"),
                                SingleRowsProgram.class.getName(),
                                table,
                                Integer.toString(ROWS),
                                cache)
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
