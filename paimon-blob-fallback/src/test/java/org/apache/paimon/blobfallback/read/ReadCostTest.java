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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.blobfallback.testio.StreamOperation;
import org.apache.paimon.blobfallback.testtable.BlobLayer;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.blobfallback.testtable.TableRows;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.ReadBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a read asks of the storage, to the byte and to the request, and that neither a thread nor a
 * stream outlives its reader. Rules R6, R7 and R17, as far as they say what is not read.
 */
@Tag("slow")
class ReadCostTest {

    private static final String THREADS = "blob-fallback-read-";
    private static final int ROWS = 400;
    private static final int PAYLOAD = 100;
    private static final int ENTRY = PAYLOAD + 16;

    /** What is asked for first: a byte an entry and a bit, and the footer. */
    private static final long SHORT_INDEX_READ = ROWS + ROWS / 32 + 5;

    /** Data and placeholder in turn: two bytes an entry, and the footer. */
    private static final long LONG_INDEX_READ = 2 * ROWS + 5;

    /** The long index does not fit into the tail that is asked for first. */
    private static final int INDEX_REQUESTS = 1 + 2;

    private final CountingFileIO disk = CountingFileIO.vectored();
    private final CountingFileIO store = CountingFileIO.sequential();

    @TempDir private java.nio.file.Path folder;

    @AfterEach
    void nothingIsLeft() {
        disk.assertNothingOpen();
        store.assertNothingOpen();
        assertThat(readThreads()).isEmpty();
    }

    /** R17: one layer is its index and its bytes, each one request. */
    @Test
    void oneLayerIsReadOnceFromStartToEnd() throws Exception {
        LayeredTable table = table(store);
        table.layer("pic").file(0, values("a", 1)).commit();
        store.reset();

        assertThat(read(table, 1, "0 b")).hasSize(ROWS);

        assertThat(store.bytesRead(".blob")).isEqualTo((long) ROWS * ENTRY + SHORT_INDEX_READ);
        assertThat(store.requests(".blob")).isEqualTo(1 + 1);
    }

    /** No byte of what a newer layer rewrites as a whole is read, not even an index. */
    @Test
    void aLayerThatIsRewrittenAsAWholeIsNotOpened() throws Exception {
        LayeredTable table = table(store);
        table.layer("pic").file(0, values("a", 1)).commit();
        table.layer("pic").file(0, values("b", 1)).commit();
        store.reset();

        assertThat(read(table, 1, "32 kb")).allMatch(value -> ((String) value).startsWith("b"));

        assertThat(store.openedFiles(".blob")).hasSize(1);
        assertThat(store.bytesRead(".blob")).isEqualTo((long) ROWS * ENTRY + SHORT_INDEX_READ);
    }

    /** Of an older layer that is cut into files, those whose rows are decided are left alone. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void aFileThatIsRewrittenAsAWholeIsNotOpened(int parallelism) throws Exception {
        LayeredTable table = table(store);
        Object[] old = values("a", 1);
        int half = ROWS / 2;
        table.layer("pic")
                .file(0, Arrays.copyOf(old, half))
                .file(half, Arrays.copyOfRange(old, half, ROWS))
                .commit();
        table.layer("pic").file(0, Arrays.copyOf(values("b", 1), half)).commit();
        store.reset();

        // With a normal column all files are read together.
        Table configured = configured(table, parallelism, "0 b");
        assertThat(TableRows.of(configured).columns("id", "pic").rows()).hasSize(ROWS);

        assertThat(store.openedFiles(".blob")).hasSize(2);
    }

    /** Every second row is newer: with no gap allowed, exactly the winners and both indexes. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void withoutAGapExactlyTheWinnersAndTheirIndexesAreRead(int parallelism) throws Exception {
        LayeredTable table = tableOfTwoLayers();

        assertThat(read(table, parallelism, "0 b")).hasSize(ROWS);

        assertThat(store.bytesRead(".blob"))
                .isEqualTo((long) ROWS * ENTRY + SHORT_INDEX_READ + LONG_INDEX_READ);
    }

    /** The newer layer is one run, and each winner of the older one is a run of its own. */
    @Test
    void withoutAGapThereIsOneRequestARun() throws Exception {
        LayeredTable table = tableOfTwoLayers();

        read(table, 1, "0 b");

        assertThat(store.requests(".blob")).isEqualTo(INDEX_REQUESTS + 1 + ROWS / 2);
    }

