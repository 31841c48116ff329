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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.apache.paimon.blobfallback.format.io.CorruptBlobFileException;
import org.apache.paimon.blobfallback.format.io.NewerBlobFileException;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.blobfallback.testio.Fault;
import org.apache.paimon.blobfallback.testio.StreamOperation;
import org.apache.paimon.blobfallback.testtable.BlobLayer;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.Path;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A fault at each operation of a small read in turn: the read returns the right rows or fails with
 * an {@link IOException} that names the file, and leaves neither stream nor thread behind.
 */
@Timeout(600)
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

    /** What a storage throws while the file is as sound as before. */
    enum Failure {
        TIMEOUT(() -> new IOException("Read timed out")),
        SOCKET_TIMEOUT(() -> new SocketTimeoutException("Read timed out")),
        RESET(() -> new SocketException("Connection reset")),
        DENIED(() -> new AccessDeniedException("file")),
        DENIED_BUT_SAYS_NOT_FOUND(() -> new FileNotFoundException("file (Permission denied)")),
        CUT_OFF(() -> new EOFException("Premature end of the response")),
        INTERRUPTED(() -> new InterruptedIOException("Interrupted")),
        CLOSED_BY_INTERRUPT(ClosedByInterruptException::new),
        UNCHECKED(() -> new UncheckedIOException(new IOException("Read timed out"))),
        POOL_IS_SHUT(() -> new IllegalStateException("Connection pool shut down")),
        NO_MEMORY(() -> new OutOfMemoryError("Java heap space"));

        private final Supplier<Throwable> failure;

        Failure(Supplier<Throwable> failure) {
            this.failure = failure;
        }

        private int fail() throws IOException {
            Throwable thrown = failure.get();
            if (thrown instanceof IOException io) {
                throw io;
            }
            if (thrown instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw (Error) thrown;
        }
    }

    static List<Arguments> failuresOfEachStorage() {
        List<Arguments> all = new ArrayList<>();
        for (Storage storage : Storage.values()) {
            for (Failure failure : Failure.values()) {
                all.add(Arguments.of(storage, failure));
            }
        }
        return all;
    }

    /** R22 */
    @ParameterizedTest
    @MethodSource("failuresOfEachStorage")
    void aFailureOfTheStorageIsNeverAGapEvenIfFilesMayBeIgnored(Storage storage, Failure failure)
            throws Exception {
        CountingFileIO fileIO = storage.open();
        SmallRead read =
                new SmallRead(
                        fileIO,
                        Map.of(
                                "scan.ignore-corrupt-files", "true",
                                "scan.ignore-lost-files", "true"));
        int failed = 0;
        for (int number = 1; number <= read.operations(); number++) {
            int failing = number;
            fileIO.inject(
                    operation ->
                            operation.number() >= failing
                                            && operation.kind() != StreamOperation.Kind.CLOSE
                                    ? failure.fail()
                                    : operation.length());
            try {
                assertThat(read.rows()).as("failing from operation %s", number).isEqualTo(ROWS);
            } catch (IOException | RuntimeException | OutOfMemoryError e) {
                failed++;
                assertThat(e).hasStackTraceContaining(failure.failure.get().getClass().getName());
                assertThat(e).isNotInstanceOf(CorruptBlobFileException.class);
            } finally {
                fileIO.reset();
            }
            fileIO.assertNothingOpen();
        }
        assertThat(failed).isEqualTo(read.lastBeforeClosing());
    }

    /** R12, R22: the other side of the one above. */
    @ParameterizedTest
    @EnumSource
    void aFileThatIsShorterThanItsMetadataSaysIsAGapIfCorruptFilesMayBeIgnored(Storage storage)
            throws Exception {
        CountingFileIO fileIO = storage.open();
        SmallRead strict = new SmallRead(fileIO);
        FileStoreTable lenient = strict.table.copy(Map.of("scan.ignore-corrupt-files", "true"));
        DataFileMeta newest = strict.newestPicture();
        Path file = strict.pathOf(newest);
        for (long size : new long[] {0, 3, newest.fileSize() - 1}) {
            fileIO.delete(file, false);
            fileIO.writeFile(file, "x".repeat((int) size), true);

            assertThatThrownBy(strict::rows)
                    .isInstanceOf(CorruptBlobFileException.class)
                    .hasMessageContaining(file.getName())
                    .hasMessageContaining(
                            "expected the "
                                    + newest.fileSize()
                                    + " bytes that its metadata says, found "
                                    + size);
            assertThat(strict.rowsOf(lenient))
                    .containsExactly(
                            asList("old0", "d0"),
                            asList("old1", null),
                            asList("old2", "d2"),
                            asList("old3", "d3"));
        }
        fileIO.assertNothingOpen();
    }

    /** R12 */
    @ParameterizedTest
    @EnumSource
    void aFileThatDoesNotExistIsAGapIfLostFilesMayBeIgnored(Storage storage) throws Exception {
        CountingFileIO fileIO = storage.open();
        SmallRead strict = new SmallRead(fileIO);
        Path file = strict.pathOf(strict.newestPicture());
        fileIO.delete(file, false);

        assertThatThrownBy(strict::rows)
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining(file.getName() + " does not exist");
        assertThatThrownBy(
                        () ->
                                strict.rowsOf(
                                        strict.table.copy(
                                                Map.of("scan.ignore-corrupt-files", "true"))))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining(file.getName() + " does not exist");
        assertThat(strict.rowsOf(strict.table.copy(Map.of("scan.ignore-lost-files", "true"))))
                .containsExactly(
                        asList("old0", "d0"),
                        asList("old1", null),
                        asList("old2", "d2"),
                        asList("old3", "d3"));
        fileIO.assertNothingOpen();
    }

    /** R22 */
    @Test
    void aFileOfANewerVersionIsNeverAGap() throws Exception {
        SmallRead read = new SmallRead(CountingFileIO.vectored());
        java.nio.file.Path file = Paths.get(read.pathOf(read.newestPicture()).toUri().getPath());
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1] = 2;
        Files.write(file, bytes);

        assertThatThrownBy(
                        () ->
                                read.rowsOf(
                                        read.table.copy(
                                                Map.of(
                                                        "scan.ignore-corrupt-files", "true",
                                                        "scan.ignore-lost-files", "true"))))
                .isInstanceOf(NewerBlobFileException.class)
                .hasMessageContaining(file.getFileName().toString())
                .hasMessageContaining("expected version 1 of the file at position ")
                .hasMessageContaining("found 2. A Paimon newer than 2.0 may have written it");
    }

    /**
     * R12 beside: streams of sound files are closed to make room for others. A failure of that does
     * not turn their rows into a gap.
     */
    @ParameterizedTest
    @CsvSource({"VECTORED, false", "VECTORED, true", "SEQUENTIAL, false", "SEQUENTIAL, true"})
    void aStreamThatDoesNotCloseToMakeRoomCostsNoRow(Storage storage, boolean unchecked)
            throws Exception {
        CountingFileIO fileIO = storage.open();
        LayeredTable layers = LayeredTable.create(fileIO, folder);
        int count = storage == Storage.VECTORED ? 520 : 140;
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

        /** The update of the pictures. */
        private DataFileMeta newestPicture() {
            return ((DataSplit) split)
                    .dataFiles().stream()
                            .max(Comparator.comparingLong(DataFileMeta::maxSequenceNumber))
                            .orElseThrow();
        }

        private Path pathOf(DataFileMeta file) {
            return table.store()
                    .pathFactory()
                    .createDataFilePathFactory(BinaryRow.EMPTY_ROW, 0)
                    .toPath(file);
        }

        private List<List<Object>> rows() throws IOException {
            return rowsOf(table);
        }

        private List<List<Object>> rowsOf(FileStoreTable table) throws IOException {
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
        long deadline = System.nanoTime() + 60_000_000_000L;
        Set<Thread> left;
        do {
            left = new HashSet<>(Thread.getAllStackTraces().keySet());
            left.removeAll(before);
            left.removeIf(thread -> !thread.getName().contains("blob"));
        } while (!left.isEmpty() && System.nanoTime() < deadline);
        assertThat(left).isEmpty();
    }
}
