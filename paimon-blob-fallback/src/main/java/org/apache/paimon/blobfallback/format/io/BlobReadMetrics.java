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

import java.util.concurrent.atomic.AtomicLong;
import org.apache.paimon.metrics.MetricGroup;
import org.apache.paimon.metrics.MetricRegistry;

/** The cost of one read of a table in blob files so far. Thread-safe. */
public final class BlobReadMetrics {

    /** Name of the metrics' group. */
    public static final String GROUP_NAME = "blobFallback";

    /** Files that were opened, each counted once, even with several streams. */
    public static final String FILES_OPENED = "filesOpened";

    /** Requests, each of which may be a round trip. */
    public static final String REQUESTS = "requests";

    /** Bytes that were read to find the winners. */
    public static final String INDEX_BYTES = "indexBytes";

    /** Bytes that were read of blobs, including those between blobs that are close together. */
    public static final String PAYLOAD_BYTES = "payloadBytes";

    /**
     * Bytes that were not read of the files that the read has finished: superseded blobs, rows that
     * were not requested or are deleted, and blobs that are returned as descriptors.
     */
    public static final String AVOIDED_BYTES = "avoidedBytes";

    /** Rows that were left out because they do not pass a filter on other columns. */
    public static final String ROWS_SKIPPED_BY_FILTER = "rowsSkippedByFilter";

    private final AtomicLong filesOpened = new AtomicLong();
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong indexBytes = new AtomicLong();
    private final AtomicLong avoidedBytes = new AtomicLong();
    private final AtomicLong rowsSkippedByFilter = new AtomicLong();

    /**
     * Registers the metrics with the host.
     *
     * @param registry of the host
     * @param tableName of the table that is read
     */
    public void register(MetricRegistry registry, String tableName) {
        MetricGroup group = registry.createTableMetricGroup(GROUP_NAME, tableName);
        group.gauge(FILES_OPENED, filesOpened::get);
        group.gauge(REQUESTS, requests::get);
        group.gauge(INDEX_BYTES, indexBytes::get);
        group.gauge(PAYLOAD_BYTES, () -> bytes.get() - indexBytes.get());
        group.gauge(AVOIDED_BYTES, avoidedBytes::get);
        group.gauge(ROWS_SKIPPED_BY_FILTER, rowsSkippedByFilter::get);
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

    /** Counts bytes of an index among the requested bytes. */
    public void readIndex(long length) {
        indexBytes.addAndGet(length);
    }

    /** Counts a row that does not pass a filter. */
    public void skippedByFilter() {
        rowsSkippedByFilter.incrementAndGet();
    }

    void avoided(long length) {
        avoidedBytes.addAndGet(length);
    }
}
