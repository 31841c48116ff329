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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.FallbackReadFileStoreTable;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.DataTableScan;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.TableScan;
import org.apache.paimon.utils.StringUtils;

/**
 * The host's table of two branches ({@code scan.fallback-branch}, {@code scan.primary-branch}) over
 * wrapped tables. The host makes its copies and its splits itself; the copies are wrapped again,
 * and the splits count their rows right again.
 */
final class BranchPairTable extends FallbackReadFileStoreTable {

    private static final long serialVersionUID = 1L;

    private final TableDefaults defaults;
    private final boolean mainFirst;

    /**
     * @param main wrapped, or without blob columns
     * @param other likewise
     * @param defaults of the plugin's options, where a table's options do not say
     */
    BranchPairTable(FileStoreTable main, FileStoreTable other, TableDefaults defaults) {
        super(main, other, mainFirst(main));
        this.defaults = defaults;
        this.mainFirst = mainFirst(main);
    }

    /** As the host decides it: a fallback branch comes second, a primary branch first. */
    private static boolean mainFirst(FileStoreTable main) {
        return !StringUtils.isNullOrWhitespaceOnly(
                main.options().get(CoreOptions.SCAN_FALLBACK_BRANCH.key()));
    }

    @Override
    public FileStoreTable copy(Map<String, String> dynamicOptions) {
        return again(super.copy(dynamicOptions));
    }

    @Override
    public FileStoreTable copy(TableSchema newTableSchema) {
        return again(super.copy(newTableSchema));
    }

    @Override
    public FileStoreTable copyWithoutTimeTravel(Map<String, String> dynamicOptions) {
        return again(super.copyWithoutTimeTravel(dynamicOptions));
    }

    @Override
    public FileStoreTable copyWithLatestSchema() {
        return again(super.copyWithLatestSchema());
    }

    @Override
    public FileStoreTable switchToBranch(String branchName) {
        return again(super.switchToBranch(branchName));
    }

    /** The host's way validates the schema, which refuses a branch with deletion vectors. */
    @Override
    protected FileStoreTable switchWrappedToBranch(String branchName) {
        DeletionVectorTables tables = new DeletionVectorTables(fileIO(), location());
        TableSchema schema = tables.schemaOf(branchName).orElse(null);
        return schema == null
                ? super.switchWrappedToBranch(branchName)
                : tables.createAlone(schema, catalogEnvironment());
    }

    @Override
    public DataTableScan newScan(Function<FileStoreTable, DataTableScan> scanCreator) {
        validateSchema();
        FileStoreTable first = mainFirst ? wrapped : other();
        FileStoreTable second = mainFirst ? other() : wrapped;
        return new FallbackReadScan(first, second, schema(), scanCreator) {
            @Override
            public TableScan.Plan plan() {
                List<Split> splits = new ArrayList<>();
                for (Split split : super.plan().splits()) {
                    splits.add(
                            new BranchDataSplit(
                                    (DataSplit) split, ((FallbackSplit) split).isFallback()));
                }
                return () -> splits;
            }
        };
    }

    private FileStoreTable again(FileStoreTable copied) {
        return BlobFallbackTable.wrap(copied, defaults);
    }
}