    /** With a gap as wide as what lies between, each layer is one run, its losers with it. */
    @Test
    void winnersCloserThanTheGapAreOneRequest() throws Exception {
        LayeredTable table = tableOfTwoLayers();

        read(table, 1, ENTRY + " b");

        assertThat(store.requests(".blob")).isEqualTo(INDEX_REQUESTS + 1 + 1);
    }

    /** R7. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void descriptorsReadIndexesOnly(int parallelism) throws Exception {
        LayeredTable table = tableOfTwoLayers();

        TableRows rows =
                TableRows.of(configured(table, parallelism, "0 b"))
                        .columns("pic")
                        .option("blob-as-descriptor", true);
        assertThat(rows.values()).hasSize(ROWS);

        assertThat(store.bytesRead(".blob")).isEqualTo(SHORT_INDEX_READ + LONG_INDEX_READ);
    }

    /** Requests at once give the same rows as one after the other, whatever the buffer. */
    @ParameterizedTest
    @ValueSource(strings = {"1 b", "500 b", "4 kb", "16 mb"})
    void rowsAreTheSameForAnyNumberOfRequests(String buffer) throws Exception {
        LayeredTable table = table(store);
        table.layer("pic").file(0, values("a", 1)).commit();
        for (int layer = 2; layer < 8; layer++) {
            table.layer("pic").file(0, values("l" + layer, layer)).commit();
        }
        List<Object> expected = read(table, 1, "0 b");

        for (int parallelism : new int[] {2, 8, 32}) {
            Table configured =
                    configured(table, parallelism, "32 b")
                            .copy(Map.of(BlobFallbackOptions.READ_BUFFER_SIZE.key(), buffer));
            assertThat(TableRows.of(configured).columns("pic").values()).isEqualTo(expected);
        }
    }

    /** Several layers, as the indexes of older ones are what threads would read ahead. */
    @Test
    void aLocalDiskIsReadWithoutThreadsAndReadsNoIndexAhead() throws Exception {
        LayeredTable table = table(disk);
        table.layer("pic").file(0, values("never", 1)).commit();
        table.layer("pic").file(0, values("a", 1)).commit();
        table.layer("pic").file(0, values("b", 2)).commit();
        disk.reset();

        try (RecordReader<InternalRow> reader = open(configured(table, 8, "0 b"))) {
            assertThat(reader.readBatch().next()).isNotNull();
            assertThat(readThreads()).isEmpty();
        }
        assertThat(disk.openedFiles(".blob")).hasSize(2);
    }

