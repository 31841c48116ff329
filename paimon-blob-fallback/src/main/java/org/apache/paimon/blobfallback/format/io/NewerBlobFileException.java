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

import org.apache.paimon.fs.Path;

/**
 * A blob file of a format version that is newer than this plugin. It is sound for software that
 * supports the version, so it is never treated as corrupt.
 */
public final class NewerBlobFileException extends BlobFileException {

    private static final long serialVersionUID = 1L;

    /**
     * @param path the file
     * @param what has the version: the file itself or something in it
     * @param the place of the version
     * @param known the newest version that the plugin reads
     * @param found the version
     */
    public NewerBlobFileException(Path path, String what, String where, byte known, byte found) {
        super(
                path,
                String.format(
                        "Blob file %s is newer than this plugin: expected version %s of %s at %s,"
                                + " found %s. A Paimon newer than 2.0 may have written it: read the"
                                + " table with that Paimon, or with a plugin that knows the"
                                + " version.",
                        path, known, what, where, found),
                null);
    }
}
