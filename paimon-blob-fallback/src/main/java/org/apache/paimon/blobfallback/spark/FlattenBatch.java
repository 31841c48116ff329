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
import org.apache.paimon.blobfallback.engine.FlattenedBatch;
import org.apache.paimon.blobfallback.update.BlobFlatten;
import org.apache.spark.api.java.function.Function;

/**
 * Flattens a batch of groups in one commit, or only measures it; returns groups, layers before,
 * bytes kept and bytes dropped.
 */
final class FlattenBatch implements Function<long[], long[]> {

    private static final long serialVersionUID = 1L;

    private final String tableName;
    private final BlobFlatten flatten;
    private final boolean dryRun;

    FlattenBatch(String tableName, BlobFlatten flatten, boolean dryRun) {
        this.tableName = tableName;
        this.flatten = flatten;
        this.dryRun = dryRun;
    }

    @Override
    public long[] call(long[] batch) throws IOException {
        try {
            FlattenedBatch done = FlattenedBatch.of(flatten, tableName, batch, dryRun);
            return new long[] {done.groups(), done.layers(), done.bytesKept(), done.bytesDropped()};
        } catch (IOException | RuntimeException | Error e) {
            Interruptions.close(flatten, e);
            throw e;
        }
    }
}