    /** On a store, and never more than the option says. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void asManyRequestsAreUnderWayAsTheOptionSays(int parallelism) throws Exception {
        LayeredTable table = tableOfTwoLayers();
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        store.inject(
                operation -> {
                    if (operation.kind() == StreamOperation.Kind.READ
                            && operation.path().getName().endsWith(".blob")) {
                        most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                        LockSupport.parkNanos(3_000_000);
                        underWay.decrementAndGet();
                    }
                    return operation.length();
                });

        assertThat(read(table, parallelism, "0 b")).hasSize(ROWS);

        assertThat(most).hasValue(parallelism);
    }

    /** On a store one batch, half of the buffer, is read ahead of the one that is consumed. */
    @Test
    void theNextBatchIsFetchedWhileOneIsConsumed() throws Exception {
        LayeredTable table = table(store);
        table.layer("pic").file(0, values("a", 1)).commit();
        store.reset();
        int batch = 8 * ENTRY;
        Table small =
                configured(table, 2, "0 b")
                        .copy(Map.of(BlobFallbackOptions.READ_BUFFER_SIZE.key(), 2 * batch + " b"));

        try (RecordReader<InternalRow> reader = open(small)) {
            assertThat(reader.readBatch().next()).isNotNull();
            long deadline = System.nanoTime() + 120_000_000_000L;
            while (store.bytesRead(".blob") < SHORT_INDEX_READ + 2 * batch
                    && System.nanoTime() < deadline) {
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(store.bytesRead(".blob")).isEqualTo(SHORT_INDEX_READ + 2 * batch);
        }
    }

    @Test
    void aReaderThatIsClosedInTheMiddleLeavesNoThread() throws Exception {
        LayeredTable table = tableOfTwoLayers();
        Table small =
                configured(table, 8, "0 b")
                        .copy(Map.of(BlobFallbackOptions.READ_BUFFER_SIZE.key(), "1 kb"));

        try (RecordReader<InternalRow> reader = open(small)) {
            Iterator<InternalRow> rows = reader.toCloseableIterator();
            for (int i = 0; i < 7; i++) {
                assertThat(rows.next()).isNotNull();
            }
            assertThat(readThreads()).isNotEmpty().hasSizeLessThanOrEqualTo(8);
        }
    }

    /** Each read of a store fails once, whichever thread it is in. */
    @Test
    void aFaultInAnyReadFailsTheReadAndLeavesNothing() throws Exception {
        LayeredTable table = tableOfTwoLayers();
        Table configured = configured(table, 4, "0 b");
        TableRows.of(configured).columns("pic").values();
        int operations = store.operations().size();

        for (int n = 1; n <= operations; n += 13) {
            int failing = n;
            store.inject(
                    operation -> {
                        if (operation.number() == failing
                                && operation.path().getName().endsWith(".blob")
                                && operation.kind() != StreamOperation.Kind.CLOSE) {
                            throw new IOException("Injected.");
                        }
                        return operation.length();
                    });
            try {
                assertThat(TableRows.of(configured).columns("pic").values()).hasSize(ROWS);
            } catch (IOException e) {
                assertThat(e).hasStackTraceContaining("Injected.");
            }
            nothingIsLeft();
        }
        store.reset();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "33"})
    void aParallelismOutOfRangeIsRefused(String parallelism) throws Exception {
        LayeredTable table = table(store);
        table.layer("pic").file(0, values("a", 1)).commit();

        assertThatThrownBy(
                        () ->
                                TableRows.of(table.table())
                                        .option(
                                                BlobFallbackOptions.READ_PARALLELISM.key(),
                                                parallelism)
                                        .rows())
                .hasStackTraceContaining("blob-fallback.read.parallelism")
                .hasStackTraceContaining("expected 1 to 32");
    }

    private LayeredTable table(CountingFileIO fileIO) throws Exception {
        return LayeredTable.create(fileIO, folder).appendWithoutBlobs(0, ROWS - 1);
    }

    /** An older layer of all rows, a newer one of every second. */
    private LayeredTable tableOfTwoLayers() throws Exception {
        LayeredTable table = table(store);
        table.layer("pic").file(0, values("a", 1)).commit();
        table.layer("pic").file(0, values("b", 2)).commit();
        store.reset();
        return table;
    }

    /** A value of {@link #PAYLOAD} bytes for each n-th row, a placeholder for the others. */
    private static Object[] values(String name, int each) {
        Object[] values = new Object[ROWS];
        for (int i = 0; i < ROWS; i++) {
            char[] text = Arrays.copyOf((name + "-" + i + "-").toCharArray(), PAYLOAD);
            Arrays.fill(text, (name + "-" + i + "-").length(), PAYLOAD, '.');
            values[i] = i % each == 0 ? new String(text) : BlobLayer.PLACEHOLDER;
        }
        return values;
    }

    private static Table configured(LayeredTable table, int parallelism, String gap) {
        Map<String, String> options = new HashMap<>();
        options.put(BlobFallbackOptions.READ_PARALLELISM.key(), Integer.toString(parallelism));
        options.put(BlobFallbackOptions.READ_COALESCE_GAP.key(), gap);
        return table.table().copy(options);
    }

    private static List<Object> read(LayeredTable table, int parallelism, String gap)
            throws IOException {
        return TableRows.of(configured(table, parallelism, gap)).columns("pic").values();
    }

    private static RecordReader<InternalRow> open(Table table) throws IOException {
        ReadBuilder builder =
                table.newReadBuilder().withReadType(table.rowType().project(List.of("pic")));
        return builder.newRead().createReader(builder.newScan().plan());
    }

    private static List<String> readThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(THREADS))
                .toList();
    }
}
