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

import java.io.IOException;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.fs.Path;
import org.apache.paimon.options.CatalogOptions;

/**
 * A blob file that cannot be read. If its bytes are contradictory it is a {@link
 * CorruptBlobFileException}, and if newer software has written it a {@link NewerBlobFileException};
 * everything else is a failure of the storage, which says nothing about the file.
 */
public class BlobFileException extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient Path path;

    BlobFileException(Path path, String message, Throwable cause) {
        super(message, cause);
        this.path = path;
    }

    /**
     * A placeholder is read, but not through the plugin's tables: by another catalog on the same
     * class path, for which the table's option has no effect.
     */
    public static BlobFileException placeholder(Path path, int entry) {
        return new BlobFileException(
                path,
                String.format(
                        "Entry %s of blob file %s is a placeholder, since Paimon 2.0 has updated the blob column in"
                                + " part. Read the table through a catalog with '%s' = '%s', with"
                                + " the table option '%s' = 'true'.",
                        entry,
                        path,
                        CatalogOptions.METASTORE.key(),
                        BlobFallbackOptions.METASTORE_IDENTIFIER,
                        BlobFallbackOptions.ENABLED.key()),
                null);
    }

    /** The storage does not return the file, or a part of it. */
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
