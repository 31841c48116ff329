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

package org.apache.paimon.blobfallback.format.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many streams stay open for the next read, and which; docs/limits.md has the rule. */
class StreamPoolTest {

    private final List<BlobFileInput> files = new ArrayList<>();

    @TempDir private Path folder;
    private Path path;

    @BeforeEach
    void write() throws Exception {
        path = Files.write(folder.resolve("file"), new byte[] {0, 1, 2, 3, 4, 5, 6, 7});
    }

    @AfterEach
    void close() throws Exception {
        for (BlobFileInput file : files) {
            file.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 16", "8, 16", "9, 18", "32, 64"})
    void aStoreKeepsTwoStreamsForEachRequestAndSixteenAtLeast(int parallelism, int kept)
            throws Exception {
        CountingFileIO store = CountingFileIO.sequential();
        for (int i = 0; i < kept + 5; i++) {
            file(store, parallelism).read(0, 1);
        }
        assertThat(store.openStreams()).hasSize(kept);
    }

    @Test
    void aDiskKeepsHalfOfTheFileDescriptorsThatAProcessHasAtLeast() throws Exception {
        CountingFileIO disk = CountingFileIO.vectored();
        for (int i = 0; i < 517; i++) {
            file(disk, 32).read(0, 1);
        }
        assertThat(disk.openStreams()).hasSize(512);
    }

    @Test
    void filesOfADiskCloseNoneOfAStore() throws Exception {
        CountingFileIO store = CountingFileIO.sequential();
        CountingFileIO disk = CountingFileIO.vectored();
        BlobFileInput ofStore = file(store, 1);
        ofStore.read(0, 1);
        for (int i = 0; i < 517; i++) {
            file(disk, 1).read(0, 1);
        }
        assertThat(store.openStreams()).hasSize(1);
        assertThat(ofStore.lastEnd()).isEqualTo(1);
    }

    @Test
    void theStreamThatWasNotReadForTheLongestTimeIsClosedFirst() throws Exception {
        CountingFileIO store = CountingFileIO.sequential();
        for (int i = 0; i < 16; i++) {
            file(store, 1).read(0, 1);
        }
        BlobFileInput first = files.get(0);
        BlobFileInput second = files.get(1);
        first.read(1, 1);

        file(store, 1).read(0, 1);

        assertThat(first.lastEnd()).isEqualTo(2);
        assertThat(second.lastEnd()).isEqualTo(BlobFileInput.NOWHERE);
    }

    @Test
    void aReadContinuesInTheOpenStream() throws Exception {
        CountingFileIO store = CountingFileIO.sequential();
        BlobFileInput file = file(store, 1);
        file.read(0, 4);
        file.read(4, 4);
        assertThat(store.openStreams()).hasSize(1);
        assertThat(store.requests("file")).isEqualTo(1);
    }

    @Test
    void aFileThatIsClosedHasNoStreamInThePool() throws Exception {
        CountingFileIO store = CountingFileIO.sequential();
        BlobFileInput file = file(store, 1);
        file.read(0, 4);
        file.close();
        store.assertNothingOpen();
        assertThat(file.lastEnd()).isEqualTo(BlobFileInput.NOWHERE);
    }

    private BlobFileInput file(CountingFileIO fileIO, int parallelism) {
        BlobFileInput file =
                new BlobFileInput(
                        fileIO,
                        new org.apache.paimon.fs.Path(path.toUri()),
                        8,
                        new BlobReadMetrics(),
                        parallelism);
        files.add(file);
        return file;
    }
}
