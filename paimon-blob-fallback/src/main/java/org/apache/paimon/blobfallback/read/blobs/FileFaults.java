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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.format.io.BlobFileException;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.format.io.CorruptBlobFileException;
import org.apache.paimon.blobfallback.format.io.NewerBlobFileException;
import org.apache.paimon.utils.ExceptionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How to handle a blob file that cannot be read, by the host's options {@code
 * scan.ignore-lost-files} and {@code scan.ignore-corrupt-files}. A file with contradictory bytes is
 * corrupt and may be ignored. If the storage has failed, or the file is too new, its content is
 * unknown, and ignoring it would return older values.
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

    /** Whether any fault may be ignored. */
    public boolean ignoresSome() {
        return ignoreLost || ignoreCorrupt;
    }

    /**
     * Logs the fault and returns if the table's options say that the file counts as a gap.
     *
     * @param file that could not be read
     * @param fault what went wrong
     * @throws IOException otherwise; it names the file
     */
    public void ignoreOrThrow(BlobFileInput file, BlobFileException fault) throws IOException {
        if (fault instanceof CorruptBlobFileException) {
            if (!ignoreCorrupt) {
                throw fault;
            }
            LOG.warn("Blob file {} is corrupt, its rows count as a gap.", file.path(), fault);
        } else if (isLost(file, fault)) {
            if (!ignoreLost) {
                throw lost(file, fault);
            }
            LOG.warn("Blob file {} is lost, its rows count as a gap.", file.path());
        } else {
            throw fault;
        }
    }

    /**
     * The exception that says what is wrong with the file: that it is corrupt, too new or lost.
     *
     * @param file that could not be read
     * @param fault what went wrong
     * @throws BlobFileException the fault, if it only says that the storage has failed
     */
    public static IOException ofFile(BlobFileInput file, BlobFileException fault)
            throws BlobFileException {
        if (fault instanceof CorruptBlobFileException || fault instanceof NewerBlobFileException) {
            return fault;
        }
        if (isLost(file, fault)) {
            return lost(file, fault);
        }
        throw fault;
    }

    /**
     * Whether a file does not exist. Both the failure and a second request to the storage must say
     * so: some storages report a file as not found if they must not read it, and some say that it
     * does not exist if they do not know.
     */
    private static boolean isLost(BlobFileInput file, BlobFileException fault)
            throws BlobFileException {
        if (!ExceptionUtils.findThrowable(fault, FileNotFoundException.class).isPresent()
                && !ExceptionUtils.findThrowable(fault, NoSuchFileException.class).isPresent()) {
            return false;
        }
        try {
            return !file.file().exists();
        } catch (IOException | RuntimeException e) {
            fault.addSuppressed(e);
            throw fault;
        }
    }

    private static FileNotFoundException lost(BlobFileInput file, BlobFileException fault) {
        FileNotFoundException lost =
                new FileNotFoundException(
                        "Blob file "
                                + file.path()
                                + " does not exist. A snapshot that expired while it was read"
                                + " loses its files; '"
                                + CoreOptions.SCAN_IGNORE_LOST_FILE.key()
                                + "' reads on without.");
        lost.initCause(fault);
        return lost;
    }
}
