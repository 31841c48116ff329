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

package org.apache.paimon.blobfallback.write;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;

/** The files that a writer has started, until a snapshot has them. */
public final class UncommittedFiles {

    private final FileIO fileIO;
    @Nullable private final CommitTrail commit;
    private final List<Path> paths = new ArrayList<>();

    /** Files that do not become part of a commit. */
    public UncommittedFiles(FileIO fileIO) {
        this(fileIO, null);
    }

    /**
     * @param commit that the files become part of; null if there is none
     */
    public UncommittedFiles(FileIO fileIO, @Nullable CommitTrail commit) {
        this.fileIO = fileIO;
        this.commit = commit;
    }

    /** Notes a file, before it is created. */
    public void add(Path path) {
        paths.add(path);
    }

    /** Forgets the files without deleting them: another object is responsible for them now. */
    public void handOver() {
        paths.clear();
    }

    /**
     * Deletes the files that exist; none if they are committed.
     *
     * @throws IOException if some could not be deleted, after all have been tried, or if it is
     *     unknown whether they are committed; it names them, and another call tries those again
     */
    public void delete() throws IOException {
        if (paths.isEmpty() || isCommitted()) {
            paths.clear();
            return;
        }
        IOException failure = null;
        for (Iterator<Path> iterator = paths.iterator(); iterator.hasNext(); ) {
            Path path = iterator.next();
            try {
                if (!fileIO.delete(path, false) && fileIO.exists(path)) {
                    throw new IOException("The file system did not delete " + path);
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

    private boolean isCommitted() throws IOException {
        try {
            return commit != null && commit.hasLanded();
        } catch (IllegalStateException e) {
            throw new IOException(
                    "It is unknown whether blob files are committed, so they are not deleted yet: "
                            + paths,
                    e);
        }
    }
}
