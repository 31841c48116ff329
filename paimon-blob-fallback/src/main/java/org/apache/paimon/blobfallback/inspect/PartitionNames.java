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

package org.apache.paimon.blobfallback.inspect;

import java.io.Serializable;
import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.partition.PartitionUtils;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.utils.FileStorePathFactory;
import org.apache.paimon.utils.InternalRowPartitionComputer;

/** Names partitions as the host's system table {@code $partitions} does: {@code k=v/l=w}. */
final class PartitionNames implements Serializable {

    private static final long serialVersionUID = 1L;

    private final TableSchema schema;
    @Nullable private transient InternalRowPartitionComputer computer;

    PartitionNames(TableSchema schema) {
        this.schema = schema;
    }

    /** The name of a partition; null if the table has none. */
    @Nullable
    synchronized String of(BinaryRow partition) {
        if (schema.partitionKeys().isEmpty()) {
            return null;
        }
        if (computer == null) {
            CoreOptions options = new CoreOptions(schema.options());
            computer =
                    FileStorePathFactory.getPartitionComputer(
                            schema.logicalPartitionType(),
                            options.partitionDefaultName(),
                            options.legacyPartitionName());
        }
        return PartitionUtils.buildPartitionName(computer.generatePartValues(partition));
    }
}
