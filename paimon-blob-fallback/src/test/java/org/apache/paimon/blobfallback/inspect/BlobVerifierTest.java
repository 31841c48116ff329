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

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.paimon.blobfallback.BlobFallback;
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

    /** The only blob file of at least and at most so many bytes. */
    private Path blobFile(long least, long most) throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> found =
                    files.filter(file -> file.toString().endsWith(".blob"))
                            .filter(file -> least <= file.toFile().length())
                            .filter(file -> file.toFile().length() <= most)
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
                        fault ->
                                assertThat(fault)
                                        .contains("Failed to check blob file")
                                        .contains(docs.getFileName().toString()),
                        fault ->
                                assertThat(fault)
                                        .contains(update.getFileName().toString())
                                        .contains("found 1000."));
    }

    @Test
    void ofAFileWithManyFaultsTheFirstAreListedAndAllAreCounted() throws Exception {
        Path pics = pics();
        for (int entry = 0; entry < 30; entry++) {
            damage(pics, entry * PIC_ENTRY);
        }

        BlobVerification report = verify();

        assertThat(report.faultCount()).isEqualTo(30);
        assertThat(report.faults()).hasSize(BlobVerification.MOST_FAULTS_OF_A_FILE);
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
