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
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.column.BlobColumnType;
import org.apache.paimon.blobfallback.format.column.BlobColumns;
import org.apache.paimon.blobfallback.layers.Bunch;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.read.blobs.BlobColumnReader;
import org.apache.paimon.blobfallback.read.blobs.BlobLayers;
import org.apache.paimon.blobfallback.read.blobs.BlobRowLayout;
import org.apache.paimon.blobfallback.read.blobs.FileFaults;
import org.apache.paimon.blobfallback.read.filter.FilteredReader;
import org.apache.paimon.blobfallback.read.filter.MatchingRows;
import org.apache.paimon.blobfallback.read.filter.RequestedRows;
import org.apache.paimon.blobfallback.read.filter.RowFilter;
import org.apache.paimon.blobfallback.read.rows.RowSelection;
import org.apache.paimon.blobfallback.read.view.BlobViewColumnReader;
import org.apache.paimon.blobfallback.read.view.BlobViewResolver;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.globalindex.IndexedSplit;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.operation.SplitRead;
import org.apache.paimon.reader.FileRecordIterator;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataTypeRoot;
import org.apache.paimon.types.RowType;

/**
 * Opens a group: the plugin reads its blob columns and the host all others, combined row by row.
 */
final class GroupReaderFactory {

    private final ReadContext context;
    private final Supplier<SplitRead<InternalRow>> hostRead;
    private final FileFaults faults;
    private final UnknownFeatures unknownFeatures;
    // The host's read caches format readers, but only for one read type.
    private final Map<RowType, SplitRead<InternalRow>> hostReads = new HashMap<>();

    GroupReaderFactory(ReadContext context, Supplier<SplitRead<InternalRow>> hostRead) {
        this.context = context;
        this.hostRead = hostRead;
        this.faults = new FileFaults(context.options());
        this.unknownFeatures = new UnknownFeatures(context);
    }

