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
import java.util.Objects;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.host.CatalogEnvironments;
import org.apache.paimon.blobfallback.plan.BranchDataSplit;
import org.apache.paimon.blobfallback.plan.FallbackBatchScan;
import org.apache.paimon.catalog.CatalogLoader;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.CatalogEnvironment;
import org.apache.paimon.table.FallbackReadFileStoreTable;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.DataTableScan;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.TableScan;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.StringUtils;

/**
 * The host's table of two branches ({@code scan.fallback-branch}, {@code scan.primary-branch}) over
 * wrapped tables. The host creates its copies and its splits itself; the copies are wrapped again,
 * and the splits are replaced by ones that count rows correctly.
 */
final class BranchPairTable extends FallbackReadFileStoreTable {

    private static final long serialVersionUID = 1L;

    private final TableDefaults defaults;
    private final boolean mainFirst;

    /** Null unless a system table reads this table. */
    @Nullable private PlannedSchema planned;

    /** Null for that of the delegate. */
    @Nullable private CatalogLoader catalog;

    /**
     * @param main wrapped, or without data evolution
     * @param other likewise
     * @param defaults of the plugin's options that a table does not set
     */
    BranchPairTable(FileStoreTable main, FileStoreTable other, TableDefaults defaults) {
        super(main, other, mainFirst(main));
        this.defaults = defaults;
        this.mainFirst = mainFirst(main);
    }

    /** The host's rule: a fallback branch comes second, a primary branch first. */
    private static boolean mainFirst(FileStoreTable main) {
        return !StringUtils.isNullOrWhitespaceOnly(
                main.options().get(CoreOptions.SCAN_FALLBACK_BRANCH.key()));
    }

    /** As {@link BlobFallbackTable#underSystemTable}. */
    BranchPairTable underSystemTable() {
        BranchPairTable copy = new BranchPairTable(wrapped, other(), defaults);
        copy.planned = new PlannedSchema();
        return copy;
    }

    void setCatalog(CatalogLoader loader) {
        this.catalog = loader;
    }

    @Override
    public CatalogEnvironment catalogEnvironment() {
        return CatalogEnvironments.with(super.catalogEnvironment(), catalog);
    }

    @Override
    public RowType rowType() {
        if (planned != null) {
            planned.askFor();
        }
        return super.rowType();
    }

    @Override
    public FileStoreTable copy(Map<String, String> dynamicOptions) {
        return planned != null && planned.isAskedFor()
                ? copyWithoutTimeTravel(dynamicOptions)
                : again(super.copy(dynamicOptions));
    }

    @Override
    public FileStoreTable copy(TableSchema newTableSchema) {
        return again(super.copy(newTableSchema));
    }

    @Override
    public FileStoreTable copyWithoutTimeTravel(Map<String, String> dynamicOptions) {
        return again(
                super.copyWithoutTimeTravel(PlannedSchema.withoutVersion(this, dynamicOptions)));
    }

    @Override
    public FileStoreTable copyWithLatestSchema() {
        return again(super.copyWithLatestSchema());
    }

    @Override
    public FileStoreTable switchToBranch(String branchName) {
        return again(super.switchToBranch(branchName));
    }

    /** The host would validate the schema, and so refuse a branch with deletion vectors. */
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
        return new FallbackReadScan(
                first, second, schema(), table -> ofWholeGroups(scanCreator.apply(table))) {
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

    /** The host makes its own splits from those of the branches. */
    private static DataTableScan ofWholeGroups(DataTableScan scan) {
        return scan instanceof FallbackBatchScan
                ? ((FallbackBatchScan) scan).withWholeGroups()
                : scan;
    }

    /** The host compares only the first of the two tables. */
    @Override
    public boolean equals(Object o) {
        if (!super.equals(o)) {
            return false;
        }
        BranchPairTable that = (BranchPairTable) o;
        return other().equals(that.other())
                && mainFirst == that.mainFirst
                && defaults.equals(that.defaults);
    }

    @Override
    public int hashCode() {
        return Objects.hash(location(), schema(), other().schema(), defaults);
    }

    private FileStoreTable again(FileStoreTable copied) {
        FileStoreTable table = BlobFallbackTable.wrap(copied, defaults);
        if (table instanceof BranchPairTable) {
            ((BranchPairTable) table).catalog = catalog;
            ((BranchPairTable) table).planned =
                    PlannedSchema.after(planned, schema(), table.schema());
        }
        return table;
    }
}
