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

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Threads that several callers share. */
class ReadThreadsTest {

    /** It does its tasks itself, and does not wait for helpers that have not begun. */
    @Test
    void aCallerDoesNotWaitForThreadsThatWorkForOthers() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger done = new AtomicInteger();
        try (ReadThreads threads = new ReadThreads(2)) {
            for (int i = 0; i < 2; i++) {
                threads.start(
                        () -> {
                            release.await();
                            return null;
                        });
            }
            ReadThreads.Task task = done::incrementAndGet;

            assertTimeoutPreemptively(
                    Duration.ofSeconds(60), () -> threads.runAll(List.of(task, task, task)));

            assertThat(done).hasValue(3);
            release.countDown();
        }
    }
}
