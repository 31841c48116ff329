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

import java.util.concurrent.atomic.AtomicLong;
import org.apache.paimon.metrics.MetricGroup;
import org.apache.paimon.metrics.MetricRegistry;

/** What one read of a table has cost in its blob files so far. For several threads. */
public final class BlobReadMetrics {

    /** Name of the metrics' group. */
    public static final String GROUP_NAME = "blobFallback";

    /** Files that were opened, each counted once however many streams it takes. */
    public static final String FILES_OPENED = "filesOpened";

    /** Reads of a stretch of a file, each of which may cost a round trip. */
    public static final String REQUESTS = "requests";

    /** Bytes that were read to find the winners. */
    public static final String INDEX_BYTES = "indexBytes";

    /** Bytes that were read of blobs, those between close ones included. */
    public static final String PAYLOAD_BYTES = "payloadBytes";

    /**
     * Bytes that were not read of the files that the read is done with: blobs that newer layers
     * hide, rows that were not asked for or are deleted, and blobs that go out as descriptors.
     */
    public static final String AVOIDED_BYTES = "avoidedBytes";

    private final AtomicLong filesOpened = new AtomicLong();
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong indexBytes = new AtomicLong();
    private final AtomicLong avoidedBytes = new AtomicLong();

    /**
     * Shows the metrics to the host.
     *
     * @param registry where to show them
     * @param tableName whose read it is
     */
    public void register(MetricRegistry registry, String tableName) {
        MetricGroup group = registry.createTableMetricGroup(GROUP_NAME, tableName);
        group.gauge(FILES_OPENED, filesOpened::get);
        group.gauge(REQUESTS, requests::get);
        group.gauge(INDEX_BYTES, indexBytes::get);
        group.gauge(PAYLOAD_BYTES, () -> bytes.get() - indexBytes.get());
        group.gauge(AVOIDED_BYTES, avoidedBytes::get);
    }

    /** Bytes that were read, of indexes and of blobs. */
    public long bytes() {
        return bytes.get();
    }

    void opened() {
        filesOpened.incrementAndGet();
    }

    void requested(long length) {
        requests.incrementAndGet();
        bytes.addAndGet(length);
    }

    /** Some of the bytes that were requested were those of an index. */
    public void readIndex(long length) {
        indexBytes.addAndGet(length);
    }

    void avoided(long length) {
        avoidedBytes.addAndGet(length);
    }
}
