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

package org.apache.paimon.blobfallback.update;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;

/** The files that a writer has begun and that no snapshot knows yet. */
final class UncommittedFiles {

    private final FileIO fileIO;
    private final List<Path> paths = new ArrayList<>();

    UncommittedFiles(FileIO fileIO) {
        this.fileIO = fileIO;
    }

    /** Notes a file, before it is created. */
    void add(Path path) {
        paths.add(path);
    }

    /** Forgets the files without deleting them: somebody else answers for them now. */
    void handOver() {
        paths.clear();
    }

    /**
     * Deletes the files, as far as they are there.
     *
     * @throws IOException if some could not be deleted, once all have been tried; it names them,
     *     and another call tries those again
     */
    void delete() throws IOException {
        IOException failure = null;
        for (Iterator<Path> iterator = paths.iterator(); iterator.hasNext(); ) {
            Path path = iterator.next();
            try {
                if (!fileIO.delete(path, false) && fileIO.exists(path)) {
                    throw new IOException("The file system kept " + path);
                }
                iterator.remove();
            } catch (IOException e) {
                if (failure == null) {
                    failure = new IOException("Cannot delete uncommitted blob files of " + paths);
                }
                failure.addSuppressed(e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
