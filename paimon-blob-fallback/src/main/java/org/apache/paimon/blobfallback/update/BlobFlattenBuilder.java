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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.paimon.annotation.Public;
import org.apache.paimon.blobfallback.layers.PartitionNames;
import org.apache.paimon.blobfallback.write.BlobTable;
import org.apache.paimon.partition.PartitionPredicate;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.types.DataField;

/** Chooses what to flatten in a table. */
@Public
public final class BlobFlattenBuilder {

    private final FileStoreTable table;
    private List<DataField> columns;
    @Nullable private PartitionPredicate partitions;
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
        columns = BlobTable.columns(table, "A flatten", BlobTable.UPDATE_OTHERWISE, names);
        return this;
    }

    /**
     * Chooses partitions.
     *
     * @param specs values of all or some partition columns as text, at least one spec; null, or the
     *     default partition name, means null
     * @throws IllegalArgumentException if a spec is empty, or has a column that is not a partition
     *     column, or a text is not a value of the column's type
     */
    public BlobFlattenBuilder withPartitions(List<Map<String, String>> specs) {
        checkArgument(
                specs != null && !specs.isEmpty(),
                "A flatten of table %s needs a partition, found none.",
                table.fullName());
        List<Map<String, String>> values = new ArrayList<>();
        for (Map<String, String> spec : specs) {
            Map<String, String> copy = new LinkedHashMap<>(spec);
            copy.replaceAll(
                    (column, text) ->
                            table.coreOptions().partitionDefaultName().equals(text) ? null : text);
            values.add(copy);
        }
        return withPartitionValues(values);
    }

    /**
     * Chooses partitions by their names in {@code $blob_layers}.
     *
     * @param names such as {@code day=1/region=eu}, of all or some partition columns; at least one
     * @throws IllegalArgumentException if one does not have this form, or as for {@link
     *     #withPartitions}
     */
    public BlobFlattenBuilder withPartitionNames(String... names) {
        checkArgument(
                names.length > 0,
                "A flatten of table %s needs a partition, found none.",
                table.fullName());
        PartitionNames partitionNames = new PartitionNames(table.schema());
        return withPartitionValues(
                Arrays.stream(names).map(partitionNames::parse).collect(Collectors.toList()));
    }

    private BlobFlattenBuilder withPartitionValues(List<Map<String, String>> specs) {
        for (Map<String, String> spec : specs) {
            checkArgument(
                    !spec.isEmpty() && table.partitionKeys().containsAll(spec.keySet()),
                    "Table %s has the partition columns %s, found the partition %s.",
                    table.fullName(),
                    table.partitionKeys(),
                    spec);
        }
        partitions = new PartitionNames(table.schema()).select(specs);
        return this;
    }

    /**
     * Leaves bunches with few layers alone, even if they are not flat.
     *
     * @param layers maximum number of layers of a bunch that is left alone; 0, the default, leaves
     *     none alone
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

    /** Creates the flatten, which has done nothing yet; the caller closes it. */
    public BlobFlatten newFlatten() {
        return new BlobFlatten(table, columns, partitions, mostLayers);
    }
}
