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

import static java.util.Arrays.asList;
import static org.apache.paimon.blobfallback.testtable.BlobLayer.PLACEHOLDER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.blobfallback.testio.Fault;
import org.apache.paimon.blobfallback.testio.StreamOperation;
import org.apache.paimon.blobfallback.testtable.BlobLayer;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A fault at each operation of a small read in turn: the read returns the right rows or fails with
 * an {@link IOException} that names the file, and leaves neither stream nor thread behind.
 */
@Timeout(120)
class FaultTest {

    private static final List<List<Object>> ROWS =
            List.of(
                    asList("new", "d0"),
                    asList("old1", null),
                    asList(null, "d2"),
                    asList("new3", "d3"));

    @TempDir java.nio.file.Path folder;

    /** How streams are read. */
    enum Storage {
        VECTORED,
        SEQUENTIAL;

        private CountingFileIO open() {
            return this == VECTORED ? CountingFileIO.vectored() : CountingFileIO.sequential();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFailureOfAnyOperationFailsTheReadCleanly(Storage storage) throws Exception {
        SmallRead read = new SmallRead(storage.open());
        assertThat(read.withEach(Fault::failing)).isPositive();
    }

    @ParameterizedTest
    @EnumSource
    void aStorageThatIsGoneFromAnyOperationOnFailsTheReadCleanly(Storage storage) throws Exception {
        SmallRead read = new SmallRead(storage.open());
        assertThat(read.withEach(Fault::failingFrom)).isEqualTo(read.lastBeforeClosing());
    }

    @ParameterizedTest
    @EnumSource
    void aShortReadIsReadOn(Storage storage) throws Exception {
        assertThat(new SmallRead(storage.open()).withEach(Fault::shortening)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aStorageThatOnlyReturnsSingleBytesIsReadOn(Storage storage) throws Exception {
        IntFunction<Fault> single = number -> operation -> Math.min(1, operation.length());
        assertThat(new SmallRead(storage.open()).with(1, single)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aStreamThatReturnsNoBytesFailsTheReadCleanly(Storage storage) throws Exception {
        SmallRead read = new SmallRead(storage.open());
        assertThat(read.withEach(Fault::emptyingFrom)).isEqualTo(read.lastBeforeClosing());
    }

    @ParameterizedTest
    @EnumSource
    void aSlowOperationIsWaitedFor(Storage storage) throws Exception {
        IntFunction<Fault> slow =
                number ->
                        operation -> {
                            if (operation.number() == number) {
                                sleep();
                            }
                            return operation.length();
                        };
        assertThat(new SmallRead(storage.open()).withEach(slow)).isZero();
    }

    /** The local file system closes a channel whose thread is interrupted. */
    @ParameterizedTest
    @EnumSource
    void anInterruptAtAnyOperationFailsTheReadCleanlyOrIsLeftToTheCaller(Storage storage)
            throws Exception {
        SmallRead read = new SmallRead(storage.open());
        assertThat(read.withEach(Fault::interrupting)).isPositive();
    }

    /** R12 beside: a file that cannot be read counts as a gap, and no stream stays open either. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void filesThatMayBeIgnoredLeaveNothingOpenEither(boolean vectored) throws Exception {
        CountingFileIO fileIO = vectored ? CountingFileIO.vectored() : CountingFileIO.sequential();
        SmallRead read = new SmallRead(fileIO, Map.of("scan.ignore-corrupt-files", "true"));
        for (int number = 1; number <= read.operations(); number++) {
            fileIO.inject(Fault.failing(number));
            List<List<Object>> rows = new ArrayList<>();
            try {
                rows.addAll(read.rows());
            } catch (IOException e) {
                // A file that does not even close is an error all the same.
                assertThat(e).hasStackTraceContaining("Injected failure");
            }
            fileIO.reset();
            fileIO.assertNothingOpen();
            assertThat(rows.size()).isIn(0, ROWS.size());
        }
    }

    /**
     * R12 beside: to make room for others, streams of files are closed that are sound. Files that
     * may be ignored are no gap for that.
     */
    @ParameterizedTest
    @CsvSource({"VECTORED, false", "VECTORED, true", "SEQUENTIAL, false", "SEQUENTIAL, true"})
    void aStreamThatDoesNotCloseToMakeRoomCostsNoRow(Storage storage, boolean unchecked)
            throws Exception {
        CountingFileIO fileIO = storage.open();
        LayeredTable layers = LayeredTable.create(fileIO, folder);
        int count = 140;
        layers.appendWithoutBlobs(0, count - 1);
        List<Object> expected = new ArrayList<>();
        BlobLayer pictures = layers.layer("pic");
        for (int i = 0; i < count; i++) {
            Object[] values = new Object[count];
            Arrays.fill(values, PLACEHOLDER);
            values[i] = "v" + i;
            pictures.sequence(i + 1).file(0, values);
            expected.add(values[i]);
        }
        pictures.commit();
        FileStoreTable table = layers.table().copy(Map.of("scan.ignore-corrupt-files", "true"));
        ReadBuilder read = table.newReadBuilder().withReadType(table.rowType().project("pic"));
        Split split = read.newScan().plan().splits().get(0);
        fileIO.reset();
        AtomicInteger failed = new AtomicInteger();
        fileIO.inject(
                operation -> {
                    if (operation.kind() == StreamOperation.Kind.CLOSE) {
                        failed.incrementAndGet();
                        if (unchecked) {
                            throw new IllegalStateException("Injected failure");
                        }
                        throw new IOException("Injected failure");
                    }
                    return operation.length();
                });

        List<Object> rows = new ArrayList<>();
        try (RecordReader<InternalRow> reader = read.newRead().createReader(split)) {
            RecordReader.RecordIterator<InternalRow> all = reader.readBatch();
            for (InternalRow row = all.next(); row != null; row = all.next()) {
                rows.add(new String(row.getBlob(0).toData()));
            }
            fileIO.inject(operation -> operation.length());
        }

        assertThat(rows).isEqualTo(expected);
        assertThat(failed).hasPositiveValue();
        fileIO.assertNothingOpen();
    }

    /** As when there is no memory left for a payload. */
    @ParameterizedTest
    @EnumSource
    void anErrorInTheMiddleOfAReadLeavesNothingOpen(Storage storage) throws Exception {
        CountingFileIO fileIO = storage.open();
        SmallRead read = new SmallRead(fileIO);
        int failed = 0;
        for (int number = 1; number <= read.lastBeforeClosing(); number++) {
            int failing = number;
            fileIO.inject(
                    operation -> {
                        if (operation.number() == failing
                                && operation.kind() == StreamOperation.Kind.READ) {
                            throw new OutOfMemoryError("Injected failure");
                        }
                        return operation.length();
                    });
            try {
                assertThat(read.rows()).isEqualTo(ROWS);
            } catch (OutOfMemoryError e) {
                failed++;
            } finally {
                fileIO.reset();
            }
            fileIO.assertNothingOpen();
        }
        assertThat(failed).isPositive();
    }

    private static void sleep() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Two blob columns, one of two layers. */
    private final class SmallRead {

        private final CountingFileIO fileIO;
        private final FileStoreTable table;
        private final Split split;
        private final int operations;
        private final int lastBeforeClosing;

        private SmallRead(CountingFileIO fileIO) throws Exception {
            this(fileIO, Map.of());
        }

        private SmallRead(CountingFileIO fileIO, Map<String, String> options) throws Exception {
            this.fileIO = fileIO;
            LayeredTable layers = LayeredTable.create(fileIO, folder);
            layers.appendWithoutBlobs(0, 3);
            layers.layer("pic").file(0, "old0", "old1").file(2, "old2", "old3").commit();
            layers.layer("doc").file(0, "d0", null, "d2", "d3").commit();
            layers.layer("pic").file(0, "new", PLACEHOLDER, null, "new3").commit();
            this.table = layers.table().copy(options);
            this.split =
                    table.newReadBuilder()
                            .withReadType(table.rowType().project("pic", "doc"))
                            .newScan()
                            .plan()
                            .splits()
                            .get(0);
            rows();
            fileIO.reset();
            assertThat(rows()).isEqualTo(ROWS);
            List<StreamOperation> sound = fileIO.operations();
            this.operations = sound.size();
            this.lastBeforeClosing =
                    sound.stream()
                            .filter(op -> op.kind() != StreamOperation.Kind.CLOSE)
                            .mapToInt(StreamOperation::number)
                            .max()
                            .orElseThrow();
            assertThat(operations).isGreaterThan(6);
        }

        private int operations() {
            return operations;
        }

        private int lastBeforeClosing() {
            return lastBeforeClosing;
        }

        /** Reads with a fault at each operation; returns how many reads failed. */
        private int withEach(IntFunction<Fault> fault) {
            int failed = 0;
            for (int number = 1; number <= operations; number++) {
                failed += with(number, fault) ? 0 : 1;
            }
            return failed;
        }

        /** Returns whether the read returned the right rows. */
        private boolean with(int number, IntFunction<Fault> fault) {
            Set<Thread> threads = Thread.getAllStackTraces().keySet();
            fileIO.inject(fault.apply(number));
            List<StreamOperation> seen;
            boolean read = false;
            try {
                assertThat(rows()).isEqualTo(ROWS);
                read = true;
            } catch (IOException e) {
                // The host's message about a close that fails has the file's as a suppressed one.
                assertThat(e).hasStackTraceContaining(".blob");
            } catch (RuntimeException e) {
                fail("Operation " + number + " of " + fileIO.operations(), e);
            } finally {
                Thread.interrupted();
                seen = fileIO.operations();
                fileIO.reset();
            }
            assertThat(seen).hasSizeGreaterThanOrEqualTo(number);
            fileIO.assertNothingOpen();
            assertNoThreadIsLeft(threads);
            return read;
        }

        private List<List<Object>> rows() throws IOException {
            List<List<Object>> rows = new ArrayList<>();
            try (RecordReader<InternalRow> reader =
                    table.newReadBuilder()
                            .withReadType(table.rowType().project("pic", "doc"))
                            .newRead()
                            .createReader(split)) {
                reader.forEachRemaining(
                        row -> rows.add(Arrays.asList(value(row, 0), value(row, 1))));
            }
            return rows;
        }

        private String value(InternalRow row, int position) {
            return row.isNullAt(position) ? null : new String(row.getBlob(position).toData());
        }
    }

    private static void assertNoThreadIsLeft(Set<Thread> before) {
        long deadline = System.nanoTime() + 5_000_000_000L;
        Set<Thread> left;
        do {
            left = new HashSet<>(Thread.getAllStackTraces().keySet());
            left.removeAll(before);
            left.removeIf(thread -> !thread.getName().contains("blob"));
        } while (!left.isEmpty() && System.nanoTime() < deadline);
        assertThat(left).isEmpty();
    }
}
