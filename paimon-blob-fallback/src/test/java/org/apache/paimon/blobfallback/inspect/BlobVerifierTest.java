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

package org.apache.paimon.blobfallback.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.testio.StreamOperation;
import org.apache.paimon.shade.guava30.com.google.common.util.concurrent.Uninterruptibles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real tables, sound and damaged (R1, R13). */
class BlobVerifierTest {

    /** Bytes of an entry of a pic. */
    private static final int PIC_ENTRY = 10 + 16;

    @TempDir private Path folder;

    private LayeredTable table;

    @BeforeEach
    void createTable() throws Exception {
        table = new LayeredTable(folder, Map.of());
        table.append("mon", 30);
        table.update("pic", Map.of(3L, 6_000_000));
    }

    @AfterEach
    void everyStreamIsClosed() {
        table.fileIO().assertNothingOpen();
    }

    private BlobVerification verify() throws Exception {
        return BlobFallback.verify(table.table());
    }

    /** The only blob file with a size in this range, in bytes. */
    private Path blobFile(long min, long max) throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> found =
                    files.filter(file -> file.toString().endsWith(".blob"))
                            .filter(file -> min <= file.toFile().length())
                            .filter(file -> file.toFile().length() <= max)
                            .toList();
            assertThat(found).hasSize(1);
            return found.get(0);
        }
    }

    /** The pics as they were appended. */
    private Path pics() throws Exception {
        return blobFile(0, 1_000);
    }

    /** The docs as they were appended, which are twice as long. */
    private Path docs() throws Exception {
        return blobFile(1_001, 2_000);
    }

    /** The update of one pic. */
    private Path update() throws Exception {
        return blobFile(6_000_000, Long.MAX_VALUE);
    }

    private static void damage(Path file, long position) throws Exception {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(position);
            int before = bytes.read();
            bytes.seek(position);
            bytes.write(before ^ 1);
        }
    }

    @Test
    void aSoundTableHasNoFaultsAndEachFileIsCounted() throws Exception {
        List<String> progress = new ArrayList<>();

        BlobVerification report =
                BlobFallback.verify(
                        table.table(),
                        (files, ofFiles, bytes, ofBytes) ->
                                progress.add(files + "/" + ofFiles + " " + (bytes <= ofBytes)));

        assertThat(report.faults()).isEmpty();
        assertThat(report.isSound()).isTrue();
        assertThat(report.fileCount()).isEqualTo(3);
        assertThat(report.byteCount()).isGreaterThan(6_000_000);
        assertThat(progress).containsExactly("1/3 true", "2/3 true", "3/3 true");
    }

    @Test
    void everyDamagedEntryIsNamedWithItsPlace() throws Exception {
        Path pics = pics();
        damage(pics, 2 * PIC_ENTRY);
        damage(pics, 7 * PIC_ENTRY + 9);
        damage(pics, 9 * PIC_ENTRY + 14);

        BlobVerification report = verify();

        assertThat(report.isSound()).isFalse();
        assertThat(report.faultCount()).isEqualTo(3);
        assertThat(report.faults())
                .allSatisfy(fault -> assertThat(fault).contains(pics.getFileName().toString()))
                .satisfiesExactly(
                        magic ->
                                assertThat(magic)
                                        .contains("in entry 2 at position 52, expected the magic"),
                        checksum ->
                                assertThat(checksum)
                                        .contains("in entry 7 at position 182, expected the CRC32"),
                        length ->
                                assertThat(length)
                                        .contains("in entry 9 at position 234, its index says 26"));
    }

    @Test
    void aDamagedEntryThatIsLongerThanARequestIsFound() throws Exception {
        Path update = update();
        damage(update, 5_999_999);

        assertThat(verify().faults())
                .singleElement()
                .asString()
                .contains("in entry 3 at position 0, expected the CRC32");
    }

    @Test
    void filesThatAreLostCutOrHaveABadIndexAreNamedAndTheOthersAreStillChecked() throws Exception {
        Path pics = pics();
        Path docs = docs();
        Path update = update();
        damage(pics, Files.size(pics) - 1);
        Files.delete(docs);
        try (RandomAccessFile bytes = new RandomAccessFile(update.toFile(), "rw")) {
            bytes.setLength(1000);
        }

        assertThat(verify().faults())
                .satisfiesExactlyInAnyOrder(
                        fault ->
                                assertThat(fault)
                                        .contains(pics.getFileName().toString())
                                        .contains("expected version 1"),
                        fault -> assertThat(fault).contains(docs.getFileName() + " does not exist"),
                        fault ->
                                assertThat(fault)
                                        .contains(update.getFileName().toString())
                                        .contains("found 1000."));
    }

    /** R22: a report says what is wrong with files, not that the storage has failed meanwhile. */
    @Test
    void aFailureOfTheStorageFailsTheCheckAndIsNotAFault() {
        table.fileIO()
                .inject(
                        operation -> {
                            if (operation.kind() == StreamOperation.Kind.READ
                                    && operation.path().getName().endsWith(".blob")) {
                                throw new SocketTimeoutException("Read timed out");
                            }
                            return operation.length();
                        });
        try {
            assertThatThrownBy(this::verify)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Failed to check table: Failed to read ")
                    .hasMessageContaining(".blob: Read timed out")
                    .hasRootCauseInstanceOf(SocketTimeoutException.class);
        } finally {
            table.fileIO().reset();
        }
    }

    @Test
    void aCheckThatFailsWaitsForTheFilesThatAreStillBeingRead() throws Exception {
        CountDownLatch failing = new CountDownLatch(1);
        CountDownLatch reading = new CountDownLatch(1);
        String slow = update().getFileName().toString();
        table.fileIO()
                .inject(
                        operation -> {
                            String file = operation.path().getName();
                            if (operation.kind() != StreamOperation.Kind.READ
                                    || !file.endsWith(".blob")) {
                                return operation.length();
                            }
                            if (!file.equals(slow)) {
                                Uninterruptibles.awaitUninterruptibly(reading);
                                failing.countDown();
                                throw new SocketTimeoutException("Read timed out");
                            }
                            reading.countDown();
                            Uninterruptibles.awaitUninterruptibly(failing);
                            Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(200));
                            return operation.length();
                        });

        BlobVerifier verifier =
                new BlobVerifier(table.table(), (files, ofFiles, bytes, ofBytes) -> {});

        assertThatThrownBy(() -> verifier.verify(3))
                .hasRootCauseInstanceOf(SocketTimeoutException.class);

        assertThat(table.fileIO().openStreams()).isEmpty();
    }

    @Test
    void ofAFileWithManyFaultsTheFirstAreListedAndAllAreCounted() throws Exception {
        Path pics = pics();
        for (int entry = 0; entry < 30; entry++) {
            damage(pics, entry * PIC_ENTRY);
        }

        BlobVerification report = verify();

        assertThat(report.faultCount()).isEqualTo(30);
        assertThat(report.faults()).hasSize(BlobVerification.MAX_FAULTS_OF_A_FILE);
        assertThat(report.toString().lines())
                .startsWith(
                        "Table table: 3 blob files, " + report.byteCount() + " bytes, 30 faults")
                .endsWith("and 10 more");
    }

    @Test
    void aTableWithoutFilesOfItsOwnIsRefused() {
        assertThatThrownBy(() -> BlobFallback.verify(BlobFallback.layers(table.table())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has no data files");
    }
}
