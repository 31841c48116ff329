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

package org.apache.paimon.blobfallback.serve;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.paimon.blobfallback.format.index.BlobIndex;
import org.apache.paimon.blobfallback.format.index.BlobIndexReader;
import org.apache.paimon.blobfallback.format.index.Indexes;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.format.io.ReadThreads;
import org.apache.paimon.shade.caffeine2.com.github.benmanes.caffeine.cache.AsyncCache;
import org.apache.paimon.shade.caffeine2.com.github.benmanes.caffeine.cache.Caffeine;

/**
 * The most used indexes of blob files, up to a maximum size in bytes. Thread-safe; concurrent
 * callers read a file's index once.
 */
final class IndexCache implements Indexes {

    private final AsyncCache<BlobFileInput, BlobIndex> cache;

    /**
     * @param maxBytes maximum size of all indexes together
     */
    IndexCache(long maxBytes) {
        this.cache =
                Caffeine.newBuilder()
                        .maximumWeight(maxBytes)
                        .<BlobFileInput, BlobIndex>weigher((file, index) -> index.memoryBytes())
                        // In the calling thread, so that the maximum is kept when a read returns.
                        .executor(Runnable::run)
                        .buildAsync();
    }

    @Override
    public BlobIndex of(BlobFileInput file, long rowCount, BlobIndexReader reader)
            throws IOException {
        CompletableFuture<BlobIndex> present = cache.getIfPresent(file);
        if (present == null) {
            // Not in a function of the cache, which would block other files.
            CompletableFuture<BlobIndex> own = new CompletableFuture<>();
            present = cache.asMap().putIfAbsent(file, own);
            if (present == null) {
                return read(file, rowCount, reader, own);
            }
        }
        BlobIndex index = ReadThreads.await(present);
        // Null after a failure, perhaps an interruption, which belongs to the other caller.
        return index == null ? reader.read(file, rowCount) : index;
    }

    private static BlobIndex read(
            BlobFileInput file,
            long rowCount,
            BlobIndexReader reader,
            CompletableFuture<BlobIndex> reading)
            throws IOException {
        BlobIndex index = null;
        try {
            index = reader.read(file, rowCount);
            return index;
        } finally {
            // The cache removes a null, as it removes an exception, but does not log it.
            reading.complete(index);
        }
    }

    @Override
    public boolean keep() {
        return true;
    }

    /** Removes the index of a file. */
    void forget(BlobFileInput file) {
        cache.synchronous().invalidate(file);
    }

    /** Bytes of all indexes that are kept. */
    long bytes() {
        return cache.synchronous()
                .policy()
                .eviction()
                .map(eviction -> eviction.weightedSize().orElse(0))
                .orElse(0L);
    }
}
