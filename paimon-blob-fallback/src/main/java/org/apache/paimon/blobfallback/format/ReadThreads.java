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

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of one reader, for what is worth doing at once. They start when they are first needed
 * and are gone when {@link #close()} returns.
 */
public final class ReadThreads implements Closeable {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final int parallelism;
    private final List<Thread> threads = new ArrayList<>();
    private ExecutorService executor;
    private boolean closed;

    /**
     * @param parallelism most threads; 1 for none, so that the caller does all itself
     */
    public ReadThreads(int parallelism) {
        this.parallelism = parallelism;
    }

    /** Whether there is anyone to help the caller. */
    public boolean canHelp() {
        return parallelism > 1;
    }

    /** Most requests that are under way at once. */
    public int parallelism() {
        return parallelism;
    }

    /** Something to do that may fail. */
    public interface Task {

        /** Does it. */
        void run() throws IOException;
    }

    /**
     * Starts something and does not wait for it.
     *
     * @throws IllegalStateException if there is no thread to do it, or this is closed
     */
    public <T> Future<T> start(Callable<T> work) {
        return executor().submit(work);
    }

    /**
     * Does all of something, the calling thread as well as others, and returns when all is done.
     *
     * @throws IOException the first that a task has thrown; what was not begun yet is left out
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
                        // After a failure nobody begins another task.
                        next.set(tasks.size());
                    }
                    return null;
                };
        List<Future<Void>> helpers = new ArrayList<>();
        for (int i = 1; i < Math.min(parallelism, tasks.size()); i++) {
            helpers.add(start(worker));
        }
        Exception failure = null;
        try {
            worker.call();
        } catch (Exception e) {
            failure = e;
        }
        for (Future<Void> helper : helpers) {
            try {
                await(helper);
            } catch (IOException | RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else if (failure != e) {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw ioException(failure);
        }
    }

    /**
     * Waits for the result of something that was started.
     *
     * @throws IOException if it has failed with one, or the caller is interrupted, which stays
     *     interrupted
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

    /** The failure as what reading throws; anything but an exception of a read is thrown here. */
    private static IOException ioException(Throwable failure) {
        if (failure instanceof RuntimeException) {
            throw (RuntimeException) failure;
        }
        if (failure instanceof Error) {
            throw (Error) failure;
        }
        return (IOException) failure;
    }

    private synchronized ExecutorService executor() {
        if (closed) {
            throw new IllegalStateException("The reader is closed.");
        }
        if (executor == null) {
            executor = Executors.newFixedThreadPool(parallelism, this::thread);
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
     * Interrupts what is under way and waits until all threads are gone, even if the caller is
     * interrupted, which then stays interrupted.
     */
    @Override
    public void close() {
        ExecutorService closing;
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
        // An executor is done a moment before its threads are.
        boolean interrupted = false;
        for (Thread thread : ending) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
