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

package org.apache.paimon.blobfallback.table;

import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.io.BlobReadMetrics;
import org.apache.paimon.blobfallback.read.MaskedSplit;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.metrics.MetricRegistry;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.TopN;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.source.InnerTableRead;
import org.apache.paimon.table.source.QueryAuthSplit;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.TableRead;
import org.apache.paimon.types.RowType;

/** A read of the host that shows its metrics, and whose rows keep their columns. */
final class MeteredTableRead implements InnerTableRead {

    private final InnerTableRead read;
    private final BlobReadMetrics metrics;
    private final String tableName;

    @Nullable private RowType readType;

    MeteredTableRead(InnerTableRead read, BlobReadMetrics metrics, String tableName) {
        this.read = read;
        this.metrics = metrics;
        this.tableName = tableName;
    }

    @Override
    public InnerTableRead withMetricRegistry(MetricRegistry registry) {
        read.withMetricRegistry(registry);
        metrics.register(registry, tableName);
        return this;
    }

    @Override
    public InnerTableRead withFilter(@Nullable Predicate predicate) {
        read.withFilter(predicate);
        return this;
    }

    @Override
    public InnerTableRead withReadType(RowType readType) {
        this.readType = readType;
        read.withReadType(readType);
        return this;
    }

    @Override
    @Deprecated
    public InnerTableRead withProjection(@Nullable int[] projection) {
        read.withProjection(projection);
        return this;
    }

    @Override
    public InnerTableRead withTopN(@Nullable TopN topN) {
        read.withTopN(topN);
        return this;
    }

    @Override
    public InnerTableRead withLimit(int limit) {
        read.withLimit(limit);
        return this;
    }

    @Override
    public InnerTableRead forceKeepDelete() {
        read.forceKeepDelete();
        return this;
    }

    @Override
    public TableRead executeFilter() {
        read.executeFilter();
        return this;
    }

    @Override
    public TableRead withIOManager(@Nullable IOManager ioManager) {
        read.withIOManager(ioManager);
        return this;
    }

    @Override
    public RecordReader<InternalRow> createReader(Split split) throws IOException {
        if (split instanceof QueryAuthSplit && readType != null) {
            // For such a split the host adds the columns of a rule to those of the read, for good.
            read.withReadType(readType);
        }
        return read.createReader(MaskedSplit.of(split));
    }
}
