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
import org.apache.paimon.blobfallback.format.BlobColumns;
import org.apache.paimon.blobfallback.format.BlobElementCodec;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.globalindex.IndexedSplit;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.operation.SplitRead;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;

/**
 * Opens a group: each of its blob columns by the plugin, all its other columns by the host, zipped
 * row by row.
 */
final class GroupReaderFactory {

    private final ReadContext context;
    private final Supplier<SplitRead<InternalRow>> hostRead;
    private final FileFaults faults;
    // The host's read keeps what it has learned of a file format, for one read type only.
    private final Map<RowType, SplitRead<InternalRow>> hostReads = new HashMap<>();

    GroupReaderFactory(ReadContext context, Supplier<SplitRead<InternalRow>> hostRead) {
        this.context = context;
        this.hostRead = hostRead;
        this.faults = new FileFaults(context.options());
    }

    /**
     * Opens a group.
     *
     * @param split that the group is of
     * @param selection rows to read, at least one
     * @param readType columns to hand out, in their order
     * @throws IOException if two blob files of one layer overlap, or a file cannot be opened
     * @throws IllegalArgumentException if a blob column that cannot be null is in no file
     */
    RecordReader<InternalRow> create(
            DataSplit split, RowIdGroup group, RowSelection selection, RowType readType)
            throws IOException {
        Set<Integer> inBlobFiles = blobFieldIds(group, readType);
        Map<Integer, BlobBunch> bunches = bunches(group, inBlobFiles);
        if (group.hostFiles().isEmpty()) {
            return withoutHost(split, group, selection, readType, bunches);
        }
        if (inBlobFiles.isEmpty()) {
            return openHost(split, group, selection, readType);
        }

        ColumnZip zip = new ColumnZip(readType);
        try {
            List<DataField> hostFields = new ArrayList<>();
            for (DataField field : readType.getFields()) {
                if (!inBlobFiles.contains(field.id())) {
                    hostFields.add(field);
                }
            }
            if (!hostFields.isEmpty() || bunches.isEmpty()) {
                RecordReader<InternalRow> reader =
                        openHost(split, group, selection, new RowType(hostFields));
                zip.add(
                        faults.ignoresSome()
                                ? reader
                                : new ExpectedRowsReader(
                                        reader, selection.count(), context.tableName(), group),
                        hostFields);
            }
            for (BlobBunch bunch : bunches.values()) {
                DataField field = readType.getField(bunch.fieldId());
                zip.add(
                        openBunch(split, bunch, selection, field, BlobRowLayout.blobOnly()),
                        Collections.singletonList(field));
            }
            return zip.open();
        } catch (IOException | RuntimeException e) {
            zip.closeAfter(e);
            throw e;
        }
    }

    /** Opens a group of which the split holds blob files only. */
    private RecordReader<InternalRow> withoutHost(
            DataSplit split,
            RowIdGroup group,
            RowSelection selection,
            RowType readType,
            Map<Integer, BlobBunch> bunches)
            throws IOException {
        BlobOnlyColumns columns = new BlobOnlyColumns(context, split, readType);
        ColumnZip zip = new ColumnZip(readType);
        if (bunches.isEmpty()) {
            zip.add(new BlobOnlyRowsReader(group, selection, columns.layout()), columns.fields());
            return zip.open();
        }
        try {
            boolean first = true;
            for (BlobBunch bunch : bunches.values()) {
                DataField field = readType.getField(bunch.fieldId());
                if (first) {
                    zip.add(
                            openBunch(split, bunch, selection, field, columns.layout(field)),
                            columns.fields(field));
                } else {
                    zip.add(
                            openBunch(split, bunch, selection, field, BlobRowLayout.blobOnly()),
                            Collections.singletonList(field));
                }
                first = false;
            }
            return zip.open();
        } catch (IOException | RuntimeException e) {
            zip.closeAfter(e);
            throw e;
        }
    }

    /** Field ids of the wanted columns that blob files hold, or would hold if there were any. */
    private Set<Integer> blobFieldIds(RowIdGroup group, RowType readType) {
        Set<Integer> ids = new HashSet<>();
        for (DataField field : readType.getFields()) {
            if (BlobColumns.isBlobColumn(field.type())) {
                ids.add(field.id());
            }
        }
        if (!ids.isEmpty()) {
            // A column that is kept inside a normal file is the host's, as in Paimon 2.0.
            for (DataFileMeta file : group.hostFiles()) {
                ids.removeAll(context.writtenFieldIds(file));
            }
        }
        return ids;
    }

    /**
     * The bunches of columns, by field id, in the order of Paimon 2.0: where no normal file is read
     * the first one serves the system columns.
     */
    private Map<Integer, BlobBunch> bunches(RowIdGroup group, Set<Integer> fieldIds) {
        if (fieldIds.isEmpty()) {
            return Collections.emptyMap();
        }
        Map<Integer, BlobBunch> bunches = new HashMap<>();
        for (DataFileMeta file : group.blobFiles()) {
            int fieldId = context.blobFieldId(file);
            if (fieldIds.contains(fieldId)) {
                bunches.computeIfAbsent(fieldId, BlobBunch::new).add(file);
            }
        }
        return bunches;
    }

    private RecordReader<InternalRow> openBunch(
            DataSplit split,
            BlobBunch bunch,
            RowSelection selection,
            DataField field,
            BlobRowLayout layout)
            throws IOException {
        DataFilePathFactory paths =
                context.pathFactory().createDataFilePathFactory(split.partition(), split.bucket());
        return new BlobColumnReader(
                bunch.layers(selection, context.fileIO(), paths, faults),
                selection,
                layout,
                BlobElementCodec.of(field.type()),
                context.options().blobAsDescriptor(),
                context.blobOptions(),
                faults);
    }

    private RecordReader<InternalRow> openHost(
            DataSplit split, RowIdGroup group, RowSelection selection, RowType readType)
            throws IOException {
        Set<DataFileMeta> files = Collections.newSetFromMap(new IdentityHashMap<>());
        files.addAll(group.hostFiles());
        DataSplit hostSplit =
                split.filterDataFile(files::contains)
                        .orElseThrow(() -> new IllegalStateException("A group without files."));
        Split selected =
                selection.isExactly(group.range())
                        ? hostSplit
                        : new IndexedSplit(hostSplit, selection.ranges(), null);
        return hostReads
                .computeIfAbsent(readType, type -> hostRead.get().withReadType(type))
                .createReader(selected);
    }
}
