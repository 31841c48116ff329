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

package org.apache.paimon.blobfallback.catalog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.paimon.blobfallback.host.Recounted;
import org.apache.paimon.catalog.CatalogUtils;
import org.apache.paimon.partition.Partition;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;

/** The rows of partitions, as the plugin's plans count them. */
final class PartitionRows {

    private PartitionRows() {}

    /**
     * Partitions with each row counted once.
     *
     * @param table as the plugin hands it out
     * @param partitions of it, as the delegate lists them
     * @return the same list if each row of the table is in one file
     */
    static List<Partition> counted(Table table, List<Partition> partitions) {
        if (!(table instanceof FileStoreTable)
                || !((FileStoreTable) table).coreOptions().dataEvolutionEnabled()) {
            return partitions;
        }
        List<Map<String, String>> specs =
                partitions.stream().map(Partition::spec).collect(Collectors.toList());
        Map<Map<String, String>, Long> rows = new HashMap<>();
        List<Partition> counted =
                ((FileStoreTable) table).partitionKeys().isEmpty()
                        ? CatalogUtils.listPartitionsFromFileSystem(table)
                        : CatalogUtils.listPartitionsFromFileSystem(table, specs);
        counted.forEach(partition -> rows.put(partition.spec(), partition.recordCount()));
        List<Partition> result = new ArrayList<>(partitions.size());
        for (Partition partition : partitions) {
            result.add(
                    Recounted.partition(
                            partition,
                            rows.getOrDefault(partition.spec(), partition.recordCount())));
        }
        return result;
    }
}
