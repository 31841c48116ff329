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

import java.util.List;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.read.MaskedSplit;
import org.apache.paimon.catalog.TableQueryAuthResult;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.TableQueryAuth;
import org.apache.paimon.types.RowType;

/**
 * The rules that a catalog has for a query: which rows it sees, and which columns are masked. The
 * catalog is asked once for each plan, and the plan and its splits use the same answer.
 */
final class QueryRules implements TableQueryAuth {

    private final boolean mayExist;
    private final TableQueryAuth catalog;
    @Nullable private List<String> columns;
    private boolean asked;
    @Nullable private TableQueryAuthResult answer;

    QueryRules(FileStoreTable table) {
        this.mayExist = table.coreOptions().queryAuthEnabled();
        this.catalog = table.catalogEnvironment().tableQueryAuth(table.coreOptions());
    }

    /** Whether the catalog may have rules. */
    boolean mayExist() {
        return mayExist;
    }

    void withReadType(@Nullable RowType readType) {
        this.columns = readType == null ? null : readType.getFieldNames();
    }

    /**
     * The part of a filter that is not on masked columns, whose values differ from those in the
     * files.
     */
    @Nullable
    Predicate withoutMasked(Predicate filter) {
        return MaskedSplit.withoutMasked(filter, auth(columns));
    }

    @Nullable
    @Override
    public TableQueryAuthResult auth(@Nullable List<String> select) {
        if (!asked) {
            this.answer = catalog.auth(select);
            this.asked = true;
        }
        return answer;
    }
}
