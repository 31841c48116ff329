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

package org.apache.paimon.blobfallback.tests.update;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.tests.bridge.DataFile;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.blobfallback.update.BlobUpdateBuilder;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** F2 and W1: a hundred rows of a group of a million, written by Paimon 2.0 and by the plugin. */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
class LargeGroupTest {

    private static final String TABLE = "db.t";
    private static final int ROWS = 1_000_000;

    @TempDir private Path warehouse;

    @Test
    void theFileIsThatOfPaimon2AndMemoryIsLittleMoreThanItsIndex() throws Exception {
        try (PaimonRuntime runtime2 = Runtimes.paimon2();
                PaimonWriter paimon2 = runtime2.find(PaimonWriter.class);
                PaimonReader reader2 = runtime2.find(PaimonReader.class)) {
            paimon2.open(warehouse.toString(), Map.of());
            paimon2.createTable(TABLE, TableDefinition.of("id", "INT", "pic", "BLOB"));
            appendOneGroup();

            Map<Long, List<Object>> values = new HashMap<>();
            for (long i = 0; i < 100; i++) {
                byte[] value = i % 10 == 0 ? null : new byte[(int) i % 7];
                values.put(i * 9_973, Collections.singletonList(value));
            }
            values.put(ROWS - 1L, Collections.singletonList(new byte[] {1}));
            paimon2.update(TABLE, List.of("pic"), values, Map.of());
            byte[] expected = newestBlobFile(paimon2);

            long held = updateWithPlugin(values);

            assertThat(newestBlobFile(paimon2)).isEqualTo(expected);
            // The index takes a byte a row and grows by doubling; an array of longs would be eight.
            assertThat(held).isLessThan(4L * ROWS);
            reader2.open(Map.of("warehouse", warehouse.toString()));
            assertThat(
                            reader2.read(
                                    ReadRequest.all(TABLE)
                                            .columns("_ROW_ID", "pic")
                                            .range(9_972, 9_974)
                                            .range(ROWS - 1, ROWS - 1)))
                    .satisfiesExactly(
                            row -> assertThat(row).containsExactly(9_972L, null),
                            row -> assertThat(row).containsExactly(9_973L, new byte[1]),
                            row -> assertThat(row).containsExactly(9_974L, null),
                            row -> assertThat(row).containsExactly(ROWS - 1L, new byte[] {1}));
        }
    }

    /** Returns how many bytes the update holds when it comes to the last row. */
    private long updateWithPlugin(Map<Long, List<Object>> values) throws IOException {
        BlobUpdateBuilder builder = BlobFallback.newUpdateBuilder(table());
        long[] held = new long[1];
        long before = usedMemory();
        try (BlobUpdate update = builder.newUpdate()) {
            values.forEach(
                    (rowId, value) -> {
                        byte[] bytes = (byte[]) value.get(0);
                        update.set(rowId, "pic", bytes == null ? null : Blob.fromData(bytes));
                    });
            Blob last = Blob.fromData(new byte[] {1});
            update.set(
                    ROWS - 1L,
                    "pic",
                    Blob.fromInputStream(
                            () -> {
                                held[0] = usedMemory() - before;
                                try {
                                    return last.newInputStream();
                                } catch (IOException e) {
                                    throw new IllegalStateException(e);
                                }
                            }));
            update.commit();
        }
        return held[0];
    }

    private void appendOneGroup() throws Exception {
        BatchWriteBuilder builder =
                table().copy(Map.of("target-file-size", "1 gb")).newBatchWriteBuilder();
        try (BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            for (int i = 0; i < ROWS; i++) {
                write.write(GenericRow.of(i, null));
            }
            commit.commit(write.prepareCommit());
        }
    }

    private FileStoreTable table() {
        return FileStoreTableFactory.create(
                LocalFileIO.create(),
                new org.apache.paimon.fs.Path(warehouse.resolve("db.db/t").toUri()));
    }

    private static byte[] newestBlobFile(PaimonWriter writer) throws Exception {
        DataFile newest =
                writer.dataFiles(TABLE).stream()
                        .filter(DataFile::isBlob)
                        .max(Comparator.comparingLong(DataFile::maxSequenceNumber))
                        .orElseThrow();
        return Files.readAllBytes(Path.of(newest.path()));
    }

    private static long usedMemory() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
