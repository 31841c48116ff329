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

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.format.BlobFileInput;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a blob file that cannot be read, by the host's options {@code
 * scan.ignore-lost-files} and {@code scan.ignore-corrupt-files}.
 */
public final class FileFaults {

    private static final Logger LOG = LoggerFactory.getLogger(FileFaults.class);

    private final boolean ignoreLost;
    private final boolean ignoreCorrupt;

    /**
     * @param options of the table
     */
    public FileFaults(CoreOptions options) {
        this.ignoreLost = options.scanIgnoreLostFile();
        this.ignoreCorrupt = options.scanIgnoreCorruptFile();
    }

    /** Whether any fault at all may be ignored. */
    boolean ignoresSome() {
        return ignoreLost || ignoreCorrupt;
    }

    /**
     * Returns, after a line in the log, if the table's options say that the file counts as a gap.
     *
     * @param file that could not be read
     * @param fault what went wrong
     * @throws IOException otherwise; it names the file
     */
    public void ignoreOrThrow(BlobFileInput file, Exception fault) throws IOException {
        if (!file.fileIO().exists(file.path())) {
            if (ignoreLost) {
                LOG.warn("Blob file {} is lost, its rows count as a gap.", file.path());
                return;
            }
            FileNotFoundException lost =
                    new FileNotFoundException(
                            "Blob file "
                                    + file.path()
                                    + " does not exist. A snapshot that expired while it was read"
                                    + " loses its files; '"
                                    + CoreOptions.SCAN_IGNORE_LOST_FILE.key()
                                    + "' reads on without.");
            lost.initCause(fault);
            throw lost;
        }
        if (ignoreCorrupt) {
            LOG.warn("Blob file {} is corrupt, its rows count as a gap.", file.path(), fault);
            return;
        }
        if (fault instanceof IOException) {
            throw (IOException) fault;
        }
        throw new IOException("Failed to read blob file " + file.path(), fault);
    }
}
