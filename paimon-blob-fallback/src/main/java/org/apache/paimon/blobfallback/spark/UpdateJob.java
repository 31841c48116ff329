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
import java.util.List;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.engine.BlobsOfBytes;
import org.apache.paimon.blobfallback.engine.RowIdRanges;
import org.apache.paimon.blobfallback.update.BlobUpdateConflictException;
import org.apache.paimon.blobfallback.update.SharedBlobUpdate;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageSerializer;
import org.apache.paimon.utils.BlobDescriptorUtils;
import org.apache.paimon.utils.RoaringNavigableMap64;
import org.apache.paimon.utils.UriReaderFactory;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

/**
 * Updates in parallel tasks.
 *
 * <p>The row ids come first: they are checked, and only their groups are planned, before any value
 * is written. Then the rows are sent to the tasks of their groups, sorted, and the driver commits
 * everything that the tasks have written at once, when no attempt is writing any more.
 */
final class UpdateJob {

    private static final String GROUP = "_GROUP";

    private final SparkSession spark;
    private final FileStoreTable table;
    private final SharedBlobUpdate update;
    private final UpdateSource source;
    @Nullable private final Integer parallelism;

    /**
     * @param parallelism number of tasks that write, null for Spark's
     */
    UpdateJob(
            SparkSession spark,
            FileStoreTable table,
            SharedBlobUpdate update,
            UpdateSource source,
            @Nullable Integer parallelism) {
        this.spark = spark;
        this.table = table;
        this.update = update;
        this.source = source;
        this.parallelism = parallelism;
    }

    UpdateResult run() {
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        context.sc().setJobDescription("Updating blobs of " + table.fullName());
        try {
            RoaringNavigableMap64 rowIds = rowIds();
            if (rowIds.isEmpty()) {
                return new UpdateResult(0, 0, 0);
            }
            long[] groups = RowIdRanges.encode(update.groupsOf(rowIds));
            int tasks = parallelism == null ? context.defaultParallelism() : parallelism;
            return writeAndCommit(
                    context,
                    inGroups(groups, Math.min(tasks, groups.length / 2)),
                    rowIds.getLongCardinality());
        } catch (IllegalArgumentException | BlobUpdateConflictException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new IllegalStateException(
                    String.format("Updating blobs of %s failed", table.fullName()), e);
        } finally {
            context.sc().setJobDescription(null);
        }
    }

    private RoaringNavigableMap64 rowIds() throws IOException {
        return CollectRowIds.together(
                table.fullName(),
                source.rowIds()
                        .toJavaRDD()
                        .mapPartitions(new CollectRowIds(table.fullName(), source.key()))
                        .collect());
    }

    /** The rows with the first row ids of their groups, all rows of a group in one partition. */
    private Dataset<Row> inGroups(long[] groups, int partitions) {
        Dataset<Row> rows =
                source.values()
                        .withColumn(
                                GROUP,
                                functions
                                        .udf(
                                                (Long rowId) -> RowIdRanges.startOf(groups, rowId),
                                                DataTypes.LongType)
                                        .apply(Columns.of(UpdateSource.ROW_ID)))
                        .repartition(partitions, Columns.of(GROUP))
                        .sortWithinPartitions(Columns.of(GROUP), Columns.of(UpdateSource.ROW_ID));
        List<org.apache.spark.sql.Column> order = new ArrayList<>();
        order.add(Columns.of(GROUP));
        order.add(Columns.of(UpdateSource.ROW_ID));
        source.columns().forEach(name -> order.add(Columns.of(name)));
        return rows.select(order.toArray(new org.apache.spark.sql.Column[0]));
    }

    private UpdateResult writeAndCommit(
            JavaSparkContext context, Dataset<Row> rows, long expectedRows) throws IOException {
        try (TaskAttempts attempts = TaskAttempts.watch(context)) {
            try {
                List<byte[]> shares =
                        rows.toJavaRDD()
                                .mapPartitions(
                                        new WriteShare(
                                                table.fullName(),
                                                update,
                                                source.columns(),
                                                source.setters(),
                                                blobs()))
                                .collect();
                // Speculative and lost attempts may still be writing files that nobody will commit.
                attempts.awaitEnd();
                return commit(shares, expectedRows);
            } catch (IOException | RuntimeException | Error e) {
                attempts.awaitEnd();
                deleteUncommitted(e);
                throw e;
            }
        }
    }

    private UpdateResult commit(List<byte[]> shares, long expectedRows) throws IOException {
        CommitMessageSerializer serializer = new CommitMessageSerializer();
        List<CommitMessage> messages = new ArrayList<>();
        long rows = 0;
        long bytes = 0;
        for (byte[] bytesOfShare : shares) {
            WriteShare.Written share = Serialized.object(bytesOfShare);
            rows += share.rows();
            bytes += share.bytes();
            for (byte[] message : share.messages()) {
                messages.add(serializer.deserialize(serializer.getVersion(), message));
            }
        }
        if (rows != expectedRows) {
            throw new IllegalStateException(WriteShare.notTheSame(table.fullName()));
        }
        update.commit(messages);
        return new UpdateResult(rows, messages.size(), bytes);
    }

    private void deleteUncommitted(Throwable failure) {
        try {
            update.deleteUncommitted();
        } catch (IOException | RuntimeException left) {
            failure.addSuppressed(left);
        }
    }

    private BlobsOfBytes blobs() {
        return new BlobsOfBytes(
                new UriReaderFactory(
                        BlobDescriptorUtils.getCatalogContext(
                                table.catalogEnvironment().catalogContext(),
                                Options.fromMap(table.options()))));
    }
}
