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

package org.apache.paimon.blobfallback.tests.update;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/**
 * The heap that some work needs: the peak of live memory while it runs and in its result. It is
 * measured by collecting garbage repeatedly.
 */
final class LiveHeap {

    private LiveHeap() {}

    /** Runs the work and returns the peak of live memory in bytes. */
    static long max(Callable<?> work) throws Exception {
        long before = live();
        Watch watch = new Watch();
        Object result;
        watch.start();
        try {
            result = work.call();
        } finally {
            watch.end();
        }
        long max = Math.max(watch.max, live());
        if (result == null) {
            throw new IllegalStateException("The work has no result to hold.");
        }
        return max - before;
    }

    private static long live() {
        System.gc();
        long live = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null) {
                live += pool.getCollectionUsage().getUsed();
            }
        }
        return live;
    }

    private static final class Watch extends Thread {

        private volatile boolean over;
        private volatile long max;

        private Watch() {
            super("live-heap");
        }

        @Override
        public void run() {
            while (!over) {
                long start = System.nanoTime();
                max = Math.max(max, live());
                // Leaves most of the time to the work.
                LockSupport.parkNanos((System.nanoTime() - start) / 2);
            }
        }

        private void end() throws InterruptedException {
            over = true;
            join();
        }
    }
}
