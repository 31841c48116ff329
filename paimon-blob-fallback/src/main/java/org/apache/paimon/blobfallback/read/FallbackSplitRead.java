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

package org.apache.paimon.blobfallback.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import javax.annotation.Nullable;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.deletionvectors.DeletionVector;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.globalindex.IndexedSplit;
import org.apache.paimon.globalindex.IndexedSplitRecordReader;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.mergetree.compact.ConcatRecordReader;
import org.apache.paimon.operation.SplitRead;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.reader.EmptyFileRecordReader;
import org.apache.paimon.reader.ReaderSupplier;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.DeletionFile;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.Range;

/**
 * Reads splits of a data-evolution table whose blob columns may have been updated in part.
 *
 * <p>A split is read group by group. The group's blob columns go to the plugin, everything else to
 * the host. Filters are not applied, as the host does not apply them to such tables either.
 */
public final class FallbackSplitRead implements SplitRead<InternalRow> {

    private final FileIO fileIO;
    private final GroupReaderFactory groups;
    private RowType readType;

    /**
     * @param context the table
     * @param hostRead makes the host's own read of the table, which is given splits without blob
     *     files
     */
    public FallbackSplitRead(ReadContext context, Supplier<SplitRead<InternalRow>> hostRead) {
        this.fileIO = context.fileIO();
        this.groups = new GroupReaderFactory(context, hostRead);
        this.readType = context.schema().logicalRowType();
    }

    @Override
    public SplitRead<InternalRow> forceKeepDelete() {
        return this;
    }

    @Override
    public SplitRead<InternalRow> withIOManager(@Nullable IOManager ioManager) {
        return this;
    }

    @Override
    public SplitRead<InternalRow> withReadType(RowType readType) {
        this.readType = readType;
        return this;
    }

    @Override
    public SplitRead<InternalRow> withFilter(@Nullable Predicate predicate) {
        return this;
    }

    /**
     * Opens a split.
     *
     * @param split a {@link DataSplit} or an {@link IndexedSplit}
     * @return rows of the read type, ascending by row id; files are opened as it gets to them
     * @throws IllegalArgumentException if the split is of another kind, or its normal files overlap
     *     without spanning the same row ids
     */
    @Override
    public RecordReader<InternalRow> createReader(Split split) throws IOException {
        if (split instanceof IndexedSplit) {
            IndexedSplit indexed = (IndexedSplit) split;
            IndexedSplitRecordReader.Info info =
                    IndexedSplitRecordReader.readInfo(readType, indexed);
            return new IndexedSplitRecordReader(
                    read(indexed.dataSplit(), indexed.rowRanges(), info.actualReadType), info);
        }
        if (split instanceof DataSplit) {
            return read((DataSplit) split, null, readType);
        }
        throw new IllegalArgumentException(
                "Expected a split of data files, found " + split.getClass().getName());
    }

    private RecordReader<InternalRow> read(
            DataSplit split, @Nullable List<Range> rowRanges, RowType readType) throws IOException {
        Map<String, DeletionFile> deletionFiles = deletionFiles(split);
        List<ReaderSupplier<InternalRow>> readers = new ArrayList<>();
        for (RowIdGroup group : RowIdGroup.of(split.dataFiles())) {
            readers.add(() -> read(split, group, rowRanges, deletionFiles, readType));
        }
        return ConcatRecordReader.create(readers);
    }

    private RecordReader<InternalRow> read(
            DataSplit split,
            RowIdGroup group,
            @Nullable List<Range> rowRanges,
            Map<String, DeletionFile> deletionFiles,
            RowType readType)
            throws IOException {
        RowSelection selection = RowSelection.of(group.range(), rowRanges);
        if (!deletionFiles.isEmpty()) {
            DeletionFile deletionFile = deletionFiles.get(group.anchor().fileName());
            if (deletionFile != null) {
                selection =
                        selection.without(
                                DeletionVector.read(fileIO, deletionFile), group.range().from);
            }
        }
        if (selection.isEmpty()) {
            return new EmptyFileRecordReader<>();
        }
        return groups.create(split, group, selection, readType);
    }

    private static Map<String, DeletionFile> deletionFiles(DataSplit split) {
        Map<String, DeletionFile> deletionFiles = new HashMap<>();
        List<DeletionFile> list = split.deletionFiles().orElse(null);
        if (list != null && list.stream().anyMatch(Objects::nonNull)) {
            List<DataFileMeta> files = split.dataFiles();
            for (int i = 0; i < files.size(); i++) {
                if (list.get(i) != null) {
                    deletionFiles.put(files.get(i).fileName(), list.get(i));
                }
            }
        }
        return deletionFiles;
    }
}
