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
import org.apache.paimon.types.DataTypeRoot;
import org.apache.paimon.types.RowType;

/**
 * Opens a group: each of its blob columns by the plugin, all its other columns by the host, zipped
 * row by row.
 */
final class GroupReaderFactory {

    private final ReadContext context;
    private final Supplier<SplitRead<InternalRow>> hostRead;
    private final FileFaults faults;
    private final UnknownFeatures unknownFeatures;
    // The host's read keeps what it has learned of a file format, for one read type only.
    private final Map<RowType, SplitRead<InternalRow>> hostReads = new HashMap<>();

    GroupReaderFactory(ReadContext context, Supplier<SplitRead<InternalRow>> hostRead) {
        this.context = context;
        this.hostRead = hostRead;
        this.faults = new FileFaults(context.options());
        this.unknownFeatures = new UnknownFeatures(context);
    }

    /**
     * Opens a group.
     *
     * @param split that the group is of
     * @param selection rows to read, at least one
     * @param readType columns to hand out, in their order
     * @throws IOException if two blob files of one layer overlap, or a file cannot be opened
     * @throws IllegalArgumentException if a blob column that cannot be null is in no file
     * @throws UnsupportedOperationException if a column or file is of a kind that only Paimon 2.0
     *     knows
     */
    RecordReader<InternalRow> create(
            DataSplit split, RowIdGroup group, RowSelection selection, RowType readType)
            throws IOException {
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
                // Kept inside a normal file, as a descriptor: the host's, as in Paimon 2.0.
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
        // Null, since no file holds it; the formats of normal files refuse to be asked for it.
        otherFields.removeIf(
                field ->
                        field.type().is(DataTypeRoot.VECTOR)
                                && !inNormalFiles.contains(field.id()));
        if (otherFields.size() == readType.getFieldCount() && !group.normalFiles().isEmpty()) {
            return openHost(split, group.normalFiles(), selection, readType);
        }

        ColumnZip zip = new ColumnZip(readType);
        try {
            Map<Integer, BlobBunch> bunches = bunches(group, blobFields);
            if (group.normalFiles().isEmpty()) {
                addWithoutHost(zip, split, group, selection, readType, bunches);
            } else {
                if (!otherFields.isEmpty()
                        || (bunches.isEmpty() && vectors.isEmpty() && views.isEmpty())) {
                    zip.add(
                            expectAll(
                                    openHost(
                                            split,
                                            group.normalFiles(),
                                            selection,
                                            new RowType(otherFields)),
                                    selection,
                                    group.normalFiles()),
                            otherFields);
                }
                for (BlobBunch bunch : bunches.values()) {
                    addBunch(zip, split, bunch, selection, readType);
                }
            }
            for (DataField field : views) {
                zip.add(openView(split, group, selection, field), Collections.singletonList(field));
            }
            VectorColumns vectorColumns =
                    new VectorColumns(
                            (file, rows, type) ->
                                    openHost(split, Collections.singletonList(file), rows, type),
                            selection);
            for (Map.Entry<List<DataFileMeta>, List<DataField>> entry : vectors.entrySet()) {
                List<DataField> fields = entry.getValue();
                zip.add(
                        expectAll(
                                vectorColumns.open(entry.getKey(), fields),
                                selection,
                                entry.getKey()),
                        fields);
            }
            return zip.open();
        } catch (IOException | RuntimeException | Error e) {
            zip.closeAfter(e);
            throw e;
        }
    }

    /** Adds what is known of the rows of a group of which the split holds no normal file. */
    private void addWithoutHost(
            ColumnZip zip,
            DataSplit split,
            RowIdGroup group,
            RowSelection selection,
            RowType readType,
            Map<Integer, BlobBunch> bunches)
            throws IOException {
        BlobOnlyColumns columns = new BlobOnlyColumns(context, split, readType);
        if (bunches.isEmpty()) {
            zip.add(new BlobOnlyRowsReader(group, selection, columns.layout()), columns.fields());
            return;
        }
        boolean first = true;
        for (BlobBunch bunch : bunches.values()) {
            if (first) {
                DataField field = readType.getField(bunch.fieldId());
                zip.add(
                        openBunch(split, bunch, selection, field, columns.layout(field)),
                        columns.fields(field));
            } else {
                addBunch(zip, split, bunch, selection, readType);
            }
            first = false;
        }
    }

    private void addBunch(
            ColumnZip zip,
            DataSplit split,
            BlobBunch bunch,
            RowSelection selection,
            RowType readType)
            throws IOException {
        DataField field = readType.getField(bunch.fieldId());
        zip.add(
                openBunch(split, bunch, selection, field, BlobRowLayout.blobOnly()),
                Collections.singletonList(field));
    }

    private RecordReader<InternalRow> openView(
            DataSplit split, RowIdGroup group, RowSelection selection, DataField field)
            throws IOException {
        unknownFeatures.checkView(field, group.normalFiles());
        String where = String.format("column %s of table %s", field.name(), context.tableName());
        RecordReader<InternalRow> references =
                openHost(
                        split,
                        group.normalFiles(),
                        selection,
                        new RowType(Collections.singletonList(field)));
        return new BlobViewColumnReader(
                expectAll(references, selection, group.normalFiles()),
                new BlobViewResolver(context.viewCatalog(), where),
                where);
    }

    private RecordReader<InternalRow> expectAll(
            RecordReader<InternalRow> reader, RowSelection selection, List<DataFileMeta> files) {
        return faults.ignoresSome()
                ? reader
                : new ExpectedRowsReader(reader, selection.count(), context.tableName(), files);
    }

    private Set<Integer> fieldIdsInNormalFiles(RowIdGroup group) {
        Set<Integer> ids = new HashSet<>();
        for (DataFileMeta file : group.normalFiles()) {
            ids.addAll(context.fileColumns().writtenFieldIds(file));
        }
        return ids;
    }

    /**
     * The bunches of columns, by field id, in the order of Paimon 2.0: where no normal file is read
     * the first one serves the system columns.
     */
    private Map<Integer, BlobBunch> bunches(RowIdGroup group, List<DataField> blobFields) {
        if (blobFields.isEmpty()) {
            return Collections.emptyMap();
        }
        Set<Integer> fieldIds = blobFields.stream().map(DataField::id).collect(Collectors.toSet());
        Map<Integer, BlobBunch> bunches = new HashMap<>();
        for (DataFileMeta file : group.blobFiles()) {
            int fieldId = context.fileColumns().blobFieldId(file);
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
                bunch.layers(selection, context.fileIO(), paths, faults, context.metrics()),
                selection,
                layout,
                BlobElementCodec.of(field.type()),
                context.options().blobAsDescriptor(),
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
