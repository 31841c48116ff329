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

package org.apache.paimon.blobfallback.tests.paimon2;

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.paimon.Snapshot;
import org.apache.paimon.append.dataevolution.DataEvolutionCompactCoordinator;
import org.apache.paimon.append.dataevolution.DataEvolutionCompactTask;
import org.apache.paimon.partition.PartitionPredicate;
import org.apache.paimon.table.FileStoreTable;

/** Plans to rewrite rows without those that are deleted, which Paimon's master does otherwise. */
final class MaterializedDeletions {

    private static final String OF_MASTER =
            "org.apache.paimon.append.dataevolution"
                    + ".DataEvolutionDeletionVectorMaterializeCoordinator";

    private MaterializedDeletions() {}

    static Callable<List<DataEvolutionCompactTask>> plan(FileStoreTable table, Snapshot snapshot)
            throws ReflectiveOperationException {
        Class<?> coordinator;
        try {
            coordinator = Class.forName(OF_MASTER);
        } catch (ClassNotFoundException paimon2) {
            FileStoreTable rewriting =
                    table.copy(
                            Map.of(
                                    "data-evolution.compaction.rewrite-row-ids", "true",
                                    "compaction.min.file-num", "2"));
            return new DataEvolutionCompactCoordinator(rewriting, false, false, snapshot)::plan;
        }
        Object planner =
                coordinator
                        .getConstructor(
                                FileStoreTable.class, PartitionPredicate.class, Snapshot.class)
                        .newInstance(table, null, snapshot);
        return () -> {
            try {
                @SuppressWarnings("unchecked")
                List<DataEvolutionCompactTask> tasks =
                        (List<DataEvolutionCompactTask>)
                                coordinator.getMethod("plan").invoke(planner);
                return tasks;
            } catch (InvocationTargetException e) {
                throw (Exception) e.getCause();
            }
        };
    }
}
