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

import java.io.Serializable;
import javax.annotation.Nullable;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.write.BlobTable;
import org.apache.paimon.table.FileStoreTable;

/**
 * The snapshot that an update is planned on.
 *
 * <p>It is not identified by its number: after a rollback another snapshot may have the same
 * number, with other rows under the same ids. It may also expire while it is read.
 */
final class PlannedSnapshot implements Serializable {

    private static final long serialVersionUID = 1L;

    private final FileStoreTable table;
    private final Snapshot snapshot;

    /**
     * @param table that reads snapshots without a cache
     */
    PlannedSnapshot(FileStoreTable table, Snapshot snapshot) {
        this.table = table;
        this.snapshot = snapshot;
    }

    Snapshot snapshot() {
        return snapshot;
    }

    /** Whether the table still has the snapshot. */
    boolean isThere() {
        return BlobTable.has(table, snapshot);
    }

    /**
     * Checks that the table still has the snapshot.
     *
     * @throws BlobUpdateConflictException if it has expired or been rolled back
     */
    void check() {
        if (!isThere()) {
            throw conflict(null);
        }
    }

    /**
     * Runs a reader of the snapshot.
     *
     * @throws BlobUpdateConflictException if it fails because the snapshot has expired or been
     *     rolled back
     * @throws E of the reader, if it fails for another reason
     */
    <T, E extends Exception> T read(Reader<T, E> reader) throws E {
        try {
            return reader.read();
        } catch (BlobUpdateConflictException | IllegalStateException e) {
            throw e;
        } catch (Exception e) {
            if (isThere()) {
                throw e;
            }
            throw conflict(e);
        }
    }

    /** The exception for a failure because the snapshot does not exist any more. */
    BlobUpdateConflictException conflict(@Nullable Throwable cause) {
        return new BlobUpdateConflictException(
                String.format(
                        "Snapshot %s of table %s, for which the update was written, has expired or"
                                + " been rolled back: it is unknown whether its groups are still the same."
                                + " Update again from a newer snapshot.",
                        snapshot.id(), table.fullName()),
                cause);
    }

    /** Reads a snapshot. */
    interface Reader<T, E extends Exception> {

        T read() throws E;
    }
}
