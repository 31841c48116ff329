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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.JobID;
import org.apache.flink.client.program.StreamContextEnvironment;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.connector.base.source.reader.SourceReaderOptions;
import org.apache.flink.core.execution.DefaultExecutorServiceLoader;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.client.JobStatusMessage;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One Flink cluster for all tests of the JVM: two task managers with two slots each, behind a REST
 * endpoint on loopback. Sessions submit to it as a SQL client does to a cluster, so that tables and
 * splits travel to the tasks in serialized form.
 */
public final class FlinkCluster implements BeforeAllCallback {

    private MiniCluster cluster;
    private int restPort;
    private FlinkCluster owner;

    /** Of the owner: index of the first task manager that has not been ended. */
    private int firstTaskManager;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        FlinkCluster shared =
                context.getRoot()
                        .getStore(ExtensionContext.Namespace.create(FlinkCluster.class))
                        .getOrComputeIfAbsent(FlinkCluster.class, key -> start(), Running.class)
                        .owner;
        owner = shared;
        cluster = shared.cluster;
        restPort = shared.restPort;
    }

    private static Running start() {
        Configuration configuration = new Configuration();
        configuration.set(RestOptions.BIND_PORT, "0");
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(32));
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(32));
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(64));
        // The host's source, once a read has failed, does not end before this is over.
        configuration.set(SourceReaderOptions.SOURCE_READER_CLOSE_TIMEOUT, 200L);
        configuration.setString(
                "metrics.reporter.tests.factory.class", OperatorMetrics.class.getName());
        FlinkCluster owner = new FlinkCluster();
        owner.cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(configuration)
                                .setNumTaskManagers(2)
                                .setNumSlotsPerTaskManager(2)
                                .build());
        try {
            owner.cluster.start();
            owner.restPort = owner.cluster.getRestAddress().get().getPort();
        } catch (Exception e) {
            throw new IllegalStateException("The Flink cluster of the tests did not start.", e);
        }
        return new Running(owner);
    }

    /** A session for bounded queries. */
    public Session batch() {
        return session(EnvironmentSettings.newInstance().inBatchMode());
    }

    /** A session for unbounded queries. */
    public Session streaming() {
        return session(EnvironmentSettings.newInstance().inStreamingMode());
    }

    private Session session(EnvironmentSettings.Builder settings) {
        Configuration configuration = new Configuration();
        configuration.set(DeploymentOptions.TARGET, "remote");
        configuration.set(RestOptions.ADDRESS, "localhost");
        configuration.set(RestOptions.PORT, restPort);
        return new Session(
                TableEnvironment.create(settings.withConfiguration(configuration).build()),
                configuration);
    }

    /** A SQL session: what a user types, and the rows that come back. */
    public static final class Session {

        private final TableEnvironment environment;
        private final Configuration configuration;

        private Session(TableEnvironment environment, Configuration configuration) {
            this.environment = environment;
            this.configuration = configuration;
        }

        public TableEnvironment environment() {
            return environment;
        }

        /** Sets an option of the session, as {@code SET 'key' = 'value'} does. */
        public Session set(String key, String value) {
            environment.getConfig().set(key, value);
            return this;
        }

        /**
         * Creates a catalog of the plugin that has the fallback on for all tables.
         *
         * @param warehouse its folder, as a path or as an address
         */
        public Session createPluginCatalog(String name, Object warehouse) throws Exception {
            sql(
                    "CREATE CATALOG %s WITH ('type'='paimon', 'warehouse'='%s',"
                            + " 'metastore'='blob-fallback', 'blob-fallback.enabled'='true')",
                    name, warehouse);
            return this;
        }

        /** Creates such a catalog {@code p} and goes into it. */
        public Session inPluginCatalog(Object warehouse) throws Exception {
            createPluginCatalog("p", warehouse).sql("USE CATALOG p");
            return this;
        }

        /** Runs a statement to its end and returns all its rows. */
        public List<Row> sql(String statement, Object... arguments) throws Exception {
            return execute(arguments.length == 0 ? statement : String.format(statement, arguments))
                    .rows();
        }

        /**
         * Runs a statement to its end. As in a SQL client, the cluster is the one that the thread's
         * context names, which is where a procedure takes it from.
         */
        public Result execute(String statement) throws Exception {
            StreamContextEnvironment.setAsContext(
                    new DefaultExecutorServiceLoader(),
                    configuration,
                    getClass().getClassLoader(),
                    false,
                    false);
            TableResult result;
            try {
                result = environment.executeSql(statement);
            } finally {
                StreamContextEnvironment.unsetAsContext();
            }
            List<Row> rows = new ArrayList<>();
            CloseableIterator<Row> iterator = result.collect();
            try {
                iterator.forEachRemaining(rows::add);
            } finally {
                iterator.close();
            }
            return new Result(
                    result.getResolvedSchema().getColumnNames(),
                    rows,
                    result.getJobClient().map(JobClient::getJobID));
        }
    }

    /**
     * What came of a statement.
     *
     * @param columns names of its columns
     * @param rows its rows
     * @param job the job that ran for it, if one did
     */
    public record Result(List<String> columns, List<Row> rows, Optional<JobID> job) {}

    /** Port of the REST endpoint on loopback, for clients in other JVMs. */
    public int restPort() {
        return restPort;
    }

    /** Ends a task manager while its tasks are running, and starts another. */
    public void replaceTaskManager() throws Exception {
        cluster.terminateTaskManager(owner.firstTaskManager++).get();
        cluster.startTaskManager();
    }

    /** Waits until all tasks of a job are running. */
    public void awaitRunning(JobID job) throws Exception {
        while (!isRunning(job)) {
            Thread.sleep(10);
        }
    }

    private boolean isRunning(JobID job) throws Exception {
        for (AccessExecutionVertex task :
                cluster.getExecutionGraph(job).get().getAllExecutionVertices()) {
            if (task.getExecutionState() != ExecutionState.RUNNING) {
                return false;
            }
        }
        return true;
    }

    /** How often a task of the last job of a name was started again. */
    public int restarts(String jobName) throws Exception {
        JobStatusMessage last =
                cluster.listJobs().get().stream()
                        .filter(job -> job.getJobName().equals(jobName))
                        .max(Comparator.comparingLong(JobStatusMessage::getStartTime))
                        .orElseThrow();
        int restarts = 0;
        for (AccessExecutionVertex task :
                cluster.getExecutionGraph(last.getJobId()).get().getAllExecutionVertices()) {
            restarts = Math.max(restarts, task.getCurrentExecutionAttempt().getAttemptNumber());
        }
        return restarts;
    }

    /** In how many parallel tasks the sources of a finished job ran. */
    public List<Integer> sourceParallelism(Result result) throws Exception {
        List<Integer> parallelism = new ArrayList<>();
        cluster.getExecutionGraph(result.job().orElseThrow())
                .get()
                .getVerticesTopologically()
                .forEach(
                        vertex -> {
                            if (vertex.getName().startsWith("Source:")) {
                                parallelism.add(vertex.getParallelism());
                            }
                        });
        return parallelism;
    }

    private static final class Running implements ExtensionContext.Store.CloseableResource {

        private final FlinkCluster owner;

        private Running(FlinkCluster owner) {
            this.owner = owner;
        }

        @Override
        public void close() throws Exception {
            owner.cluster.close();
        }
    }
}
