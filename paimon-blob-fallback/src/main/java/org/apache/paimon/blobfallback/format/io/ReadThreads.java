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

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.annotation.Nullable;
import org.apache.paimon.shade.guava30.com.google.common.util.concurrent.Uninterruptibles;
import org.apache.paimon.utils.ExceptionUtils;

/**
 * The threads of one reader, for concurrent requests of one caller or several. They start when they
 * are first needed and have ended when {@link #close()} returns.
 */
public final class ReadThreads implements Closeable {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final int parallelism;
    private final List<Thread> threads = new ArrayList<>();
    @Nullable private ThreadPoolExecutor executor;
    private boolean closed;

    /**
     * @param parallelism maximum number of threads; with 1 there are none, and the caller does
     *     everything itself
     */
    public ReadThreads(int parallelism) {
        this.parallelism = parallelism;
    }

    /** Whether there are threads besides the caller's. */
    public boolean canHelp() {
        return parallelism > 1;
    }

    /** Maximum number of concurrent requests. */
    public int parallelism() {
        return parallelism;
    }

    /** Work that may fail. */
    public interface Task {

        /** Does the work. */
        void run() throws IOException;
    }

    /**
     * Starts work without waiting for it.
     *
     * @throws IllegalStateException if there are no threads, or this is closed
     */
    public <T> Future<T> start(Callable<T> work) {
        return executor().submit(work);
    }

    /**
     * Runs all tasks, in the calling thread as well as others, and returns when all have ended.
     *
     * @throws IOException the first that a task has thrown; tasks that have not started by then are
     *     skipped
     */
    public void runAll(List<? extends Task> tasks) throws IOException {
        AtomicInteger next = new AtomicInteger();
        Callable<Void> worker =
                () -> {
                    try {
                        for (int i = next.getAndIncrement();
                                i < tasks.size();
                                i = next.getAndIncrement()) {
                            tasks.get(i).run();
                        }
                    } finally {
                        // After a failure no other task is started.
                        next.set(tasks.size());
                    }
                    return null;
                };
        List<FutureTask<Void>> helpers = new ArrayList<>();
        for (int i = 1; i < Math.min(parallelism, tasks.size()); i++) {
            FutureTask<Void> helper = new FutureTask<>(worker);
            executor().execute(helper);
            helpers.add(helper);
        }
        Exception failure = null;
        try {
            worker.call();
        } catch (Exception e) {
            failure = e;
        }
        for (FutureTask<Void> helper : helpers) {
            try {
                if (!takeBack(helper)) {
                    await(helper);
                }
            } catch (IOException | RuntimeException e) {
                failure = ExceptionUtils.firstOrSuppressed(e, failure);
            }
        }
        if (failure != null) {
            throw ioException(failure);
        }
    }

    /**
     * Whether no thread has begun some work, which is then never begun: all threads may be working
     * for other callers.
     */
    private synchronized boolean takeBack(Runnable work) {
        return executor != null && executor.remove(work);
    }

    /**
     * Waits for the result of started work.
     *
     * @throws IOException if the work has failed with one, or the calling thread is interrupted; it
     *     stays interrupted
     */
    public static <T> T await(Future<T> future) throws IOException {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted =
                    new InterruptedIOException(
                            "Interrupted while waiting for bytes of blob files.");
            interrupted.initCause(e);
            throw interrupted;
        } catch (ExecutionException e) {
            throw ioException(e.getCause());
        }
    }

    /** The failure as an exception of a read; any other failure is thrown here. */
    private static IOException ioException(Throwable failure) {
        if (failure instanceof RuntimeException) {
            throw (RuntimeException) failure;
        }
        if (failure instanceof Error) {
            throw (Error) failure;
        }
        return (IOException) failure;
    }

    private synchronized ThreadPoolExecutor executor() {
        if (closed) {
            throw new IllegalStateException("The reader is closed.");
        }
        if (executor == null) {
            // Threads of the host's ThreadPoolUtils outlive their reader, and nobody can join them.
            executor =
                    new ThreadPoolExecutor(
                            parallelism,
                            parallelism,
                            0,
                            TimeUnit.SECONDS,
                            new LinkedBlockingQueue<>(),
                            this::thread);
        }
        return executor;
    }

    private Thread thread(Runnable work) {
        Thread thread = new Thread(work, "blob-fallback-read-" + NUMBER.incrementAndGet());
        thread.setDaemon(true);
        synchronized (threads) {
            threads.add(thread);
        }
        return thread;
    }

    /**
     * Interrupts running work and waits until all threads have ended, even if the calling thread is
     * interrupted; it then stays interrupted.
     */
    @Override
    public void close() {
        ThreadPoolExecutor closing;
        synchronized (this) {
            closed = true;
            closing = executor;
            executor = null;
        }
        if (closing == null) {
            return;
        }
        closing.shutdownNow();
        List<Thread> ending;
        synchronized (threads) {
            ending = new ArrayList<>(threads);
        }
        // An executor terminates a moment before its threads end.
        ending.forEach(Uninterruptibles::joinUninterruptibly);
    }
}
