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

package org.apache.paimon.blobfallback.format;

import java.io.IOException;
import org.apache.paimon.blobfallback.BlobFallbackOptions;
import org.apache.paimon.fs.Path;
import org.apache.paimon.options.CatalogOptions;

/** A blob file that cannot be read, or that does not hold what it says. */
public final class BlobFileException extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient Path path;

    private BlobFileException(Path path, String message, Throwable cause) {
        super(message, cause);
        this.path = path;
    }

    /**
     * The file does not hold what it says.
     *
     * @param path the file
     * @param problem format of what was expected and what was found, and where
     * @param arguments of the format
     */
    static BlobFileException corrupt(Path path, String problem, Object... arguments) {
        return new BlobFileException(
                path,
                "Corrupt blob file " + path + ": " + String.format(problem, arguments) + ".",
                null);
    }

    /**
     * A placeholder is asked for in a read that does not go through the plugin's tables: one by
     * another catalog of the same class path, for which the table's option does nothing.
     */
    static BlobFileException placeholder(Path path, int entry) {
        return new BlobFileException(
                path,
                String.format(
                        "Entry %d of blob file %s is a placeholder, since Paimon 2.0 has updated the blob column in"
                                + " part. Read the table through a catalog with '%s' = '%s', with"
                                + " the table option '%s' = 'true'.",
                        entry,
                        path,
                        CatalogOptions.METASTORE.key(),
                        BlobFallbackOptions.METASTORE_IDENTIFIER,
                        BlobFallbackOptions.ENABLED.key()),
                null);
    }

    /** The file, or a part of it, cannot be read. */
    static BlobFileException unreadable(Path path, String attempt, Throwable cause) {
        return new BlobFileException(
                path,
                "Failed to " + attempt + " blob file " + path + ": " + cause.getMessage(),
                cause);
    }

    /** The file. */
    public Path path() {
        return path;
    }
}