    /**
     * Opens a group. If the group is a single file, its batches are {@link FileRecordIterator}s
     * like the host's, which engines ask for the file and the position of a row.
     *
     * @param split that the group is of
     * @param part the rows to read, with the files of the group that are read for them
     * @param readType columns to return, in this order
     * @param filter rows that do not pass may be left out; null for none
     * @throws IOException if two blob files of one layer overlap, or a file cannot be opened
     * @throws IllegalArgumentException if a NOT NULL blob column is in no file
     * @throws UnsupportedOperationException if a column or file is of a kind that only Paimon 2.0
     *     supports
     */
    RecordReader<InternalRow> create(
            DataSplit split,
            Group<DataFileMeta> group,
            BlobOnlyPart part,
            RowType readType,
            @Nullable RowFilter filter)
            throws IOException {
        boolean asDescriptor = context.options().blobAsDescriptor();
        RequestedRows all = new RequestedRows(part.selection(), null);
        // If files may be ignored, rows of a reader cannot be identified by their order.
        if (filter == null
                || faults.ignoresSome()
                || !readsBlobs(part.group(), readType, asDescriptor)) {
            return openPart(split, part, all, readType, asDescriptor);
        }
        // Filters on a blob column only test for null, which descriptors answer.
        MatchingRows matching =
                new MatchingRows(
                        part.selection(),
                        open(split, group, all, filter.readType(), true),
                        filter.predicate(),
                        context.metrics());
        try {
            return new FilteredReader(
                    openPart(
                            split,
                            part,
                            new RequestedRows(part.selection(), matching),
                            readType,
                            asDescriptor),
                    matching);
        } catch (IOException | RuntimeException | Error e) {
            try {
                matching.close();
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private RecordReader<InternalRow> openPart(
            DataSplit split,
            BlobOnlyPart part,
            RequestedRows requested,
            RowType readType,
            boolean asDescriptor)
            throws IOException {
        RecordReader<InternalRow> reader =
                open(split, part.group(), requested, readType, asDescriptor);
        if (part.group().files().size() != 1) {
            return reader;
        }
        DataFileMeta file = part.group().files().get(0);
        return new OneFileReader(
                reader,
                context.pathFactory()
                        .createDataFilePathFactory(split.partition(), split.bucket())
                        .toPath(file),
                file.nonNullFirstRowId(),
                requested.rows());
    }

    /** Whether bytes of blobs are read, so that a filter can save some. */
    private boolean readsBlobs(Group<DataFileMeta> group, RowType readType, boolean asDescriptor) {
        Set<Integer> inNormalFiles = fieldIdsInNormalFiles(group);
        return readType.getFields().stream()
                .filter(field -> BlobColumns.isBlobColumn(field.type()))
                .anyMatch(
                        field ->
                                inNormalFiles.contains(field.id())
                                        ? context.isView(field.name())
                                        : !asDescriptor);
    }

    private RecordReader<InternalRow> open(
            DataSplit split,
            Group<DataFileMeta> group,
            RequestedRows requested,
            RowType readType,
            boolean asDescriptor)
            throws IOException {
        RowSelection selection = requested.selection();
        Set<Integer> inNormalFiles = fieldIdsInNormalFiles(group);
        List<DataField> blobFields = new ArrayList<>();
        List<DataField> views = new ArrayList<>();
        List<DataField> otherFields = new ArrayList<>();
        for (DataField field : readType.getFields()) {
            if (!BlobColumns.isBlobColumn(field.type())) {
                otherFields.add(field);
            } else if (!inNormalFiles.contains(field.id())) {
                blobFields.add(field);
            } else if (context.isView(field.name())) {
                views.add(field);
            } else {
                // Stored in a normal file as a descriptor, which the host reads, as in Paimon 2.0.
                otherFields.add(field);
            }
        }
        Map<List<DataFileMeta>, List<DataField>> vectors =
                VectorColumns.byFiles(
                        context,
                        group.vectorFiles(),
                        otherFields.stream()
                                .filter(field -> !inNormalFiles.contains(field.id()))
                                .collect(Collectors.toList()));
        vectors.values().forEach(otherFields::removeAll);
        // Null, since no file has it; the formats of normal files refuse to read such a column.
        otherFields.removeIf(
                field ->
                        field.type().is(DataTypeRoot.VECTOR)
                                && !inNormalFiles.contains(field.id()));
        List<DataField> partitionKeys = partitionKeysInNoFile(group, otherFields, inNormalFiles);
        otherFields.removeAll(partitionKeys);
        if (otherFields.size() == readType.getFieldCount() && !group.normalFiles().isEmpty()) {
            return openHost(split, group.normalFiles(), selection, readType);
        }

        ColumnZip zip = new ColumnZip(readType);
        try {
            Map<Integer, Bunch> bunches = bunches(group, blobFields);
            if (group.normalFiles().isEmpty()) {
                addWithoutHost(zip, split, group, requested, readType, asDescriptor, bunches);
            } else {
                if (!otherFields.isEmpty()
                        || (bunches.isEmpty()
                                && vectors.isEmpty()
                                && views.isEmpty()
                                && partitionKeys.isEmpty())) {
                    zip.add(
                            requested.of(
                                    expectAll(
                                            openHost(
                                                    split,
                                                    group.normalFiles(),
                                                    selection,
                                                    new RowType(otherFields)),
                                            selection,
                                            group.normalFiles())),
                            otherFields);
                }
                for (Bunch bunch : bunches.values()) {
                    addBunch(zip, split, bunch, requested, readType, asDescriptor);
                }
            }
            if (!partitionKeys.isEmpty()) {
                BlobOnlyColumns known =
                        new BlobOnlyColumns(context, split, new RowType(partitionKeys));
                zip.add(
                        new BlobOnlyRowsReader(group, requested.rows(), known.layout()),
                        known.fields());
            }
            for (DataField field : views) {
                zip.add(openView(split, group, requested, field), Collections.singletonList(field));
            }
            VectorColumns vectorColumns =
                    new VectorColumns(
                            (file, rows, type) ->
                                    openHost(split, Collections.singletonList(file), rows, type),
                            selection);
            for (Map.Entry<List<DataFileMeta>, List<DataField>> entry : vectors.entrySet()) {
                List<DataField> fields = entry.getValue();
                zip.add(
                        requested.of(
                                expectAll(
                                        vectorColumns.open(entry.getKey(), fields),
                                        selection,
                                        entry.getKey())),
                        fields);
            }
            return zip.open();
        } catch (IOException | RuntimeException | Error e) {
            zip.closeAfter(e);
            throw e;
        }
    }

    /** Adds the known columns of a group without a normal file in the split. */
    private void addWithoutHost(
            ColumnZip zip,
            DataSplit split,
            Group<DataFileMeta> group,
            RequestedRows requested,
            RowType readType,
            boolean asDescriptor,
            Map<Integer, Bunch> bunches)
            throws IOException {
        BlobOnlyColumns columns = new BlobOnlyColumns(context, split, readType);
        if (bunches.isEmpty()) {
            zip.add(
                    new BlobOnlyRowsReader(group, requested.rows(), columns.layout()),
                    columns.fields());
            return;
        }
        boolean first = true;
        for (Bunch bunch : bunches.values()) {
            if (first) {
                DataField field = readType.getField(bunch.fieldId());
                zip.add(
                        openBunch(
                                split,
                                bunch,
                                requested,
                                field,
                                columns.layout(field),
                                asDescriptor),
                        columns.fields(field));
            } else {
                addBunch(zip, split, bunch, requested, readType, asDescriptor);
            }
            first = false;
        }
    }

    private void addBunch(
            ColumnZip zip,
            DataSplit split,
            Bunch bunch,
            RequestedRows requested,
            RowType readType,
            boolean asDescriptor)
            throws IOException {
        DataField field = readType.getField(bunch.fieldId());
        zip.add(
                openBunch(split, bunch, requested, field, BlobRowLayout.blobOnly(), asDescriptor),
                Collections.singletonList(field));
    }

    private RecordReader<InternalRow> openView(
            DataSplit split, Group<DataFileMeta> group, RequestedRows requested, DataField field)
            throws IOException {
        unknownFeatures.checkView(field, group.normalFiles());
        String where = where(field);
        RecordReader<InternalRow> references =
                openHost(
                        split,
                        group.normalFiles(),
                        requested.selection(),
                        new RowType(Collections.singletonList(field)));
        return new BlobViewColumnReader(
                requested.of(expectAll(references, requested.selection(), group.normalFiles())),
                new BlobViewResolver(context.viewCatalog(), where),
                where);
    }

    private RecordReader<InternalRow> expectAll(
            RecordReader<InternalRow> reader, RowSelection selection, List<DataFileMeta> files) {
        return faults.ignoresSome()
                ? reader
                : new ExpectedRowsReader(reader, selection.count(), context.tableName(), files);
    }

    /**
     * Keys that are null in what the host reads. It takes them from the partition if it reads one
     * file, and only from files if it reads several; changes can be files of other columns alone.
     */
    private List<DataField> partitionKeysInNoFile(
            Group<DataFileMeta> group, List<DataField> fields, Set<Integer> inNormalFiles) {
        if (group.normalFiles().size() < 2) {
            return Collections.emptyList();
        }
        RowType partitionType = context.schema().logicalPartitionType();
        return fields.stream()
                .filter(field -> partitionType.containsField(field.id()))
                .filter(field -> !inNormalFiles.contains(field.id()))
                .collect(Collectors.toList());
    }

    private Set<Integer> fieldIdsInNormalFiles(Group<DataFileMeta> group) {
        Set<Integer> ids = new HashSet<>();
        for (DataFileMeta file : group.normalFiles()) {
            ids.addAll(context.fileColumns().writtenFieldIds(file));
        }
        return ids;
    }

    /**
     * The bunches of columns, by field id, in the order of Paimon 2.0: if no normal file is read,
     * the first one returns the system columns.
     */
    private Map<Integer, Bunch> bunches(Group<DataFileMeta> group, List<DataField> blobFields) {
        if (blobFields.isEmpty()) {
            return Collections.emptyMap();
        }
        Set<Integer> fieldIds = blobFields.stream().map(DataField::id).collect(Collectors.toSet());
        // In the order of Paimon 2.0, not in that of field ids.
        Map<Integer, Bunch> bunches = new HashMap<>();
        for (Bunch bunch : group.bunches(context.fileColumns(), fieldIds::contains)) {
            bunches.put(bunch.fieldId(), bunch);
        }
        return bunches;
    }

    private String where(DataField field) {
        return String.format("column %s of table %s", field.name(), context.tableName());
    }

    private RecordReader<InternalRow> openBunch(
            DataSplit split,
            Bunch bunch,
            RequestedRows requested,
            DataField field,
            BlobRowLayout layout,
            boolean asDescriptor)
            throws IOException {
        DataFilePathFactory paths =
                context.pathFactory().createDataFilePathFactory(split.partition(), split.bucket());
        return new BlobColumnReader(
                BlobLayers.of(
                        bunch,
                        requested.selection(),
                        context.fileIO(),
                        paths,
                        faults,
                        context.metrics(),
                        context.blobOptions().parallelism()),
                requested.rows(),
                layout,
                where(field),
                BlobColumnType.of(context.tableName(), field),
                asDescriptor,
                context.blobOptions(),
                faults);
    }

    private RecordReader<InternalRow> openHost(
            DataSplit split, List<DataFileMeta> files, RowSelection selection, RowType readType)
            throws IOException {
        unknownFeatures.check(files);
        Set<DataFileMeta> wanted = Collections.newSetFromMap(new IdentityHashMap<>());
        wanted.addAll(files);
        DataSplit hostSplit =
                split.filterDataFile(wanted::contains)
                        .orElseThrow(() -> new IllegalStateException("A group without files."));
        Split selected =
                selection.isExactly(files.get(0).nonNullRowIdRange())
                        ? hostSplit
                        : new IndexedSplit(hostSplit, selection.ranges(), null);
        return hostReads
                .computeIfAbsent(readType, type -> hostRead.get().withReadType(type))
                .createReader(selected);
    }
}
