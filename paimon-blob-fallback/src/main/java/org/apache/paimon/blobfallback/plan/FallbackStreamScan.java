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
import org.apache.paimon.table.source.DataTableStreamScan;
import org.apache.paimon.table.source.TableQueryAuth;

/**
 * The host's streaming scan, except that filters apply to the masks of columns. The host leaves out
 * files by the unmasked values.
 */
public final class FallbackStreamScan extends DataTableStreamScan {

    private final boolean rulesMayExist;
    @Nullable private Predicate filter;

    /**
     * @param table that is planned
     * @param snapshotReader plans its files
     */
    public FallbackStreamScan(FileStoreTable table, FallbackSnapshotReader snapshotReader) {
        this(table, snapshotReader, new Rules(table));
    }

    private FallbackStreamScan(
            FileStoreTable table, FallbackSnapshotReader snapshotReader, Rules rules) {
        super(
                table.schema(),
                table.coreOptions(),
                snapshotReader,
                table.snapshotManager(),
                table.changelogManager(),
                table.supportStreamingReadOverwrite(),
                rules,
                false);
        this.rulesMayExist = table.coreOptions().queryAuthEnabled();
        rules.scan = this;
    }

    /** Applied only when the catalog has returned which columns are masked, if there may be any. */
    @Override
    public DataTableStreamScan withFilter(@Nullable Predicate predicate) {
        this.filter = predicate;
        return rulesMayExist ? this : super.withFilter(predicate);
    }

    private void apply(@Nullable TableQueryAuthResult rules) {
        Predicate unmasked = MaskedSplit.withoutMasked(filter, rules);
        if (unmasked != null) {
            super.withFilter(unmasked);
        }
    }

    /** Asks the catalog before each plan, as the host does, and passes the rules to the scan. */
    private static final class Rules implements TableQueryAuth {

        private final TableQueryAuth catalog;
        private FallbackStreamScan scan;

        private Rules(FileStoreTable table) {
            this.catalog = table.catalogEnvironment().tableQueryAuth(table.coreOptions());
        }

        @Nullable
        @Override
        public TableQueryAuthResult auth(@Nullable List<String> select) {
            TableQueryAuthResult rules = catalog.auth(select);
            scan.apply(rules);
            return rules;
        }
    }
}
