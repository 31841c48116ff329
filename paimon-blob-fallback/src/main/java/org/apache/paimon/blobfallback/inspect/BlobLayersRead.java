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
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.index.BlobIndex;
import org.apache.paimon.blobfallback.layers.Bunch;
import org.apache.paimon.blobfallback.layers.FileColumns;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.layers.JoinedGroups;
import org.apache.paimon.blobfallback.layers.Layer;
import org.apache.paimon.blobfallback.layers.PartitionNames;
import org.apache.paimon.blobfallback.read.blobs.FileFaults;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.format.blob.BlobFileFormat;
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
import org.apache.paimon.utils.Range;

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
        DataFilePathFactory paths =
                pathFactory.createDataFilePathFactory(files.partition(), files.bucket());
        List<InternalRow> rows = new ArrayList<>();
        for (JoinedGroups<DataFileMeta> joined : JoinedGroups.ofFiles(files.dataFiles())) {
            List<Range> rowIds =
                    joined.groups().stream().map(Group::range).collect(Collectors.toList());
            for (Map.Entry<Integer, Map<DataFileMeta, Position>> column :
                    positions(joined).entrySet()) {
                Rows ofColumn =
                        new Rows(
                                partition,
                                columnNames.get(column.getKey()),
                                paths,
                                column.getValue());
                walk.walk(Layer.of(column.getValue().keySet()), rowIds, paths, ofColumn);
                ofColumn.finish();
                rows.addAll(ofColumn.rows);
            }
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

    /** The files of the wanted columns, by field id, each with its place among the layers. */
    private Map<Integer, Map<DataFileMeta, Position>> positions(JoinedGroups<DataFileMeta> joined) {
        IntPredicate wanted = fieldId -> filter.mayHaveColumn(columnNames.get(fieldId));
        Map<Integer, Map<DataFileMeta, Position>> positions = new TreeMap<>();
        for (Group<DataFileMeta> group : joined.groups()) {
            for (Bunch bunch : group.bunches(fileColumns, wanted)) {
                Map<DataFileMeta, Position> ofColumn =
                        positions.computeIfAbsent(bunch.fieldId(), ignored -> new HashMap<>());
                Map<DataFileMeta, Integer> depths = bunch.depths();
                List<Layer> layers = bunch.layers();
                for (int i = 0; i < layers.size(); i++) {
                    for (DataFileMeta file : layers.get(i).files()) {
                        ofColumn.merge(file, new Position(i + 1, depths.get(file)), Position::max);
                    }
                }
            }
        }
        for (DataFileMeta file : joined.strayFiles()) {
            if (BlobFileFormat.isBlobFile(file.fileName())) {
                int fieldId = fileColumns.blobFieldId(file);
                if (wanted.test(fieldId)) {
                    positions
                            .computeIfAbsent(fieldId, ignored -> new HashMap<>())
                            .put(file, new Position(0, 0));
                }
            }
        }
        return positions;
    }

    /**
     * Where a file is among the layers of its groups: the highest numbers if it has rows of several
     * groups, 0 if it has no row of any.
     */
    private static final class Position {

        private final int layer;
        private final int depth;

        private Position(int layer, int depth) {
            this.layer = layer;
            this.depth = depth;
        }

        private Position max(Position other) {
            return new Position(Math.max(layer, other.layer), Math.max(depth, other.depth));
        }
    }

    /** Makes the row of each file of a column. */
    private static final class Rows implements LayerWalk.Visitor {

        private final BinaryString partition;
        private final BinaryString column;
        private final DataFilePathFactory paths;
        private final Map<DataFileMeta, Position> positions;
        private final List<InternalRow> rows = new ArrayList<>();

        private DataFileMeta file;
        @Nullable private BlobIndex index;
        private long winners;
        private long winnerBytes;

        private Rows(
                @Nullable String partition,
                @Nullable String column,
                DataFilePathFactory paths,
                Map<DataFileMeta, Position> positions) {
            this.partition = BinaryString.fromString(partition);
            this.column = BinaryString.fromString(column);
            this.paths = paths;
            this.positions = positions;
        }

        @Override
        public void file(int layer, DataFileMeta nextFile, @Nullable BlobIndex nextIndex) {
            finish();
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
                            positions.get(file).layer,
                            file.maxSequenceNumber(),
                            BinaryString.fromString(paths.toPath(file).toString()),
                            file.fileSize(),
                            readable ? (long) index.dataCount() : null,
                            readable ? (long) index.nullCount() : null,
                            readable ? (long) index.placeholderCount() : null,
                            readable ? winners : null,
                            readable ? winnerBytes : null,
                            readable ? index.dataLength() - winnerBytes : null,
                            positions.get(file).depth));
        }
    }
}
