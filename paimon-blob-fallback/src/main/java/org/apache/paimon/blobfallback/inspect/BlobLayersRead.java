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

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.BlobIndex;
import org.apache.paimon.blobfallback.read.FileColumns;
import org.apache.paimon.blobfallback.read.FileFaults;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.InnerTableRead;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.TableRead;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.FileStorePathFactory;
import org.apache.paimon.utils.IteratorRecordReader;
import org.apache.paimon.utils.ProjectedRow;

/** Reads rows of {@link BlobLayersTable}. */
final class BlobLayersRead implements InnerTableRead {

    private final FileStorePathFactory pathFactory;
    private final FileColumns fileColumns;
    private final Map<Integer, String> columnNames = new HashMap<>();
    private final PartitionNames partitionNames;
    private final LayerWalk walk;

    private BlobLayersFilter filter = new BlobLayersFilter(null);
    private RowType readType = BlobLayersTable.ROW_TYPE;

    BlobLayersRead(FileStoreTable table) {
        this.pathFactory = table.store().pathFactory();
        this.fileColumns = new FileColumns(table.fullName(), table.schemaManager(), table.schema());
        for (DataField field : table.schema().fields()) {
            columnNames.put(field.id(), field.name());
        }
        this.partitionNames = new PartitionNames(table.schema());
        this.walk = new LayerWalk(table.fileIO(), new FileFaults(table.coreOptions()));
    }

    @Override
    public InnerTableRead withFilter(@Nullable Predicate predicate) {
        this.filter = new BlobLayersFilter(predicate);
        return this;
    }

    @Override
    public InnerTableRead withReadType(RowType type) {
        this.readType = type;
        return this;
    }

    @Override
    public TableRead withIOManager(@Nullable IOManager ioManager) {
        return this;
    }

    /**
     * Reads the indexes of a split's blob files.
     *
     * @throws IllegalArgumentException if the split is not of this table
     * @throws IOException if a file cannot be read or is corrupt, and may not be ignored; it names
     *     the file
     */
    @Override
    public RecordReader<InternalRow> createReader(Split split) throws IOException {
        if (!(split instanceof BlobLayersSplit)) {
            throw new IllegalArgumentException(
                    "Expected a split of the table's layers, found " + split.getClass().getName());
        }
        DataSplit files = ((BlobLayersSplit) split).files();
        String partition = partitionNames.of(files.partition());
        List<InternalRow> rows = new ArrayList<>();
        for (LayeredBunch bunch :
                LayeredBunch.of(
                        files,
                        pathFactory,
                        fileColumns,
                        id -> filter.mayHaveColumn(columnNames.get(id)))) {
            Rows ofBunch = new Rows(partition, columnNames.get(bunch.fieldId()), bunch.paths());
            walk.walk(bunch, ofBunch);
            ofBunch.finish();
            rows.addAll(ofBunch.rows);
        }
        return new IteratorRecordReader<>(
                rows.stream()
                        .filter(filter::test)
                        .<InternalRow>map(
                                row ->
                                        ProjectedRow.from(readType, BlobLayersTable.ROW_TYPE)
                                                .replaceRow(row))
                        .iterator());
    }

    /** Makes the row of each file of a bunch. */
    private static final class Rows implements LayerWalk.Visitor {

        private final BinaryString partition;
        private final BinaryString column;
        private final DataFilePathFactory paths;
        private final List<InternalRow> rows = new ArrayList<>();

        private int layer;
        private DataFileMeta file;
        @Nullable private BlobIndex index;
        private long winners;
        private long winnerBytes;

        private Rows(
                @Nullable String partition, @Nullable String column, DataFilePathFactory paths) {
            this.partition = BinaryString.fromString(partition);
            this.column = BinaryString.fromString(column);
            this.paths = paths;
        }

        @Override
        public void file(int nextLayer, DataFileMeta nextFile, @Nullable BlobIndex nextIndex) {
            finish();
            layer = nextLayer;
            file = nextFile;
            index = nextIndex;
            winners = 0;
            winnerBytes = 0;
        }

        @Override
        public void entry(long rowId, long length, boolean wins) {
            if (wins) {
                winners++;
                if (length != BlobFileLayout.NULL_LENGTH) {
                    winnerBytes += length;
                }
            }
        }

        /** Makes the row of the last file. */
        private void finish() {
            if (file == null) {
                return;
            }
            boolean readable = index != null;
            rows.add(
                    GenericRow.of(
                            partition,
                            column,
                            file.nonNullRowIdRange().from,
                            file.nonNullRowIdRange().to,
                            layer,
                            file.maxSequenceNumber(),
                            BinaryString.fromString(paths.toPath(file).toString()),
                            file.fileSize(),
                            readable ? (long) index.dataCount() : null,
                            readable ? (long) index.nullCount() : null,
                            readable ? (long) index.placeholderCount() : null,
                            readable ? winners : null,
                            readable ? winnerBytes : null,
                            readable ? index.dataLength() - winnerBytes : null));
        }
    }
}
