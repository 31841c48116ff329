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

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what is read of one file, for the metrics of its read. Thread-safe. */
final class ReadCounts {

    private final BlobReadMetrics metrics;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicBoolean opened = new AtomicBoolean();
    private final AtomicBoolean passed = new AtomicBoolean();

    ReadCounts(BlobReadMetrics metrics) {
        this.metrics = metrics;
    }

    /** A stream was opened; the file counts once. */
    void opened() {
        if (opened.compareAndSet(false, true)) {
            metrics.opened();
        }
    }

    /** Bytes were requested. */
    void requested(long length) {
        bytes.addAndGet(length);
        metrics.requested(length);
    }

    /** The read has finished the file; it counts once. */
    void passed(long fileSize) {
        if (passed.compareAndSet(false, true)) {
            metrics.avoided(Math.max(0, fileSize - bytes.get()));
        }
    }

    /** Bytes that were read so far. */
    long bytes() {
        return bytes.get();
    }
}
