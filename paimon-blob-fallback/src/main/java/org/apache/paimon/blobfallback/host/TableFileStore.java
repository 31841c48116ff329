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

package org.apache.paimon.blobfallback.host;

import org.apache.paimon.AppendOnlyFileStore;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.RowType;

/** The host's store of an append table, for subclasses that change parts of it. */
public abstract class TableFileStore extends AppendOnlyFileStore {

    /** The table's columns, which are private in the host's store. */
    protected final RowType rowType;

    /**
     * @param table of the host
     */
    protected TableFileStore(FileStoreTable table) {
        super(
                table.fileIO(),
                table.schemaManager(),
                table.schema(),
                new CoreOptions(table.schema().options()),
                table.schema().logicalPartitionType(),
                table.schema().logicalBucketKeyType(),
                table.schema().logicalRowType().notNull(),
                table.name(),
                table.catalogEnvironment());
        this.rowType = table.schema().logicalRowType().notNull();
    }
}
