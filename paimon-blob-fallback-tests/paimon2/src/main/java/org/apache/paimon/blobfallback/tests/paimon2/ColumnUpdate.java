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

package org.apache.paimon.blobfallback.tests.paimon2;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.tests.bridge.Placeholder;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.serializer.InternalRowSerializer;
import org.apache.paimon.format.blob.BlobFileFormat;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.operation.AbstractFileStoreWrite;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.table.sink.TableWriteImpl;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.BlobType;
import org.apache.paimon.types.RowType;
import org.apache.paimon.types.VectorType;
import org.apache.paimon.utils.CloseableIterator;
import org.apache.paimon.utils.Range;
import org.apache.paimon.utils.RecordWriter;

/**
 * Writes new versions of some columns for whole groups, as the engines do on Paimon 2.0: one row
 * per row id of the group, a placeholder where a blob stays what it is.
 */
// Paimon's own closeables throw Exception.
@SuppressWarnings("try")
final class ColumnUpdate {

    private final FileStoreTable table;
    private final List<String> columns;
    private final RowType writeType;

    ColumnUpdate(FileStoreTable table, List<String> columns, Map<String, String> options) {
        Map<String, String> dynamic = new HashMap<>(options);
        // A group's new normal file must not be rolled: all normal files of a group span its range.
        if (!dynamic.containsKey(CoreOptions.BLOB_TARGET_FILE_SIZE.key())) {
            dynamic.put(
                    CoreOptions.BLOB_TARGET_FILE_SIZE.key(),
                    table.coreOptions().blobTargetFileSize() + " b");
        }
        dynamic.put(CoreOptions.TARGET_FILE_SIZE.key(), "99999 G");
        // An index wants all of its columns, whichever are written; no value removes the option.
        table.options().keySet().stream()
                .filter(option -> option.startsWith("file-index."))
                .forEach(option -> dynamic.put(option, null));
        this.table = table.copy(dynamic);
        this.columns = columns;
        this.writeType = table.rowType().project(columns);
    }

    /** Writes the files and returns what to commit, one message a touched group. */
    List<CommitMessage> write(Map<Long, List<Object>> values) throws Exception {
        List<CommitMessage> messages = new ArrayList<>();
        int found = 0;
        for (Group group : groups()) {
            Map<Long, List<Object>> touched =
                    new TreeMap<>(values).subMap(group.range.from, true, group.range.to, true);
            if (!touched.isEmpty()) {
                found += touched.size();
                messages.add(write(group, touched));
            }
        }
        if (found != values.size()) {
            throw new IllegalArgumentException("Some row ids of the update do not exist.");
        }
        return messages;
    }

    private CommitMessage write(Group group, Map<Long, List<Object>> touched) throws Exception {
        Map<Long, InternalRow> kept = keptColumns(group, touched);
        try (BatchTableWrite write =
                table.newBatchWriteBuilder().newWrite().withWriteType(writeType)) {
            RecordWriter<InternalRow> writer = recordWriter(write, group.partition);
            try {
                for (long id = group.range.from; id <= group.range.to; id++) {
                    writer.write(row(touched.get(id), kept.get(id)));
                }
                List<DataFileMeta> files =
                        assignRowIds(
                                writer.prepareCommit(false).newFilesIncrement().newFiles(),
                                group.range.from);
                return new CommitMessageImpl(
                        group.partition,
                        0,
                        null,
                        new DataIncrement(files, List.of(), List.of()),
                        CompactIncrement.emptyIncrement());
            } finally {
                writer.close();
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static RecordWriter<InternalRow> recordWriter(
            BatchTableWrite write, BinaryRow partition) {
        AbstractFileStoreWrite<InternalRow> fileStoreWrite =
                (AbstractFileStoreWrite<InternalRow>)
                        ((TableWriteImpl<InternalRow>) write).getWrite();
        return fileStoreWrite.createWriter(partition, 0);
    }

    private GenericRow row(List<Object> values, InternalRow kept) {
        GenericRow row = new GenericRow(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            Object value = values == null ? Placeholder.UNTOUCHED : values.get(i);
            if (value != Placeholder.UNTOUCHED) {
                row.setField(i, Values.internal(writeType.getTypeAt(i), value));
            } else if (isBlob(i)) {
                row.setField(i, Values.placeholder(writeType.getTypeAt(i)));
            } else if (kept != null) {
                row.setField(
                        i,
                        InternalRow.createFieldGetter(writeType.getTypeAt(i), i)
                                .getFieldOrNull(kept));
            }
        }
        return row;
    }

    private boolean isBlob(int index) {
        return BlobType.isBlobFileField(writeType.getTypeAt(index))
                && !table.coreOptions().blobInlineField().contains(columns.get(index));
    }

    /** What the other rows have now in columns that know no placeholder, by row id. */
    private Map<Long, InternalRow> keptColumns(Group group, Map<Long, List<Object>> touched)
            throws Exception {
        Map<Long, InternalRow> kept = new HashMap<>();
        boolean allBlobs = true;
        for (int i = 0; i < columns.size(); i++) {
            allBlobs &= isBlob(i);
        }
        if (allBlobs || touched.size() == group.range.count()) {
            return kept;
        }
        List<String> names = new ArrayList<>(columns);
        names.add(SpecialFields.ROW_ID.name());
        RowType readType = SpecialFields.rowTypeWithRowTracking(table.rowType()).project(names);
        InternalRowSerializer serializer = new InternalRowSerializer(readType);
        ReadBuilder builder =
                table.newReadBuilder().withReadType(readType).withRowRanges(List.of(group.range));
        try (CloseableIterator<InternalRow> rows =
                builder.newRead().createReader(builder.newScan().plan()).toCloseableIterator()) {
            while (rows.hasNext()) {
                InternalRow row = rows.next();
                kept.put(row.getLong(columns.size()), serializer.copy(row));
            }
        }
        return kept;
    }

    /** Files come column by column, each column's files in the order of their rows. */
    private static List<DataFileMeta> assignRowIds(List<DataFileMeta> files, long firstRowId) {
        List<DataFileMeta> assigned = new ArrayList<>();
        Map<List<String>, Long> next = new HashMap<>();
        for (DataFileMeta file : files) {
            long start = next.getOrDefault(file.writeCols(), firstRowId);
            assigned.add(file.assignFirstRowId(start));
            next.put(file.writeCols(), start + file.rowCount());
        }
        return assigned;
    }

    private List<Group> groups() {
        Map<Range, Group> groups = new LinkedHashMap<>();
        for (ManifestEntry entry : table.store().newScan().plan().files()) {
            String name = entry.file().fileName();
            if (!BlobFileFormat.isBlobFile(name) && !VectorType.isVectorStoreFile(name)) {
                Range range = entry.file().nonNullRowIdRange();
                groups.putIfAbsent(range, new Group(range, entry.partition()));
            }
        }
        return new ArrayList<>(groups.values());
    }

    /** The rows of one group. */
    private static final class Group {

        private final Range range;
        private final BinaryRow partition;

        private Group(Range range, BinaryRow partition) {
            this.range = range;
            this.partition = partition;
        }
    }
}
