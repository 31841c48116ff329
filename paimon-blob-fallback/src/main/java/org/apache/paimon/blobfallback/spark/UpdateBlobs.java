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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.engine.Arguments;
import org.apache.paimon.blobfallback.engine.SqlStatements;
import org.apache.paimon.blobfallback.update.BlobUpdateBuilder;
import org.apache.paimon.table.FileStoreTable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Updates blob columns with the rows of a query or of a {@code Dataset}, as a Spark job and in one
 * commit: a program of its own for {@code spark-submit --class}, or a step of another.
 *
 * <p>An attempt that is lost, killed or repeated neither duplicates rows nor leaves files: each
 * task's rows are committed once, and the driver deletes the other files when all attempts have
 * ended.
 */
public final class UpdateBlobs {

    private static final CommandLine COMMAND_LINE =
            CommandLine.of(UpdateBlobs.class, "Updates blob columns with the rows of a query.")
                    .required("table", "catalog.database.table")
                    .required(
                            "source",
                            "a query: _ROW_ID, or the columns of the key, and blob columns")
                    .optional("key", "such as 'id' or 'name,day', if the query has no _ROW_ID")
                    .optional("source-sqls", "statements to run before the query, separated by ';'")
                    .optional("parallelism", "number of tasks that write; Spark's, if left out");

    private final SparkTable table;
    private final BlobUpdateBuilder builder;
    private List<String> key = new ArrayList<>();
    @Nullable private Integer parallelism;

    /**
     * An update of a table's newest snapshot.
     *
     * @param spark the session that runs it
     * @param table {@code catalog.database.table}, the catalog being one of the session's
     * @throws IllegalArgumentException if there is no such table, or its blobs cannot be updated in
     *     part
     */
    public UpdateBlobs(SparkSession spark, String table) {
        this(SparkTable.of(spark, table));
    }

    UpdateBlobs(SparkTable table) {
        this.table = table;
        this.builder = BlobFallback.newUpdateBuilder(table.table());
    }

    /**
     * Finds rows by normal columns, not by their {@code _ROW_ID}.
     *
     * @param names of the columns, which the source must have too
     */
    public UpdateBlobs withKey(String... names) {
        key = Arrays.asList(names);
        return this;
    }

    /**
     * Chooses the number of tasks that write.
     *
     * @param tasks by default Spark's default parallelism
     * @throws IllegalArgumentException if it is not positive
     */
    public UpdateBlobs withParallelism(int tasks) {
        parallelism = Arguments.positive("parallelism", tasks, tasks);
        return this;
    }

    /**
     * Updates, and waits for the end of the job. The source is read twice, for the row ids and for
     * the values: cache it if it is expensive or not deterministic.
     *
     * @param source {@code _ROW_ID} or the columns of the key, and one or more blob columns under
     *     their names: bytes, an array of bytes, or a map to bytes
     * @throws IllegalArgumentException if the source does not match the table, names a row twice or
     *     one that does not exist, or a key matches several rows; nothing has been written then
     * @throws org.apache.paimon.blobfallback.update.BlobUpdateConflictException if a group that the
     *     update touches has been rewritten meanwhile; no file is left then
     * @throws IllegalStateException if a job fails; nothing is committed and no file is left then
     */
    public UpdateResult run(Dataset<Row> source) {
        FileStoreTable files = (FileStoreTable) table.table();
        UpdateSource rows;
        try {
            rows = UpdateSource.of(table.spark(), files, builder, source, key);
        } catch (IOException e) {
            throw new IllegalStateException(
                    String.format("Cannot find the rows of %s by their key.", files.fullName()), e);
        }
        UpdateResult result =
                new UpdateJob(table.spark(), files, builder.newSharedUpdate(), rows, parallelism)
                        .run();
        table.refresh();
        return result;
    }

    /**
     * Updates with a query of the session.
     *
     * @param statements to run before it, separated by semicolons; null for none
     * @throws IllegalArgumentException also if a statement or the query cannot be planned
     */
    UpdateResult run(String query, @Nullable String statements) {
        if (statements != null) {
            for (String statement : SqlStatements.split(statements)) {
                planned("source_sqls", statement);
            }
        }
        return run(planned("source", Arguments.query("source", query)));
    }

    private Dataset<Row> planned(String argument, String statement) {
        try {
            return table.spark().sql(statement);
        } catch (Exception e) {
            throw new IllegalArgumentException(
                    String.format(
                            "Argument %s of an update of table %s cannot be planned: %s; found"
                                    + " \"%s\".",
                            argument,
                            table.table().fullName(),
                            Arguments.reason(e),
                            statement.trim()),
                    e);
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
            SparkTable table = SparkTable.of(spark, line.text("table"));
            table.use();
            UpdateBlobs update = new UpdateBlobs(table);
            line.ifGiven("key", text -> update.withKey(FlattenBlobLayers.names("key", text)));
            line.ifGiven(
                    "parallelism",
                    text -> update.withParallelism(line.number("parallelism", text)));
            System.out.println(update.run(line.text("source"), line.text("source-sqls")));
        } finally {
            spark.stop();
        }
    }
}
