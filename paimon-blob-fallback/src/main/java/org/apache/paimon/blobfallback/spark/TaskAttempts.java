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

package org.apache.paimon.blobfallback.spark;

import java.util.HashSet;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts of the tasks that a thread's jobs have started. A job ends when each of its tasks
 * has a result; other attempts of the same tasks may continue to run.
 */
final class TaskAttempts extends SparkListener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TaskAttempts.class);

    /** Property of the jobs that are watched. */
    private static final String WATCHED = "blob-fallback.watched";

    /**
     * How long the event that a job has started may take to arrive; a plan that fails starts none.
     */
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** How long an attempt that was told to end may take to do so. */
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final JavaSparkContext context;
    private final String id = UUID.randomUUID().toString();
    private final Set<Integer> jobs = new HashSet<>();
    private final Set<Integer> stages = new HashSet<>();
    private final Set<Long> attempts = new HashSet<>();
    private boolean started;

    private TaskAttempts(JavaSparkContext context) {
        this.context = context;
    }

    /** Watches the jobs that this thread starts, until the watch is closed. */
    static TaskAttempts watch(JavaSparkContext context) {
        TaskAttempts watch = new TaskAttempts(context);
        context.sc().addSparkListener(watch);
        context.setLocalProperty(WATCHED, watch.id);
        return watch;
    }

    @Override
    public void close() {
        context.setLocalProperty(WATCHED, null);
        context.sc().removeSparkListener(this);
    }

    /**
     * Waits until no attempt runs any more, for at most two minutes. Events arrive late but in
     * order: when the end of a job has arrived, so have the starts of its attempts.
     */
    synchronized void awaitEnd() {
        long begin = System.nanoTime();
        boolean interrupted = false;
        while (!started || !jobs.isEmpty() || !attempts.isEmpty()) {
            long patience = started ? PATIENCE_NANOS : START_NANOS;
            long left = TimeUnit.NANOSECONDS.toMillis(begin + patience - System.nanoTime());
            if (left <= 0 && !started) {
                break;
            }
            if (left <= 0) {
                LOG.warn(
                        "{} attempts of tasks have not ended. Files that one of them still writes are left for remove_orphan_files.",
                        attempts.size());
                break;
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isWatched(Properties properties) {
        return properties != null && id.equals(properties.getProperty(WATCHED));
    }

    @Override
    public synchronized void onJobStart(SparkListenerJobStart job) {
        if (isWatched(job.properties())) {
            started = true;
            jobs.add(job.jobId());
            notifyAll();
        }
    }

    @Override
    public synchronized void onJobEnd(SparkListenerJobEnd job) {
        jobs.remove(job.jobId());
        notifyAll();
    }

    @Override
    public synchronized void onStageSubmitted(SparkListenerStageSubmitted stage) {
        if (isWatched(stage.properties())) {
            stages.add(stage.stageInfo().stageId());
        }
    }

    @Override
    public synchronized void onTaskStart(SparkListenerTaskStart task) {
        if (stages.contains(task.stageId())) {
            attempts.add(task.taskInfo().taskId());
        }
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd task) {
        attempts.remove(task.taskInfo().taskId());
        notifyAll();
    }
}
