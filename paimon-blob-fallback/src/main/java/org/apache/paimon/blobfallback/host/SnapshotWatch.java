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

package org.apache.paimon.blobfallback.host;

import java.util.function.Consumer;
import org.apache.paimon.Snapshot;
import org.apache.paimon.fs.Path;
import org.apache.paimon.shade.caffeine2.com.github.benmanes.caffeine.cache.Cache;
import org.apache.paimon.shade.caffeine2.com.github.benmanes.caffeine.cache.Caffeine;
import org.apache.paimon.table.FileStoreTable;

/**
 * Observes the snapshots of a table that the host reads. The host has no hook for that, but puts
 * each snapshot into the table's cache, so the watch is a cache that keeps none.
 */
public final class SnapshotWatch {

    private SnapshotWatch() {}

    /**
     * Shows a watcher each snapshot that the host reads from now on.
     *
     * @param table whose cache of snapshots is replaced
     * @param watcher may throw; the exception then fails the host's operation
     */
    public static void watch(FileStoreTable table, Consumer<Snapshot> watcher) {
        Cache<Path, Snapshot> none =
                Caffeine.newBuilder()
                        .maximumWeight(0)
                        .executor(Runnable::run)
                        .<Path, Snapshot>weigher(
                                (path, snapshot) -> {
                                    watcher.accept(snapshot);
                                    return 1;
                                })
                        .build();
        table.setSnapshotCache(none);
    }
}
