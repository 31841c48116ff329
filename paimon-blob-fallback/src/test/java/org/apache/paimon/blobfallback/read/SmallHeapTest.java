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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongUnaryOperator;
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

/**
 * Groups of many rows and of many layers read as descriptors in 256 MB of heap, each row with its
 * winner (R2, R5, R7). The read is in a JVM of its own.
 */
@Tag("slow")
class SmallHeapTest {

    private static final long MEBIBYTE = 1 << 20;

    @TempDir private Path folder;

    /**
     * Ten million rows: two base files, two layers that each touch a tenth of the rows, one that
     * touches few, and a thousand that each cover a small part of the group.
     */
    @Test
    void tenMillionRowsReadInASmallHeap() throws Exception {
        int rows = 10_000_000;
        LayeredTable layered = table(rows);
        FileStoreTable table = layered.stock();
        List<List<IndexOnlyBlobFile>> layers = new ArrayList<>();
        layers.add(
                List.of(
                        IndexOnlyBlobFile.write(table, 0, rows / 2, SmallHeapTest::base),
                        IndexOnlyBlobFile.write(table, rows / 2, rows / 2, SmallHeapTest::base)));
        for (int i = 1; i <= 2; i++) {
            int layer = i;
            layers.add(
                    wholeLayer(table, rows, row -> scatter(row, layer) % 10 == 0 ? row % 50 : -2));
        }
        layers.add(wholeLayer(table, rows, row -> row % 1000 == 7 ? -1 : -2));
        List<IndexOnlyBlobFile> parts = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            parts.add(
                    IndexOnlyBlobFile.write(
                            table,
                            10_000L * i + scatter(i, 0) % 8000,
                            2000,
                            row -> row % 3 == 0 ? row % 7000 : -2));
        }
        layers.add(parts);
        commit(layered, layers, true);

        assertReads(layered, layers, rows, 256);
    }

    /** A thousand layers that each touch some rows and all cover the whole group. */
    @Test
    void aThousandLayersReadInASmallHeap() throws Exception {
        int rows = 20_000;
        LayeredTable layered = table(rows);
        FileStoreTable table = layered.stock();
        List<List<IndexOnlyBlobFile>> layers = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            int layer = i;
            layers.add(
                    wholeLayer(
                            table, rows, row -> scatter(row, layer) % 200 == 0 ? row % 300 : -2));
        }
        commit(layered, layers, false);

        assertReads(layered, layers, rows, 256);
    }

    /**
     * Ten million rows in 64 layers that all cover all of them: 64 MB besides the indexes in use,
     * which take a byte a row of the oldest layer and 90 KB of each other, the host included.
     */
    @Test
    void tenMillionRowsOf64LayersReadIn64MebibytesBesidesTheirIndexes() throws Exception {
        int rows = 10_000_000;
        LayeredTable layered = table(rows);
        FileStoreTable table = layered.stock();
        List<List<IndexOnlyBlobFile>> layers = new ArrayList<>();
        layers.add(wholeLayer(table, rows, row -> row % 50));
        for (int i = 1; i < 64; i++) {
            int shift = 31 * i;
            layers.add(wholeLayer(table, rows, row -> (row + shift) % 2000 == 0 ? shift : -2));
        }
        commit(layered, layers, false);

        assertReads(layered, layers, rows, 64 + 16);
    }

    /** A layer of one file. */
    private static List<IndexOnlyBlobFile> wholeLayer(
            FileStoreTable table, int rows, LongUnaryOperator lengths) throws IOException {
        return List.of(IndexOnlyBlobFile.write(table, 0, rows, lengths));
    }

    private static long base(long row) {
        return row % 97 == 0 ? -1 : scatter(row, 0) % 500;
    }

    /** A pseudo-random number. */
    private static long scatter(long row, int layer) {
        long mixed = (row * 1_000_003 + layer + 1) * 0x9E3779B97F4A7C15L;
        return (mixed ^ (mixed >>> 29)) >>> 34;
    }

    private LayeredTable table(int rows) throws Exception {
        LayeredTable table = LayeredTable.create(LocalFileIO.create(), folder);
        // No read of blobs alone opens the normal file, so it need not be there.
        table.layer("pic").file(normalFile(table.stock(), rows)).commit();
        return table;
    }

    private static DataFileMeta normalFile(FileStoreTable table, int rows) {
        return DataFileMeta.forAppend(
                "data-none-0.avro",
                1,
                rows,
                SimpleStats.EMPTY_STATS,
                1,
                1,
                table.schema().id(),
                Collections.emptyList(),
                null,
                FileSource.APPEND,
                null,
                null,
                0L,
                List.of("id", "name"));
    }

    /**
     * Commits layers, oldest first.
     *
     * @param splitNewest whether each file of the newest is a layer of its own
     */
    private static void commit(
            LayeredTable table, List<List<IndexOnlyBlobFile>> layers, boolean splitNewest)
            throws Exception {
        FileStoreTable stock = table.stock();
        BlobLayer commit = table.layer("pic");
        long sequenceNumber = 1;
        for (int i = 0; i < layers.size(); i++) {
            for (IndexOnlyBlobFile file : layers.get(i)) {
                commit.file(file.meta(stock, "pic", sequenceNumber));
                if (splitNewest && i == layers.size() - 1) {
                    sequenceNumber++;
                }
            }
            sequenceNumber++;
        }
        commit.commit();
    }

    /** Asserts that a JVM with a small heap finds the winner of each row. */
    private static void assertReads(
            LayeredTable table, List<List<IndexOnlyBlobFile>> layers, int rows, int heapMebibytes)
            throws Exception {
        int every = rows / 9;
        assertThat(scan(table, every, heapMebibytes)).isEqualTo(expected(layers, rows, every));
    }

    /** What a JVM with a small heap prints. */
    private static String scan(LayeredTable table, int every, int heapMebibytes) throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx" + heapMebibytes + "m",
                                "-XX:+UseSerialGC",
                                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                                "-cp",
                                System.getProperty("java.class.path"),
                                DescriptorScan.class.getName(),
                                table.path().toString(),
                                Integer.toString(every))
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        int firstLine = output.indexOf('\n');
        assertThat(Long.parseLong(output.substring(0, firstLine)))
                .isLessThanOrEqualTo(heapMebibytes * MEBIBYTE);
        return output.substring(firstLine + 1);
    }

    private static String expected(List<List<IndexOnlyBlobFile>> layers, int rows, int every) {
        List<List<IndexOnlyBlobFile>> newestFirst = new ArrayList<>(layers);
        Collections.reverse(newestFirst);
        int[] current = new int[layers.size()];
        DescriptorScan.Digest digest = new DescriptorScan.Digest(every);
        for (long row = 0; row < rows; row++) {
            IndexOnlyBlobFile winner = winner(newestFirst, current, row);
            if (winner == null || winner.length(row) < 0) {
                digest.add(row, null, 0, 0);
            } else {
                digest.add(row, winner.name(), winner.offset(row), winner.length(row));
            }
        }
        return digest.toString();
    }

    private static IndexOnlyBlobFile winner(
            List<List<IndexOnlyBlobFile>> newestFirst, int[] current, long row) {
        for (int i = 0; i < current.length; i++) {
            List<IndexOnlyBlobFile> layer = newestFirst.get(i);
            while (current[i] + 1 < layer.size() && layer.get(current[i] + 1).holds(row)) {
                current[i]++;
            }
            IndexOnlyBlobFile file = layer.get(current[i]);
            if (file.holds(row) && file.length(row) != -2) {
                return file;
            }
        }
        return null;
    }
}
