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

import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.engine.Arguments;
import org.apache.paimon.blobfallback.engine.FlattenBatches;
import org.apache.paimon.blobfallback.update.BlobFlattenBuilder;
import org.apache.paimon.flink.procedure.ProcedureBase;
import org.apache.paimon.table.Table;

/**
 * {@code CALL sys.flatten_blob_layers(...)}: rewrites the layers of blob columns to one layer, as a
 * Flink job.
 *
 * <p>Each commit replaces the files of a batch of groups. A call that fails leaves the batches that
 * it has committed flat and the others unchanged; the next call continues with those.
 */
public final class FlattenBlobLayersProcedure extends ProcedureBase {

    @Override
    public String identifier() {
        return "flatten_blob_layers";
    }

    /**
     * Flattens and waits for the job's end.
     *
     * @param tableId {@code database.table}
     * @param partitions names separated by semicolons, such as {@code dt=1/region=eu;dt=2}, null
     *     for all
     * @param columns names separated by commas, null for all blob columns
     * @param minLayers bunches with fewer layers are left alone; null for 1
     * @param dryRun whether to change nothing and return what a call would do; null for false
     * @param parallelism number of tasks, null for the session's parallelism
     * @param groupsPerCommit maximum number of groups in one commit, null for 100
     * @param leastLayers the older name of {@code minLayers}, null if that is given
     * @return one row that says what was flattened
     * @throws IllegalArgumentException if an argument is not valid for the table; the message says
     *     why
     * @throws IllegalStateException if the job fails
     */
    @ProcedureHint(
            argument = {
                @ArgumentHint(name = "table", type = @DataTypeHint("STRING")),
                @ArgumentHint(
                        name = "partitions",
                        type = @DataTypeHint("STRING"),
                        isOptional = true),
                @ArgumentHint(name = "columns", type = @DataTypeHint("STRING"), isOptional = true),
                @ArgumentHint(name = "min_layers", type = @DataTypeHint("INT"), isOptional = true),
                @ArgumentHint(name = "dry_run", type = @DataTypeHint("BOOLEAN"), isOptional = true),
                @ArgumentHint(name = "parallelism", type = @DataTypeHint("INT"), isOptional = true),
                @ArgumentHint(
                        name = "groups_per_commit",
                        type = @DataTypeHint("INT"),
                        isOptional = true),
                @ArgumentHint(name = "least_layers", type = @DataTypeHint("INT"), isOptional = true)
            },
            output =
                    @DataTypeHint(
                            "ROW<group_count BIGINT, layers_before BIGINT, bytes_kept BIGINT,"
                                    + " bytes_dropped BIGINT>"))
    public Row[] call(
            ProcedureContext context,
            String tableId,
            @Nullable String partitions,
            @Nullable String columns,
            @Nullable Integer minLayers,
            @Nullable Boolean dryRun,
            @Nullable Integer parallelism,
            @Nullable Integer groupsPerCommit,
            @Nullable Integer leastLayers)
            throws Exception {
        Table table = catalog.getTable(Arguments.table(tableId));
        BlobFlattenBuilder builder = BlobFallback.newFlattenBuilder(table);
        if (nullable(partitions) != null) {
            builder.withPartitionNames(partitions.split(";"));
        }
        if (nullable(columns) != null) {
            builder.withColumns(
                    Arrays.stream(columns.split(",")).map(String::trim).toArray(String[]::new));
        }
        builder.withMoreLayersThan(Arguments.minLayers(minLayers, leastLayers) - 1);

        BatchJob job = new BatchJob(context.getExecutionEnvironment(), parallelism);
        return new Row[] {
            new FlattenJob(
                            table.fullName(),
                            builder.newFlatten(),
                            Boolean.TRUE.equals(dryRun),
                            Arguments.positive(
                                    "groups_per_commit",
                                    groupsPerCommit,
                                    FlattenBatches.GROUPS_PER_COMMIT))
                    .run(job)
        };
    }
}
