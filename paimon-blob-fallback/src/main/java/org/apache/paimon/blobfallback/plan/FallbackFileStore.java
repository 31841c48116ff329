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

package org.apache.paimon.blobfallback.plan;

import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.host.TableFileStore;
import org.apache.paimon.operation.BaseAppendFileStoreWrite;
import org.apache.paimon.operation.BucketSelectConverter;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.RowType;

/** The host's store of a table, with the plugin's planning. */
public final class FallbackFileStore extends TableFileStore {

    private final Runnable writeCheck;
    private final RowType bucketKeyType;

    /**
     * @param table of the host
     * @param writeCheck throws if the host must not write to the table
     */
    public FallbackFileStore(FileStoreTable table, Runnable writeCheck) {
        super(table);
        this.writeCheck = writeCheck;
        this.bucketKeyType = table.schema().logicalBucketKeyType();
    }

    /**
     * A write of whole rows.
     *
     * @throws UnsupportedOperationException if the host must not write to the table
     */
    @Override
    public BaseAppendFileStoreWrite newWrite(String commitUser, @Nullable Integer writeId) {
        writeCheck.run();
        return super.newWrite(commitUser, writeId);
    }

    @Override
    public FallbackFileStoreScan newScan() {
        return new FallbackFileStoreScan(
                tableName,
                newManifestsReader(),
                new BucketSelectConverter(
                        bucketMode(),
                        options.bucketFunctionType(),
                        rowType,
                        partitionType,
                        bucketKeyType),
                snapshotManager(),
                schemaManager,
                schema,
                manifestFileFactory(),
                options.scanManifestParallelism(),
                options.deletionVectorsEnabled());
    }
}
