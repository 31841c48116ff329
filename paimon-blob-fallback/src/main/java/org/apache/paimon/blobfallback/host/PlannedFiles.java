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

import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.globalindex.IndexedSplit;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.QueryAuthSplit;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.TableScan;

/** The files of a plan, for callers that use metadata and return no values of rows. */
public final class PlannedFiles {

    private PlannedFiles() {}

    /**
     * The files of a plan of a table with data evolution, without the row ranges and the rules of a
     * query that a split may have.
     */
    public static List<DataSplit> of(TableScan.Plan plan) {
        List<DataSplit> files = new ArrayList<>();
        for (Split split : plan.splits()) {
            files.add(of(split));
        }
        return files;
    }

    private static DataSplit of(Split split) {
        if (split instanceof QueryAuthSplit) {
            return of(((QueryAuthSplit) split).split());
        }
        return split instanceof IndexedSplit
                ? ((IndexedSplit) split).dataSplit()
                : (DataSplit) split;
    }
}
