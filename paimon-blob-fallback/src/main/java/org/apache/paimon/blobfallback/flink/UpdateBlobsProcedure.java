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

import java.util.Collections;
import java.util.List;
import java.util.UUID;
import javax.annotation.Nullable;
import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.engine.Arguments;
import org.apache.paimon.blobfallback.engine.SqlStatements;
import org.apache.paimon.blobfallback.update.BlobUpdateBuilder;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.flink.FlinkCatalogFactory;
import org.apache.paimon.flink.procedure.ProcedureBase;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;

/**
 * {@code CALL sys.update_blobs(...)}: updates blob columns with the result of a query, as a Flink
 * job and in one commit.
 */
public final class UpdateBlobsProcedure extends ProcedureBase {

    @Override
    public String identifier() {
        return "update_blobs";
    }

    /**
     * Updates and waits for the job's end.
     *
     * @param tableId {@code database.table}
     * @param source a query; its columns are {@code _ROW_ID}, or those of the key, and blob columns
     *     of the table
     * @param key names of normal columns separated by commas, null if the query has the row ids
     * @param sourceStatements statements separated by semicolons that are run before the query, for
     *     example to create temporary tables; null for none
     * @param parallelism number of tasks that write, null for the session's parallelism
     * @return one row that says what was updated
     * @throws IllegalArgumentException if an argument is not valid for the table; the message says
     *     why
     * @throws IllegalStateException if the job fails; nothing is committed then
     */
    @ProcedureHint(
            argument = {
                @ArgumentHint(name = "table", type = @DataTypeHint("STRING")),
                @ArgumentHint(name = "source", type = @DataTypeHint("STRING")),
                @ArgumentHint(name = "key", type = @DataTypeHint("STRING"), isOptional = true),
                @ArgumentHint(
                        name = "source_sqls",
                        type = @DataTypeHint("STRING"),
                        isOptional = true),
                @ArgumentHint(name = "parallelism", type = @DataTypeHint("INT"), isOptional = true)
            },
            output =
                    @DataTypeHint(
                            "ROW<row_count BIGINT, group_count BIGINT, bytes_written BIGINT>"))
    public Row[] call(
            ProcedureContext context,
            String tableId,
            String source,
            @Nullable String key,
            @Nullable String sourceStatements,
            @Nullable Integer parallelism)
            throws Exception {
        Identifier identifier = Arguments.table(tableId);
        String query = Arguments.query("source", source);
        Table table = catalog.getTable(identifier);
        BlobUpdateBuilder builder = BlobFallback.newUpdateBuilder(table);
        BatchJob job = new BatchJob(context.getExecutionEnvironment(), parallelism);
        StreamTableEnvironment tables = tables(job, identifier);
        if (nullable(sourceStatements) != null) {
            for (String statement : SqlStatements.split(sourceStatements)) {
                run(tables, statement);
            }
        }
        UpdateSource rows =
                UpdateSource.of(
                        job.environment(),
                        tables,
                        (FileStoreTable) table,
                        builder,
                        query,
                        names(key));
        return new Row[] {
            new UpdateJob((FileStoreTable) table, builder.newSharedUpdate(), rows).run(job)
        };
    }

    private static void run(StreamTableEnvironment tables, String statement) throws Exception {
        try {
            tables.executeSql(statement).await();
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    String.format(
                            "Argument source_sqls has a statement that fails: %s; found \"%s\".",
                            Arguments.reason(e), statement),
                    e);
        }
    }

    /** An environment in which this procedure's catalog and the table's database are current. */
    // The method that replaces the deprecated one only creates new catalogs; this one exists
    // already.
    @SuppressWarnings("deprecation")
    private StreamTableEnvironment tables(BatchJob job, Identifier table) {
        StreamTableEnvironment tables =
                StreamTableEnvironment.create(job.environment(), EnvironmentSettings.inBatchMode());
        String name = "paimon-" + UUID.randomUUID();
        tables.registerCatalog(
                name,
                FlinkCatalogFactory.createCatalog(
                        name, catalog, Options.fromMap(catalog.options())));
        tables.useCatalog(name);
        tables.useDatabase(table.getDatabaseName());
        return tables;
    }

    private List<String> names(@Nullable String list) {
        return nullable(list) == null ? Collections.emptyList() : Arguments.names("key", list);
    }
}
