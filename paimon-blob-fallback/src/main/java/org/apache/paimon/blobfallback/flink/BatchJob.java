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

package org.apache.paimon.blobfallback.flink;

import java.util.concurrent.ExecutionException;
import javax.annotation.Nullable;
import org.apache.flink.api.common.BatchShuffleMode;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.BatchExecutionOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.client.JobExecutionException;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;
import org.apache.paimon.blobfallback.engine.Arguments;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Flink job of one call. It runs in batch mode regardless of the session, and is restarted a
 * few times unless the session or the cluster configures restarts.
 */
final class BatchJob {

    private static final Logger LOG = LoggerFactory.getLogger(BatchJob.class);

    private final StreamExecutionEnvironment environment;
    private final int parallelism;

    /**
     * @param parallelism null for that of the environment
     * @throws IllegalArgumentException if the parallelism is not positive
     */
    BatchJob(StreamExecutionEnvironment environment, @Nullable Integer parallelism) {
        this.environment = environment;
        this.parallelism =
                Arguments.positive(
                        "parallelism", parallelism, Math.max(1, environment.getParallelism()));
        environment.setRuntimeMode(RuntimeExecutionMode.BATCH);
        Configuration options = new Configuration();
        if (!environment
                .getConfiguration()
                .getOptional(RestartStrategyOptions.RESTART_STRATEGY)
                .isPresent()) {
            // Flink 1.18 has no enum of the strategies.
            options.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
            options.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 3);
        }
        // An input that is read before the other one must be stored meanwhile, or the job
        // deadlocks.
        options.set(ExecutionOptions.BATCH_SHUFFLE_MODE, BatchShuffleMode.ALL_EXCHANGES_BLOCKING);
        // Two concurrent attempts of one task would only conflict at the commit.
        options.set(BatchExecutionOptions.SPECULATIVE_ENABLED, false);
        environment.configure(options);
    }

    StreamExecutionEnvironment environment() {
        return environment;
    }

    /** Number of tasks of the operators that do the work. */
    int parallelism() {
        return parallelism;
    }

    /**
     * Runs the job of the environment and waits until it has ended.
     *
     * @param name of the job, with which the message of a failure begins
     * @throws JobFailedException if the job has failed or was cancelled
     * @throws IllegalStateException if the client cannot tell how the job ended; it may still run
     * @throws InterruptedException if the client is interrupted; the job keeps running
     */
    JobExecutionResult run(String name) throws Exception {
        JobClient client = environment.executeAsync(name);
        LOG.info("{} runs as job {}.", name, client.getJobID());
        try {
            return client.getJobExecutionResult().get();
        } catch (ExecutionException e) {
            // Only a result that came from the cluster is wrapped like this.
            if (ExceptionUtils.findThrowable(e, JobExecutionException.class).isPresent()) {
                throw new JobFailedException(
                        String.format("%s failed in job %s", name, client.getJobID()),
                        e.getCause());
            }
            throw new IllegalStateException(
                    String.format(
                            "%s runs as job %s, but its outcome is unknown: look for the job in the cluster.",
                            name, client.getJobID()),
                    e.getCause());
        }
    }
}
