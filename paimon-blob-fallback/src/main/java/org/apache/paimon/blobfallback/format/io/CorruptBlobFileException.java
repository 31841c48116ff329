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

import javax.annotation.Nullable;
import org.apache.paimon.fs.Path;

/** A blob file whose bytes contradict themselves, its metadata or its column's type. */
public final class CorruptBlobFileException extends BlobFileException {

    private static final long serialVersionUID = 1L;

    private CorruptBlobFileException(Path path, String problem, @Nullable Throwable cause) {
        super(path, "Corrupt blob file " + path + ": " + problem + ".", cause);
    }

    /**
     * The content of the file is contradictory.
     *
     * @param path the file
     * @param problem format of what was expected and what was found, and where
     * @param arguments of the format
     */
    public static CorruptBlobFileException corrupt(Path path, String problem, Object... arguments) {
        return new CorruptBlobFileException(path, String.format(problem, arguments), null);
    }

    /**
     * The size of the file differs from its metadata.
     *
     * @param expected bytes according to the metadata
     * @param found bytes according to the storage
     * @param cause the first symptom, null if that was the size
     */
    static CorruptBlobFileException size(
            Path path, long expected, long found, @Nullable Throwable cause) {
        return new CorruptBlobFileException(
                path,
                String.format(
                        "expected the %s bytes that its metadata says, found %s", expected, found),
                cause);
    }
}
