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

package org.apache.paimon.blobfallback.format.index;

import java.io.IOException;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;

/** Where a read has the indexes of blob files from. For several threads. */
public interface Indexes {

    /** The files themselves, each time. */
    Indexes OF_FILES = (file, rowCount, reader) -> reader.read(file, rowCount);

    /**
     * The index of a file, checked.
     *
     * @param file has its frame set when this returns
     * @param rowCount number of entries that the file's metadata promises
     * @param reader reads the file if that is needed
     * @throws IOException if the file cannot be read or is not a sound blob file; it names the file
     *     and what is wrong
     */
    BlobIndex of(BlobFileInput file, long rowCount, BlobIndexReader reader) throws IOException;

    /** Whether they keep an index for the next time, so that a read need not. */
    default boolean keep() {
        return false;
    }
}
