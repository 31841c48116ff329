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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.blobfallback.testio.StreamOperation;
import org.apache.paimon.blobfallback.testtable.BlobLayer;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.GenericArray;
import org.apache.paimon.data.GenericMap;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.stats.SimpleStats;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads of single rows: what they return and cost, and how they live with other calls. */
class BlobReaderTest {

    private static final Object P = BlobLayer.PLACEHOLDER;
    private static final int ROWS = 400;
    private static final int ENTRY = 100 + 16;

    private final CountingFileIO disk = CountingFileIO.vectored();
    private final CountingFileIO store = CountingFileIO.sequential();

    @TempDir private Path folder;

    @AfterEach
    void nothingIsLeft() {
        disk.assertNothingOpen();
        store.assertNothingOpen();
    }

    /** Cold, the indexes and the rows; warm, one read by position of the row's bytes. */
    @Test
    void aWarmRowCostsOneReadOfItsBytes() throws Exception {
        LayeredTable table = wideTable(disk);
        try (BlobReader reader = reader(table.stock(), "0 b")) {
            disk.reset();
            assertThat(pic(reader, 7)).isEqualTo(wide("b", 7));
            // The index has two bytes an entry, of which the first request knows nothing.
            assertThat(disk.requests(".blob")).isEqualTo(2 + 1);
            assertThat(disk.openedFiles()).hasSize(1);

            disk.reset();
            assertThat(pic(reader, 8)).isEqualTo(wide("a", 8));
            assertThat(disk.requests(".blob")).isEqualTo(2);

            for (int row : new int[] {7, 9, 11, 10, 399, 0}) {
                disk.reset();
                assertThat(pic(reader, row)).isEqualTo(wide(row % 2 == 1 ? "b" : "a", row));
                assertThat(reads(disk)).hasSize(1);
                assertThat(disk.bytesRead(".blob")).isEqualTo(ENTRY);
            }
        }
    }

    /** A row that lies close behind the one before it is read alone: calls do not follow on. */
    @Test
    void aCallReadsNoBytesBetweenItsRowsAndThoseOfTheCallBefore() throws Exception {
        LayeredTable table = wideTable(disk);
        try (BlobReader reader = reader(table.stock(), "32 kb")) {
            reader.read(1, 2);
            disk.reset();

            reader.read(4);

            assertThat(disk.bytesRead(".blob")).isEqualTo(ENTRY);
        }
    }

    /** Rows of one file that lie close together are one request, and each row is read once. */
    @Test
    void theRowsOfACallAreCoalesced() throws Exception {
        LayeredTable table = wideTable(store);
        try (BlobReader reader = reader(table.stock(), "1 kb")) {
            reader.read(1, 2);
            store.reset();

            reader.read(31, 21, 25, 21, 301);

            assertThat(store.requests(".blob")).isEqualTo(2);
            // Of the newer file, which has each other row: from row 21 to row 31, and row 301.
            assertThat(store.bytesRead(".blob")).isEqualTo((6 + 1) * ENTRY);
        }
    }

    /** The part, and no other byte of the blob. */
    @Test
    void aPartOfABlobCostsThePart() throws Exception {
        LayeredTable table = wideTable(disk);
        try (BlobReader reader = reader(table.stock(), "0 b")) {
            reader.read(1, 2);
            disk.reset();

            List<BlobRow> parts = reader.readPart(1, 3, 7);

            assertThat(parts.get(0).getBlob("pic").toData())
                    .isEqualTo(
                            Arrays.copyOfRange(
                                    wide("b", 7).getBytes(StandardCharsets.UTF_8), 1, 4));
            assertThat(disk.bytesRead(".blob")).isEqualTo(3);
            assertThat(reader.readPart(98, 9, 7).get(0).getBlob("pic").toData()).hasSize(2);
            assertThat(reader.readPart(Long.MAX_VALUE, 9, 7).get(0).getBlob("pic").toData())
                    .isEmpty();
        }
    }

