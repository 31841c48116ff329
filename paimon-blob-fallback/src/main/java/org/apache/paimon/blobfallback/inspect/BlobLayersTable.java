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

package org.apache.paimon.blobfallback.inspect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.host.PlannedFiles;
import org.apache.paimon.blobfallback.host.TimeTravel;
import org.apache.paimon.blobfallback.layers.PartitionNames;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.ReadonlyTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.InnerTableRead;
import org.apache.paimon.table.source.InnerTableScan;
import org.apache.paimon.table.source.ReadOnceTableScan;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;

/**
 * The system table {@code $blob_layers}: one row for each blob file of a snapshot, with its layer,
 * counts of its entries, and the number of its bytes that are still read. It reads the indexes of
 * the blob files and no payload, and only those of the partitions and columns that pass the filter.
 *
 * <p>Deleted rows count like others.
 */
public final class BlobLayersTable implements ReadonlyTable {

    private static final long serialVersionUID = 1L;

    /** Name of the system table. */
    public static final String NAME = "blob_layers";

    static final String PARTITION = "partition";
    static final String COLUMN_NAME = "column_name";
    static final String FILE_PATH = "file_path";

    /** The columns of the table, all sizes in bytes. */
    public static final RowType ROW_TYPE =
            new RowType(
                    Arrays.asList(
                            new DataField(0, PARTITION, DataTypes.STRING()),
                            new DataField(1, COLUMN_NAME, DataTypes.STRING()),
                            new DataField(2, "first_row_id", DataTypes.BIGINT().notNull()),
                            new DataField(3, "last_row_id", DataTypes.BIGINT().notNull()),
                            new DataField(4, "layer", DataTypes.INT().notNull()),
                            new DataField(5, "sequence_number", DataTypes.BIGINT().notNull()),
                            new DataField(6, FILE_PATH, DataTypes.STRING().notNull()),
                            new DataField(7, "file_size_in_bytes", DataTypes.BIGINT().notNull()),
                            new DataField(8, "data_count", DataTypes.BIGINT()),
                            new DataField(9, "null_count", DataTypes.BIGINT()),
                            new DataField(10, "placeholder_count", DataTypes.BIGINT()),
                            new DataField(11, "winner_count", DataTypes.BIGINT()),
                            new DataField(12, "winner_bytes", DataTypes.BIGINT()),
                            new DataField(13, "superseded_bytes", DataTypes.BIGINT()),
                            new DataField(14, "depth", DataTypes.INT().notNull())));

    private final FileStoreTable table;

    /**
     * @param table whose blob files to show; if it is a table of two branches, those of its own
     *     branch
     */
    public BlobLayersTable(FileStoreTable table) {
        this.table = TimeTravel.toPoint(table);
    }

    @Override
    public String name() {
        return table.name() + Identifier.SYSTEM_TABLE_SPLITTER + NAME;
    }

    @Override
    public RowType rowType() {
        return ROW_TYPE;
    }

    @Override
    public List<String> primaryKeys() {
        return Collections.singletonList(FILE_PATH);
    }

    @Override
    public FileIO fileIO() {
        return table.fileIO();
    }

    @Override
    public InnerTableScan newScan() {
        return new Scan(table);
    }

    @Override
    public InnerTableRead newRead() {
        return new BlobLayersRead(table);
    }

    /** The layers of another snapshot, tag or point in time, if the options name one. */
    @Override
    public Table copy(Map<String, String> dynamicOptions) {
        return new BlobLayersTable(table.copy(dynamicOptions));
    }

    /** Plans whole groups, those of the wanted partitions. */
    private static final class Scan extends ReadOnceTableScan {

        private final FileStoreTable table;
        private BlobLayersFilter filter = new BlobLayersFilter(null);

        private Scan(FileStoreTable table) {
            this.table = table;
        }

        @Override
        public InnerTableScan withFilter(@Nullable Predicate predicate) {
            this.filter = new BlobLayersFilter(predicate);
            return this;
        }

        @Override
        protected Plan innerPlan() {
            List<Split> splits = new ArrayList<>();
            if (table.coreOptions().dataEvolutionEnabled()) {
                InnerTableScan scan = table.newScan();
                scan.withPartitionFilter(filter.partitions(new PartitionNames(table.schema())));
                for (DataSplit files : PlannedFiles.of(scan.plan())) {
                    BlobLayersSplit layers = new BlobLayersSplit(files);
                    if (layers.rowCount() > 0) {
                        splits.add(layers);
                    }
                }
            }
            return () -> splits;
        }
    }
}
