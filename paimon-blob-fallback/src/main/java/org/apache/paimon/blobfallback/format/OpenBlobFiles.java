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
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Bounds the number of blob files whose streams stay open between reads: the one that was not read
 * for the longest time is closed first. A file that is closed opens again when it is read.
 */
public final class OpenBlobFiles {

    /** Far below the usual limit of 1024 open files of a process. */
    static final int MOST_FILES = 64;

    private final Set<BlobFileInput> files = new LinkedHashSet<>();

    /**
     * Notes that a file was read.
     *
     * @throws IOException if the file that makes room for it does not close
     */
    public void touch(BlobFileInput file) throws IOException {
        files.remove(file);
        files.add(file);
        if (files.size() > MOST_FILES) {
            Iterator<BlobFileInput> oldest = files.iterator();
            BlobFileInput closing = oldest.next();
            oldest.remove();
            closing.releaseStreams();
        }
    }

    /**
     * Closes the streams of all files.
     *
     * @throws IOException if one does not close
     */
    public void releaseAll() throws IOException {
        for (Iterator<BlobFileInput> iterator = files.iterator(); iterator.hasNext(); ) {
            BlobFileInput file = iterator.next();
            iterator.remove();
            file.releaseStreams();
        }
    }
}
