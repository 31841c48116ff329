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
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.column.BlobColumns;
import org.apache.paimon.blobfallback.format.index.BlobIndex;
import org.apache.paimon.blobfallback.format.io.BlobFileException;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.blobfallback.read.blobs.FileFaults;
import org.apache.paimon.blobfallback.read.rows.RowSelection;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.format.blob.BlobFileFormat;
import org.apache.paimon.globalindex.IndexedSplit;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.operation.DataEvolutionSplitRead;
import org.apache.paimon.operation.SplitRead;
import org.apache.paimon.reader.ReaderSupplier;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.Range;
import org.apache.paimon.utils.RangeHelper;

/**
 * The host's own read, for a table whose fallback is off, with one difference: it fails if it would
 * read a placeholder or a row after it in the same file. The host does not know placeholders and
 * counts each as minus two bytes, so it would return wrong bytes for the rows after one.
 */
public final class GuardedSplitRead extends GroupedSplitRead {

    private final ReadContext context;
    private final Supplier<SplitRead<InternalRow>> hostRead;
    private final FileFaults faults;
    private final Map<RowType, SplitRead<InternalRow>> hostReads = new HashMap<>();

    /**
     * @param context the table
     * @param hostRead creates the host's own read of the table
     */
    public GuardedSplitRead(ReadContext context, Supplier<SplitRead<InternalRow>> hostRead) {
        super(context.schema().logicalRowType());
        this.context = context;
        this.hostRead = hostRead;
        this.faults = new FileFaults(context.options());
    }

    @Override
    List<ReaderSupplier<InternalRow>> readers(
            DataSplit split, @Nullable List<Range> rowRanges, RowType readType) {
        List<ReaderSupplier<InternalRow>> readers = new ArrayList<>();
        RangeHelper<DataFileMeta> ranges = new RangeHelper<>(DataFileMeta::nonNullRowIdRange);
        for (List<DataFileMeta> group : ranges.mergeOverlappingRanges(split.dataFiles())) {
            readers.add(() -> read(split, group, rowRanges, readType));
        }
        return readers;
    }

    private RecordReader<InternalRow> read(
            DataSplit split,
            List<DataFileMeta> group,
            @Nullable List<Range> rowRanges,
            RowType readType)
            throws IOException {
        Set<DataFileMeta> files = Collections.newSetFromMap(new IdentityHashMap<>());
        files.addAll(group);
        DataSplit groupSplit =
                split.filterDataFile(files::contains)
                        .orElseThrow(() -> new IllegalStateException("A group without files."));
        SplitRead<InternalRow> host =
                hostReads.computeIfAbsent(readType, type -> hostRead.get().withReadType(type));
        RecordReader<InternalRow> reader;
        try {
            reader =
                    host.createReader(
                            rowRanges == null
                                    ? groupSplit
                                    : new IndexedSplit(groupSplit, rowRanges, null));
        } catch (RuntimeException e) {
            // The host fails on layers; if they have placeholders, report these instead.
            try {
                checkNoPlaceholder(groupSplit.dataFiles(), groupSplit, rowRanges, readType);
            } catch (IOException placeholder) {
                placeholder.addSuppressed(e);
                throw placeholder;
            }
            throw e;
        }
        try {
            checkNoPlaceholder(
                    filesOfHost(groupSplit.dataFiles()), groupSplit, rowRanges, readType);
        } catch (IOException | RuntimeException | Error e) {
            try {
                reader.close();
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
        return reader;
    }

    private void checkNoPlaceholder(
            List<DataFileMeta> files,
            DataSplit split,
            @Nullable List<Range> rowRanges,
            RowType readType)
            throws IOException {
        Set<Integer> wanted = new HashSet<>();
        for (DataField field : readType.getFields()) {
            if (BlobColumns.isBlobColumn(field.type())) {
                wanted.add(field.id());
            }
        }
        if (wanted.isEmpty()) {
            return;
        }
        DataFilePathFactory paths =
                context.pathFactory().createDataFilePathFactory(split.partition(), split.bucket());
        for (DataFileMeta file : files) {
            if (BlobFileFormat.isBlobFile(file.fileName())
                    && wanted.contains(context.fileColumns().blobFieldId(file))) {
                RowSelection selection = RowSelection.of(file.nonNullRowIdRange(), rowRanges);
                if (!selection.isEmpty()) {
                    checkNoPlaceholder(file, paths, selection);
                }
            }
        }
    }

    /** The files that the host reads; it skips a blob file that a newer one overlaps. */
    private List<DataFileMeta> filesOfHost(List<DataFileMeta> group) {
        if (group.size() == 1) {
            return group;
        }
        List<DataFileMeta> files = new ArrayList<>();
        List<DataFileMeta> sorted = DataEvolutionSplitRead.mergeRangesAndSort(group).get(0);
        for (DataEvolutionSplitRead.FieldBunch bunch :
                DataEvolutionSplitRead.splitFieldBunches(sorted, context.fileColumns()::rowType)) {
            files.addAll(bunch.files());
        }
        return files;
    }

    private void checkNoPlaceholder(
            DataFileMeta file, DataFilePathFactory paths, RowSelection selection)
            throws IOException {
        try (BlobFileInput input =
                new BlobFileInput(context.fileIO(), paths.toPath(file), file.fileSize())) {
            BlobIndex index;
            try {
                index = BlobIndex.read(input, file.rowCount());
            } catch (BlobFileException e) {
                faults.ignoreOrThrow(input, e);
                return;
            }
            if (index.placeholderCount() == 0) {
                return;
            }
            long firstRowId = file.nonNullFirstRowId();
            BlobIndex.Cursor cursor = index.cursor();
            while (cursor.next() != BlobFileLayout.PLACEHOLDER_LENGTH) {}
            long placeholder = firstRowId + cursor.nextEntry() - 1;
            if (selection.intersects(new Range(placeholder, file.nonNullRowIdRange().to))) {
                throw placeholder(input, placeholder);
            }
        }
    }

    private IOException placeholder(BlobFileInput file, long rowId) {
        return new IOException(
                String.format(
                        "Row id %s of table %s is a placeholder in blob file %s: Paimon 2.0 has"
                                + " updated the blob column in part, and the row's bytes are in an"
                                + " older file. Set the table option '%s' = 'true' to read it and the rows after it.",
                        rowId,
                        context.tableName(),
                        file.path(),
                        BlobFallbackOptions.ENABLED.key()));
    }
}
