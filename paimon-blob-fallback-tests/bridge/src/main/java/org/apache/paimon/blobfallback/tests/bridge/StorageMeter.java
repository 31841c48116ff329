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

package org.apache.paimon.blobfallback.tests.bridge;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts the reads of blob files that go through a metered file system, and slows down all reads
 * that go through a store. One for the whole JVM, so that a test sees what a Paimon in another
 * class loader does.
 *
 * <p>A request is a read that does not go on where the one before it in the same stream ended.
 * Opening a stream is counted apart: whether it costs a request is the storage's own business.
 */
public final class StorageMeter {

    private static final AtomicLong OPENS = new AtomicLong();
    private static final AtomicLong REQUESTS = new AtomicLong();
    private static final AtomicLong BYTES = new AtomicLong();
    private static final AtomicLong OPEN_STREAMS = new AtomicLong();
    private static final AtomicLong MAX_OPEN_STREAMS = new AtomicLong();

    private static volatile Store store = Store.FAST;

    private StorageMeter() {}

    /**
     * What happened since the last reset.
     *
     * @param opens streams that were opened
     * @param requests see {@link StorageMeter}
     * @param bytes that were read
     * @param mostOpenStreams most streams that were open at once
     */
    public record Reading(long opens, long requests, long bytes, long mostOpenStreams) {}

    /**
     * How a store behaves.
     *
     * @param requestMicros time until the first byte of a request arrives, also to open a stream
     * @param bytesPerSecond how fast the bytes of one stream arrive; 0 for at once
     * @param longestReadOn a stream that is moved forward by no more than this many bytes reads
     *     them and goes on with its request, as streams of Hadoop file systems do
     */
    public record Store(long requestMicros, long bytesPerSecond, long longestReadOn) {

        /** As fast as the disk under it, with a request for each range. */
        public static final Store FAST = new Store(0, 0, 0);
    }

    /** Sets all counters to zero; streams that are open stay counted as open. */
    public static void reset() {
        OPENS.set(0);
        REQUESTS.set(0);
        BYTES.set(0);
        MAX_OPEN_STREAMS.set(OPEN_STREAMS.get());
    }

    /** The counters. */
    public static Reading reading() {
        return new Reading(OPENS.get(), REQUESTS.get(), BYTES.get(), MAX_OPEN_STREAMS.get());
    }

    /** Number of streams that are open now. */
    public static long openStreams() {
        return OPEN_STREAMS.get();
    }

    /** How stores behave from now on. */
    public static void store(Store behaviour) {
        store = behaviour;
    }

    /** A stream was opened. */
    public static void opened() {
        OPENS.incrementAndGet();
        long open = OPEN_STREAMS.incrementAndGet();
        MAX_OPEN_STREAMS.accumulateAndGet(open, Math::max);
    }

    /** A stream was closed. */
    public static void closed() {
        OPEN_STREAMS.decrementAndGet();
    }

    /** A request was made. */
    public static void requested() {
        REQUESTS.incrementAndGet();
    }

    /** Bytes were read. */
    public static void read(long bytes) {
        BYTES.addAndGet(bytes);
    }

    /** Waits for the first byte of a request to a store. */
    public static void awaitRequest() {
        sleepMicros(store.requestMicros());
    }

    /** Waits for bytes of a store. */
    public static void awaitBytes(long bytes) {
        long bytesPerSecond = store.bytesPerSecond();
        if (bytesPerSecond > 0) {
            sleepMicros(bytes * 1_000_000 / bytesPerSecond);
        }
    }

    /** See {@link Store#longestReadOn()}. */
    public static long longestReadOn() {
        return store.longestReadOn();
    }

    private static void sleepMicros(long micros) {
        long end = System.nanoTime() + micros * 1_000;
        for (long left = micros * 1_000;
                left > 0 && !Thread.currentThread().isInterrupted();
                left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
