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

package org.apache.paimon.blobfallback.read.blobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.format.index.BlobIndex;
import org.apache.paimon.blobfallback.format.io.BlobFileException;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.testio.CapturedLog;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.options.Options;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** R22: what counts as a lost file. */
class FileFaultsTest {

    private static final FileFaults LENIENT =
            new FileFaults(
                    new CoreOptions(
                            Options.fromMap(
                                    Map.of(
                                            "scan.ignore-lost-files", "true",
                                            "scan.ignore-corrupt-files", "true"))));

    @TempDir java.nio.file.Path folder;

    @Test
    void aFileThatDoesNotExistIsLost() throws Exception {
        BlobFileInput lost = file(LocalFileIO.create());
        BlobFileException fault = readFault(lost);

        LENIENT.ignoreOrThrow(lost, fault);
        assertThatThrownBy(
                        () ->
                                new FileFaults(new CoreOptions(new Options()))
                                        .ignoreOrThrow(lost, fault))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("missing.blob does not exist")
                .hasMessageContaining("'scan.ignore-lost-files' reads on without");
    }

    @Test
    void aFileThatTheStorageDoesNotFindInItsOwnWordsIsLostToo() throws Exception {
        BlobFileInput lost = file(failing(new NoSuchFileException("missing.blob")));

        String log = CapturedLog.of("warn", () -> LENIENT.ignoreOrThrow(lost, readFault(lost)));

        assertThat(log).contains("missing.blob is lost, its rows count as a gap");
    }

    @Test
    void aFailureIsNotALostFileEvenIfTheFileIsGoneMeanwhile() throws Exception {
        BlobFileInput file = file(failing(new IOException("Read timed out")));

        assertFails(file, "Failed to open blob file ", "missing.blob: Read timed out");
    }

    @Test
    void aStorageThatFailsToSayWhetherAFileExistsHasFailed() throws Exception {
        FileIO fileIO = failing(new FileNotFoundException("missing.blob"));
        when(fileIO.exists(any()))
                .thenThrow(new IllegalStateException("Connection pool shut down"));
        BlobFileInput file = file(fileIO);

        assertFails(file, "Failed to open blob file ", "Connection pool shut down");
    }

    private void assertFails(BlobFileInput file, String... parts) {
        BlobFileException fault = readFault(file);
        assertThatThrownBy(() -> LENIENT.ignoreOrThrow(file, fault))
                .isSameAs(fault)
                .satisfies(
                        thrown -> {
                            for (String part : parts) {
                                assertThat(thrown).hasStackTraceContaining(part);
                            }
                        });
    }

    private static BlobFileException readFault(BlobFileInput file) {
        try {
            BlobIndex.read(file, 3);
        } catch (BlobFileException e) {
            return e;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        throw new AssertionError("The file was read.");
    }

    private BlobFileInput file(FileIO fileIO) {
        return new BlobFileInput(
                fileIO, new Path(folder.resolve("missing.blob").toUri().toString()), 100);
    }

    /** A storage that opens nothing, in words that a real one cannot be made to say. */
    private static FileIO failing(IOException failure) throws IOException {
        FileIO fileIO = mock(FileIO.class);
        when(fileIO.newInputStream(any())).thenThrow(failure);
        when(fileIO.getFileSize(any())).thenThrow(failure);
        when(fileIO.exists(any())).thenReturn(false);
        return fileIO;
    }
}
