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

import java.util.List;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.engine.Arguments;
import org.apache.paimon.blobfallback.engine.FlattenBatches;
import org.apache.paimon.blobfallback.update.BlobFlatten;
import org.apache.paimon.blobfallback.update.BlobFlattenBuilder;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * Rewrites the layers of blob columns to one layer, as a Spark job: a program of its own for {@code
 * spark-submit --class}, or a step of another.
 *
 * <p>The driver plans and hands out batches of groups; each batch is one task and one commit. So
 * only ranges of row ids are in flight. An attempt that is repeated finds that committed groups are
 * flat and skips them; one that is lost or killed loses at most its batch. A run that fails leaves
 * the batches that it has committed flat and the others unchanged; the next run continues with
 * those.
 */
public final class FlattenBlobLayers {

    private static final CommandLine COMMAND_LINE =
            CommandLine.of(FlattenBlobLayers.class, "Rewrites the layers of blob columns to one.")
                    .required("table", "catalog.database.table")
                    .optional("partitions", "such as 'day=1,region=eu;day=2'; all, if left out")
                    .optional("columns", "such as 'front,back'; all blob columns, if left out")
                    .optional(
                            "min-layers",
                            "bunches with fewer layers are left alone; 1, if left out")
                    .optional("parallelism", "number of tasks; one a commit, if left out")
                    .optional(
                            "groups-per-commit",
                            "maximum number of groups in one commit; 100, if left out")
                    .flag("dry-run", "change nothing, print what a run would do");

    private final SparkTable table;
    private final BlobFlattenBuilder builder;
    private int groupsPerCommit = FlattenBatches.GROUPS_PER_COMMIT;
    @Nullable private Integer parallelism;

    /**
     * A flatten of all blob columns and all partitions of a table.
     *
     * @param spark the session that runs it
     * @param table {@code catalog.database.table}, the catalog being one of the session's
     * @throws IllegalArgumentException if there is no such table, or it cannot have layers
     */
    public FlattenBlobLayers(SparkSession spark, String table) {
        this(SparkTable.of(spark, table));
    }

    FlattenBlobLayers(SparkTable table) {
        this.table = table;
        this.builder = BlobFallback.newFlattenBuilder(table.table());
    }

    /**
     * Chooses partitions.
     *
     * @param partitions such as {@code day=1,region=eu}, as {@code $blob_layers} names them
     * @throws IllegalArgumentException if the table cannot have such a partition
     */
    public FlattenBlobLayers withPartitions(String... partitions) {
        builder.withPartitionNames(partitions);
        return this;
    }

    /**
     * Chooses columns.
     *
     * @param names of at least one column that is kept in blob files
     * @throws IllegalArgumentException if one is not such a column
     */
    public FlattenBlobLayers withColumns(String... names) {
        builder.withColumns(names);
        return this;
    }

    /**
     * Leaves bunches with few layers alone.
     *
     * @param layers bunches with fewer are left alone; 1, the default, leaves none alone
     * @throws IllegalArgumentException if it is not positive
     */
    public FlattenBlobLayers withMinLayers(int layers) {
        builder.withMoreLayersThan(Arguments.positive("min_layers", layers, 1) - 1);
        return this;
    }

    /**
     * Chooses how many groups one commit replaces.
     *
     * @param groups maximum number in one commit; 100 by default
     * @throws IllegalArgumentException if it is not positive
     */
    public FlattenBlobLayers withGroupsPerCommit(int groups) {
        groupsPerCommit = Arguments.positive("groups_per_commit", groups, groups);
        return this;
    }

    /**
     * Chooses the number of tasks.
     *
     * @param tasks by default one for each commit
     * @throws IllegalArgumentException if it is not positive
     */
    public FlattenBlobLayers withParallelism(int tasks) {
        parallelism = Arguments.positive("parallelism", tasks, tasks);
        return this;
    }

    /**
     * Flattens, and waits for the end of the job.
     *
     * @return what was flattened by the attempts whose results Spark took; a batch that an attempt
     *     committed before it was lost is flat and not counted
     * @throws IllegalStateException if the job fails; what was committed stays
     */
    public FlattenResult run() {
        FlattenResult result = run(false);
        table.refresh();
        return result;
    }

    /**
     * Measures what {@link #run} would flatten now; changes nothing.
     *
     * @throws IllegalStateException if the job fails
     */
    public FlattenResult dryRun() {
        return run(true);
    }

    private FlattenResult run(boolean dryRun) {
        JavaSparkContext context = JavaSparkContext.fromSparkContext(table.spark().sparkContext());
        String name = table.table().fullName();
        BlobFlatten flatten = builder.newFlatten();
        int tasks = parallelism == null ? context.defaultParallelism() : parallelism;
        List<long[]> batches = FlattenBatches.of(flatten.groups(), tasks, groupsPerCommit);
        if (batches.isEmpty()) {
            return new FlattenResult();
        }
        int slices = parallelism == null ? batches.size() : Math.min(tasks, batches.size());
        context.sc()
                .setJobDescription(
                        (dryRun ? "Measuring blob layers of " : "Flattening blob layers of ")
                                + name);
        try {
            FlattenResult result = new FlattenResult();
            context.parallelize(batches, slices)
                    .map(new FlattenBatch(name, flatten, dryRun))
                    .collect()
                    .forEach(result::add);
            return result;
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    String.format(
                            "Flattening blob layers of %s failed; batches that were committed"
                                    + " before are flat.",
                            name),
                    e);
        } finally {
            context.sc().setJobDescription(null);
        }
    }

    /**
     * What {@code spark-submit} runs; {@code --help} says with which arguments. Prints the result.
     *
     * @throws IllegalArgumentException if an argument is wrong
     * @throws IllegalStateException if the job fails
     */
    public static void main(String[] arguments) {
        CommandLine line = COMMAND_LINE.parse(arguments);
        if (line.isHelp()) {
            System.out.println(line.help());
            return;
        }
        SparkSession spark = SparkSession.builder().getOrCreate();
        try {
            FlattenBlobLayers flatten = new FlattenBlobLayers(spark, line.text("table"));
            line.ifGiven("partitions", text -> flatten.withPartitions(text.split(";")));
            line.ifGiven("columns", text -> flatten.withColumns(names("columns", text)));
            line.ifGiven(
                    "min-layers", text -> flatten.withMinLayers(line.number("min-layers", text)));
            line.ifGiven(
                    "groups-per-commit",
                    text -> flatten.withGroupsPerCommit(line.number("groups-per-commit", text)));
            line.ifGiven(
                    "parallelism",
                    text -> flatten.withParallelism(line.number("parallelism", text)));
            System.out.println(line.has("dry-run") ? flatten.dryRun() : flatten.run());
        } finally {
            spark.stop();
        }
    }

    /**
     * Names separated by commas.
     *
     * @throws IllegalArgumentException if there are duplicates
     */
    static String[] names(String argument, String list) {
        return Arguments.names(argument, list).toArray(new String[0]);
    }
}
