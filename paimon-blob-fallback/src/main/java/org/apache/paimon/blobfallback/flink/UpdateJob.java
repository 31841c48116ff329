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

import java.io.IOException;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.BroadcastStream;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.engine.BlobsOfBytes;
import org.apache.paimon.blobfallback.update.SharedBlobUpdate;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.BlobDescriptorUtils;
import org.apache.paimon.utils.UriReaderFactory;

/**
 * Updates with as many tasks as the job has.
 *
 * <p>The row ids come first: they are checked, and only their groups are planned, before any value
 * is written. Then the rows are sent to the tasks of their groups, sorted by group, and everything
 * that the tasks have written is committed at once.
 */
final class UpdateJob {

    private final FileStoreTable table;
    private final SharedBlobUpdate update;
    private final UpdateSource source;

    UpdateJob(FileStoreTable table, SharedBlobUpdate update, UpdateSource source) {
        this.table = table;
        this.update = update;
        this.source = source;
    }

    /** Runs the job and returns the row that the procedure returns. */
    Row run(BatchJob job) throws Exception {
        build(job);
        JobExecutionResult result;
        try {
            result = job.run("Updating blobs of " + table.fullName());
        } catch (JobFailedException e) {
            // While the job may still run, its files must not be touched.
            try {
                update.deleteUncommitted();
            } catch (IOException | RuntimeException left) {
                e.addSuppressed(left);
            }
            throw e;
        }
        return Row.of(
                Tally.total(result, WriteUpdate.ROWS_UPDATED),
                Tally.total(result, WriteUpdate.GROUPS_DONE),
                Tally.total(result, WriteUpdate.BYTES_WRITTEN));
    }

    private void build(BatchJob job) {
        String name = table.fullName();
        BroadcastStream<long[]> groups =
                source.rows()
                        .transform(
                                "Row ids of " + name,
                                PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO,
                                new CollectRowIds(name))
                        .transform(
                                "Find groups of " + name,
                                PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO,
                                new FindGroups(name, update))
                        .setParallelism(1)
                        .broadcast(AssignGroup.GROUPS);
        BlobsOfBytes blobs =
                new BlobsOfBytes(
                        new UriReaderFactory(
                                BlobDescriptorUtils.getCatalogContext(
                                        table.catalogEnvironment().catalogContext(),
                                        Options.fromMap(table.options()))));
        source.rows()
                .connect(groups)
                .process(new AssignGroup())
                .returns(UpdateRow.typeWithGroup(source.values()))
                .name("Assign rows to groups of " + name)
                .keyBy(row -> row.f0, Types.LONG)
                .transform(
                        "Write layers of " + name,
                        PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO,
                        new WriteUpdate(update, source.columns(), source.values(), blobs))
                .setParallelism(job.parallelism())
                .transform("Commit " + name, Types.LONG, new CommitUpdate(name, update))
                .setParallelism(1)
                .sinkTo(new DiscardingSink<>())
                .setParallelism(1)
                .name("End");
    }
}
