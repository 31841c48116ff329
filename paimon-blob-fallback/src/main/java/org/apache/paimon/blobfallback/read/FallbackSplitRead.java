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
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.layers.PlannedColumns;
import org.apache.paimon.blobfallback.read.filter.RowFilter;
import org.apache.paimon.blobfallback.read.rows.RowSelection;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.deletionvectors.DeletionVector;
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
 * <p>Blob columns are read by the plugin, all others by the host.
 */
public final class FallbackSplitRead extends GroupedSplitRead {

    private final ReadContext context;
    private final GroupReaderFactory readers;

    @Nullable private Predicate predicate;

    /**
     * @param context the table
     * @param hostRead creates the host's own read of the table, which gets splits without blob
     *     files
     */
    public FallbackSplitRead(ReadContext context, Supplier<SplitRead<InternalRow>> hostRead) {
        super(context.schema().logicalRowType());
        this.context = context;
        this.readers = new GroupReaderFactory(context, hostRead);
    }

    /** Leaves out rows that do not pass if that saves reading blobs; other rows are returned. */
    @Override
    public SplitRead<InternalRow> withFilter(@Nullable Predicate predicate) {
        this.predicate = predicate;
        return this;
    }

    @Override
    public RecordReader<InternalRow> createReader(Split split) throws IOException {
        if (!(split instanceof MaskedSplit)) {
            return super.createReader(split);
        }
        Predicate whole = predicate;
        this.predicate = ((MaskedSplit) split).withoutMasked(whole);
        try {
            return super.createReader(((MaskedSplit) split).split());
        } finally {
            this.predicate = whole;
        }
    }

    @Override
    List<ReaderSupplier<InternalRow>> readers(
            DataSplit split, @Nullable List<Range> rowRanges, RowType readType) {
        Map<String, DeletionFile> deletionFiles = deletionFiles(split);
        RowFilter filter =
                RowFilter.of(
                        predicate,
                        context.schema(),
                        column ->
                                readType.containsField(column.id())
                                        || PlannedColumns.contain(split, column.id()));
        List<ReaderSupplier<InternalRow>> suppliers = new ArrayList<>();
        for (Group<DataFileMeta> group : Group.ofFiles(split.dataFiles())) {
            suppliers.add(() -> read(split, group, rowRanges, deletionFiles, readType, filter));
        }
        return suppliers;
    }

    private RecordReader<InternalRow> read(
            DataSplit split,
            Group<DataFileMeta> group,
            @Nullable List<Range> rowRanges,
            Map<String, DeletionFile> deletionFiles,
            RowType readType,
            @Nullable RowFilter filter)
            throws IOException {
        RowSelection selection = RowSelection.of(group.range(), rowRanges);
        if (!deletionFiles.isEmpty()) {
            DeletionFile deletionFile = deletionFiles.get(group.anchor().fileName());
            if (deletionFile != null) {
                selection =
                        selection.without(
                                DeletionVector.read(context.fileIO(), deletionFile),
                                group.range().from);
            }
        }
        if (selection.isEmpty()) {
            return new EmptyFileRecordReader<>();
        }
        List<ReaderSupplier<InternalRow>> parts = new ArrayList<>();
        for (BlobOnlyPart part : BlobOnlyPart.of(context, group, selection, readType)) {
            parts.add(() -> readers.create(split, group, part, readType, filter));
        }
        return ConcatRecordReader.create(parts);
    }

    private static Map<String, DeletionFile> deletionFiles(DataSplit split) {
        List<DeletionFile> list = split.deletionFiles().orElse(Collections.emptyList());
        Map<String, DeletionFile> deletionFiles = new HashMap<>();
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i) != null) {
                deletionFiles.put(split.dataFiles().get(i).fileName(), list.get(i));
            }
        }
        return deletionFiles;
    }
}