    /** No blob is read before its stream is, and the stream does not need the reader. */
    @Test
    void aDescribedBlobStreamsAlsoAfterTheReaderIsClosed() throws Exception {
        LayeredTable table = wideTable(disk);
        Blob blob;
        try (BlobReader reader = reader(table.stock(), "0 b")) {
            reader.read(1, 2);
            disk.reset();
            blob = reader.describe(7).get(0).getBlob("pic");
            assertThat(reads(disk)).isEmpty();
            assertThat(blob.toDescriptor().length()).isEqualTo(100);
        }
        try (var stream = blob.newInputStream()) {
            assertThat(stream.readAllBytes()).isEqualTo(bytes(wide("b", 7)));
        }
    }

    /** R3, R4, and what is no row. */
    @Test
    void nullsAreToldFromRowsThatDoNotExist() throws Exception {
        LayeredTable table = LayeredTable.create(disk, folder).append(0, 2);
        table.layer("pic").file(0, "new", null, P).commit();
        try (BlobReader reader = reader(table.stock(), "0 b")) {
            List<BlobRow> rows = reader.read(3, 1, -1, Long.MAX_VALUE, 2);

            assertThat(rows)
                    .extracting(BlobRow::rowId)
                    .containsExactly(3L, 1L, -1L, Long.MAX_VALUE, 2L);
            assertThat(rows)
                    .extracting(BlobRow::exists)
                    .containsExactly(false, true, false, false, true);
            assertThat(rows.get(1).isNull("pic")).isTrue();
            assertThat(rows.get(1).getBlob("pic")).isNull();
            assertThat(rows.get(4).isNull("pic")).isFalse();
            assertThatThrownBy(() -> rows.get(0).getBlob("pic"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "Row id 3 of table table does not exist, so it has no blob in column"
                                    + " pic. Ask whether the row exists first.");
        }
    }

    /** R10: arrays and maps, whose parts are refused. */
    @Test
    void arraysAndMapsOfBlobsAreRead() throws Exception {
        Schema schema =
                LayeredTable.options(
                                Schema.newBuilder()
                                        .column("id", DataTypes.INT())
                                        .column("album", DataTypes.ARRAY(DataTypes.BLOB()))
                                        .column(
                                                "named",
                                                DataTypes.MAP(DataTypes.INT(), DataTypes.BLOB())))
                        .build();
        LayeredTable table = LayeredTable.create(disk, folder, schema);
        table.append(
                table.stock().rowType().project("id"), List.of(GenericRow.of(1), GenericRow.of(2)));
        table.layer("album")
                .file(0, new GenericArray(new Object[] {LayeredTable.blob("a"), null}))
                .commit();
        table.layer("named").file(1, new GenericMap(Map.of(7, LayeredTable.blob("b")))).commit();
        try (BlobReader reader = BlobFallback.newBlobReader(table.stock()).newReader()) {
            List<BlobRow> rows = reader.read(1, 0);

            assertThat(rows.get(0).getArray("album")).isNull();
            assertThat(rows.get(0).getMap("named").keyArray().getInt(0)).isEqualTo(7);
            assertThat(rows.get(0).getMap("named").valueArray().getBlob(0).toData())
                    .containsExactly('b');
            assertThat(rows.get(1).getArray("album").getBlob(0).toData()).containsExactly('a');
            assertThat(rows.get(1).getArray("album").isNullAt(1)).isTrue();
            assertThat(
                            reader.describe(0)
                                    .get(0)
                                    .getArray("album")
                                    .getBlob(0)
                                    .toDescriptor()
                                    .length())
                    .isEqualTo(1);
            assertThatThrownBy(() -> rows.get(0).getBlob("album"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("was requested as BLOB");
            assertThatThrownBy(() -> reader.readPart(0, 1, 0))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("Column album of table table is a ARRAY<BLOB>");
        }
    }

    /** R8: a group whose files do not have the column has nulls. */
    @Test
    void aColumnThatWasAddedLaterIsRead() throws Exception {
        LayeredTable table = LayeredTable.create(disk, folder).append(0, 1);
        table.alter(SchemaChange.addColumn("more", DataTypes.BLOB()));
        table.append(
                table.stock().rowType(),
                List.of(
                        GenericRow.of(
                                2,
                                LayeredTable.string("name2"),
                                LayeredTable.blob("pic2"),
                                null,
                                LayeredTable.blob("more2"))));
        try (BlobReader reader =
                BlobFallback.newBlobReader(table.stock()).withColumns("more", "pic").newReader()) {
            List<BlobRow> rows = reader.read(0, 2);

            assertThat(rows.get(0).getBlob("pic").toData()).isEqualTo(bytes("pic0"));
            assertThat(rows.get(0).getBlob("more")).isNull();
            assertThat(rows.get(1).getBlob("more").toData()).isEqualTo(bytes("more2"));
            assertThatThrownBy(() -> rows.get(0).getBlob("doc"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "The reader of table table does not read column doc. Name it in"
                                    + " withColumns.");
        }
    }

    /** One snapshot until it is refreshed; what both have stays warm. */
    @Test
    void anUpdateIsSeenAfterARefresh() throws Exception {
        LayeredTable table = wideTable(disk);
        try (BlobReader reader = reader(table.stock(), "0 b")) {
            long snapshot = reader.snapshotId();
            reader.read(1, 2);
            update(table, 2, "new");

            assertThat(reader.refresh()).isTrue();
            assertThat(reader.snapshotId()).isGreaterThan(snapshot);
            assertThat(pic(reader, 2)).isEqualTo("new");
            disk.reset();
            assertThat(pic(reader, 4)).isEqualTo(wide("a", 4));
            assertThat(disk.bytesRead(".blob")).isEqualTo(ENTRY);
            assertThat(reader.refresh()).isFalse();
        }
    }

    @Test
    void aReaderThatIsNotRefreshedShowsItsSnapshot() throws Exception {
        LayeredTable table = wideTable(disk);
        try (BlobReader reader = reader(table.stock(), "0 b")) {
            update(table, 2, "new");
            assertThat(pic(reader, 2)).isEqualTo(wide("a", 2));
        }
        FileStoreTable old = table.stock().copy(Map.of("scan.snapshot-id", "2"));
        try (BlobReader reader = reader(old, "0 b")) {
            assertThat(reader.snapshotId()).isEqualTo(2);
            assertThat(reader.refresh()).isFalse();
            assertThat(pic(reader, 1)).isEqualTo(wide("a", 1));
        }
    }

    /** The files of a snapshot that is not read any more are closed and forgotten. */
    @Test
    void aFlattenLeavesNoFileOfTheLayersOpenAfterARefresh() throws Exception {
        LayeredTable table = wideTable(disk);
        try (BlobReader reader = reader(table.stock(), "0 b")) {
            reader.read(1, 2);
            assertThat(disk.openStreams()).hasSize(2);
            try (var flatten = BlobFallback.newFlattenBuilder(table.stock()).newFlatten()) {
                flatten.run();
            }
            assertThat(reader.refresh()).isTrue();
            assertThat(disk.openStreams()).isEmpty();
            assertThat(reader.indexBytes()).isZero();
            assertThat(pic(reader, 2)).isEqualTo(wide("a", 2));
        }
    }

    @Test
    void aTableWithoutSnapshotHasNoRowsUntilItHasOne() throws Exception {
        LayeredTable table = LayeredTable.create(disk, folder);
        try (BlobReader reader = reader(table.stock(), "0 b")) {
            assertThat(reader.snapshotId()).isEqualTo(BlobReader.NO_SNAPSHOT);
            assertThat(reader.refresh()).isFalse();
            assertThat(reader.read(0).get(0).exists()).isFalse();
            table.append(0, 0);
            assertThat(reader.refresh()).isTrue();
            assertThat(pic(reader, 0)).isEqualTo("pic0");
        }
    }

    /** The call under way gets its rows, and only then all is closed. */
    @Test
    void aCloseWaitsForTheCallsUnderWay() throws Exception {
        LayeredTable table = wideTable(store);
        BlobReader reader = reader(table.stock(), "0 b");
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        store.inject(
                operation -> {
                    reached.countDown();
                    await(goOn);
                    return operation.length();
                });
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<List<BlobRow>> call = threads.submit(() -> reader.read(1, 2));
            await(reached);
            Future<Void> close =
                    threads.submit(
                            () -> {
                                reader.close();
                                return null;
                            });
            while (isOpen(reader)) {
                Thread.onSpinWait();
            }
            assertThat(close.isDone()).isFalse();
            goOn.countDown();

            assertThat(call.get(60, TimeUnit.SECONDS).get(1).getBlob("pic").toData())
                    .isEqualTo(bytes(wide("a", 2)));
            close.get(60, TimeUnit.SECONDS);
        } finally {
            threads.shutdownNow();
        }
        reader.close();
        assertThatThrownBy(() -> reader.read(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The reader of table table is closed.");
        assertThatThrownBy(reader::refresh).isInstanceOf(IllegalStateException.class);
    }

    /** Many threads: each gets its rows, and an index is read once between them. */
    @Test
    void manyThreadsReadEachIndexOnce() throws Exception {
        LayeredTable table = wideTable(store);
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try (BlobReader reader = reader(table.stock(), "0 b")) {
            store.reset();
            List<Future<Boolean>> calls =
                    threads.invokeAll(
                            Collections.nCopies(
                                    64,
                                    () -> {
                                        for (int row = 0; row < 40; row++) {
                                            String layer = row % 2 == 1 ? "b" : "a";
                                            if (!pic(reader, row).equals(wide(layer, row))) {
                                                return false;
                                            }
                                        }
                                        return true;
                                    }));
            for (Future<Boolean> call : calls) {
                assertThat(call.get()).isTrue();
            }
            long indexes = table.blobFiles("pic").stream().mapToLong(file -> file.fileSize()).sum();
            long data = 3L * ROWS / 2 * ENTRY;
            // Of the shorter index more is asked for than there is.
            long slack = ROWS / 32 - 1;
            assertThat(store.bytesRead(".blob"))
                    .isEqualTo(64L * 40 * ENTRY + indexes - data + slack);
        } finally {
            threads.shutdownNow();
        }
    }

    /** R12, R22: a file that may be ignored is a gap, and otherwise the call fails and names it. */
    @Test
    void aCorruptOrLostFileIsAFaultOrAGap() throws Exception {
        LayeredTable table = wideTable(disk);
        String newest = table.blobFiles("pic").get(1).fileName();
        Path file;
        try (var files = Files.walk(folder)) {
            file = files.filter(path -> path.endsWith(newest)).findAny().orElseThrow();
        }
        byte[] sound = Files.readAllBytes(file);
        byte[] corrupt = sound.clone();
        corrupt[sound.length - 3] = 99;
        Files.write(file, corrupt);
        try (BlobReader reader = reader(table.stock(), "0 b")) {
            assertThatThrownBy(() -> reader.read(1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(newest);
            Files.write(file, sound);
            assertThat(pic(reader, 1)).isEqualTo(wide("b", 1));
        }
        Files.write(file, corrupt);
        FileStoreTable ignoring = table.stock().copy(Map.of("scan.ignore-corrupt-files", "true"));
        try (BlobReader reader = reader(ignoring, "0 b")) {
            assertThat(pic(reader, 1)).isEqualTo(wide("a", 1));
        }
        Files.delete(file);
        try (BlobReader reader = reader(table.stock(), "0 b")) {
            assertThatThrownBy(() -> reader.read(1))
                    .isInstanceOf(FileNotFoundException.class)
                    .hasMessageContaining(newest);
        }
        FileStoreTable losing = table.stock().copy(Map.of("scan.ignore-lost-files", "true"));
        try (BlobReader reader = reader(losing, "0 b")) {
            assertThat(pic(reader, 1)).isEqualTo(wide("a", 1));
        }
    }

    @Test
    void whatCannotBeReadByRowIdIsRefusedByName() throws Exception {
        LayeredTable table =
                LayeredTable.create(
                        LocalFileIO.create(),
                        folder,
                        LayeredTable.schema()
                                .column("inline", DataTypes.BLOB())
                                .option("blob-descriptor-field", "inline")
                                .build());
        assertThatThrownBy(() -> BlobFallback.newBlobReader(table.stock()).withColumns("inline"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Column inline of table table is kept inline")
                .hasMessageContaining(
                        "Read it, like a column of bytes, with a query of the table.");
        assertThatThrownBy(() -> BlobFallback.newBlobReader(table.stock()).withColumns("id"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Read other columns with a query of the table.");
        assertThatThrownBy(
                        () ->
                                BlobFallback.newBlobReader(
                                        table.stock().copy(Map.of("query-auth.enabled", "true"))))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("'query-auth.enabled' = 'true'");
        try (BlobReader reader = BlobFallback.newBlobReader(table.stock()).newReader()) {
            assertThatThrownBy(reader::read)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("A read of single rows of table table needs a row id, found none.");
            assertThatThrownBy(() -> reader.readPart(-1, 1, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("found -1 and 1");
        }
    }

    /** A table whose options keep a column in blob files that an older one kept inline. */
    @Test
    void rowsWhoseColumnIsInNormalFilesAreRefusedByName() throws Exception {
        LayeredTable table = LayeredTable.create(LocalFileIO.create(), folder);
        table.appendWithoutBlobs(0, 0);
        FileStoreTable stock = table.stock();
        table.layer("pic")
                .file(0, "a")
                .file(
                        DataFileMeta.forAppend(
                                "data-inline.avro",
                                1,
                                1,
                                SimpleStats.EMPTY_STATS,
                                9,
                                9,
                                stock.schema().id(),
                                List.of(),
                                null,
                                FileSource.APPEND,
                                null,
                                null,
                                0L,
                                List.of("doc")))
                .commit();
        try (BlobReader reader = BlobFallback.newBlobReader(stock).withColumns("pic").newReader()) {
            assertThat(pic(reader, 0)).isEqualTo("a");
        }
        try (BlobReader reader = BlobFallback.newBlobReader(stock).newReader()) {
            assertThatThrownBy(() -> reader.read(0))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("Column doc of table table is kept inline in the row ids")
                    .hasMessageContaining("data-inline.avro");
        }
    }

    /** A row that does not exist costs nothing. */
    private static boolean isOpen(BlobReader reader) throws IOException {
        try {
            reader.read(Long.MAX_VALUE);
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Two layers of as many rows: of the newer one each other row is a placeholder. */
    private LayeredTable wideTable(CountingFileIO fileIO) throws Exception {
        LayeredTable table = LayeredTable.create(fileIO, folder);
        table.appendWithoutBlobs(0, ROWS - 1);
        Object[] base = new Object[ROWS];
        Object[] update = new Object[ROWS];
        for (int row = 0; row < ROWS; row++) {
            base[row] = wide("a", row);
            update[row] = row % 2 == 1 ? wide("b", row) : P;
        }
        table.layer("pic").file(0, base).commit();
        table.layer("pic").file(0, update).commit();
        return table;
    }

    private static String wide(String layer, int row) {
        return String.format("%s%99s", layer, row);
    }

    private static byte[] bytes(String value) {
        return value.getBytes(StandardCharsets.UTF_8);
    }

    private static void update(LayeredTable table, long rowId, String value) throws Exception {
        try (BlobUpdate update =
                BlobFallback.newUpdateBuilder(table.stock()).withColumns("pic").newUpdate()) {
            update.set(rowId, "pic", LayeredTable.blob(value));
            update.commit();
        }
    }

    private static BlobReader reader(FileStoreTable table, String gap) throws IOException {
        return BlobFallback.newBlobReader(
                        table.copy(Map.of(BlobFallbackOptions.READ_COALESCE_GAP.key(), gap)))
                .withColumns("pic")
                .newReader();
    }

    private static String pic(BlobReader reader, long rowId) throws IOException {
        return new String(
                reader.read(rowId).get(0).getBlob("pic").toData(), StandardCharsets.UTF_8);
    }

    private static List<StreamOperation> reads(CountingFileIO fileIO) {
        return fileIO.operations().stream()
                .filter(operation -> operation.kind() == StreamOperation.Kind.READ)
                .toList();
    }
}
