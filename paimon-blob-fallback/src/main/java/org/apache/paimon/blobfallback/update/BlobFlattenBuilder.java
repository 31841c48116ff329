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

package org.apache.paimon.blobfallback.update;

import static org.apache.paimon.utils.Preconditions.checkArgument;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.types.DataField;

/** Says what of a table is to be flattened. */
public final class BlobFlattenBuilder {

    private final FileStoreTable table;
    private List<DataField> columns;
    @Nullable private List<Map<String, String>> partitions;
    private int mostLayers;

    /**
     * A builder for all blob columns and all partitions of a table.
     *
     * @param table a data-evolution table
     * @throws IllegalArgumentException if the table cannot have layers; the message says why
     */
    public BlobFlattenBuilder(Table table) {
        this.table = BlobTable.check(table);
        this.columns = BlobTable.columns(this.table);
    }

    /**
     * Chooses columns.
     *
     * @param names of at least one column that is kept in blob files
     * @throws IllegalArgumentException if one is not such a column; the message says what to do
     */
    public BlobFlattenBuilder withColumns(String... names) {
        columns = BlobTable.columns(table, "A flatten", names);
        return this;
    }

    /**
     * Chooses partitions.
     *
     * @param specs values of all or some partition columns, at least one spec
     * @throws IllegalArgumentException if a spec is empty, or of a column that is no partition
     *     column
     */
    public BlobFlattenBuilder withPartitions(List<Map<String, String>> specs) {
        checkArgument(
                specs != null && !specs.isEmpty(),
                "A flatten of table %s needs a partition, found none.",
                table.fullName());
        for (Map<String, String> spec : specs) {
            checkArgument(
                    !spec.isEmpty() && table.partitionKeys().containsAll(spec.keySet()),
                    "Table %s has the partition columns %s, found the partition %s.",
                    table.fullName(),
                    table.partitionKeys(),
                    spec);
        }
        partitions = new ArrayList<>(specs);
        return this;
    }

    /**
     * Leaves bunches with few layers alone, however they are.
     *
     * @param layers most layers of a bunch that is left alone; 0, the default, for none
     * @throws IllegalArgumentException if it is negative
     */
    public BlobFlattenBuilder withMoreLayersThan(int layers) {
        checkArgument(
                layers >= 0,
                "A flatten of table %s leaves bunches of some layers alone: expected 0 or more,"
                        + " found %s.",
                table.fullName(),
                layers);
        mostLayers = layers;
        return this;
    }

    /** The flatten, which has done nothing yet; the caller closes it. */
    public BlobFlatten newFlatten() {
        return new BlobFlatten(table, columns, partitions, mostLayers);
    }
}
