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

package org.apache.paimon.blobfallback.tests.reader;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.globalindex.GlobalIndexBuilderUtils;
import org.apache.paimon.globalindex.GlobalIndexSingletonWriter;
import org.apache.paimon.globalindex.btree.BTreeGlobalIndexBuilder;
import org.apache.paimon.index.GlobalIndexMeta;
import org.apache.paimon.index.IndexFileMeta;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.CloseableIterator;
import org.apache.paimon.utils.InternalRowUtils;
import org.apache.paimon.utils.Pair;
import org.apache.paimon.utils.Range;

/** Builds global indexes by the means of the host, over what a table reads as. */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
final class HostIndexes {

    private static final String BTREE = "btree";

    private final FileStoreTable table;
    private final DataField column;
    private final String type;

    /**
     * @param type {@code btree} or {@code bitmap}
     */
    HostIndexes(FileStoreTable table, String column, String type) {
        this.table = table;
        this.column = table.rowType().getField(column);
        this.type = type;
    }

    /** Index files of rows that no index of this type has yet; not committed. */
    List<CommitMessage> build() throws Exception {
        BTreeGlobalIndexBuilder builder =
                new BTreeGlobalIndexBuilder(table).withIndexField(column.name());
        List<CommitMessage> messages = new ArrayList<>();
        try (IOManager ioManager = IOManager.create(System.getProperty("java.io.tmpdir"))) {
            for (DataSplit split : splits(builder)) {
                messages.addAll(
                        type.equals(BTREE)
                                ? builder.build(split, ioManager)
                                : List.of(bitmap(split)));
            }
        }
        return messages;
    }

    private List<DataSplit> splits(BTreeGlobalIndexBuilder builder) {
        List<DataSplit> splits =
                (type.equals(BTREE) ? builder.incrementalScan() : builder.scan())
                        .map(Pair::getValue)
                        .orElse(List.of());
        List<DataSplit> contiguous = BTreeGlobalIndexBuilder.splitByContiguousRowRange(splits);
        if (!type.equals(BTREE)) {
            List<Range> indexed = indexed();
            contiguous.removeIf(
                    split ->
                            indexed.stream()
                                    .anyMatch(
                                            BTreeGlobalIndexBuilder.calcRowRange(split)
                                                    ::hasIntersection));
        }
        return contiguous;
    }

    private List<Range> indexed() {
        List<Range> ranges = new ArrayList<>();
        for (IndexManifestEntry entry :
                table.store()
                        .newIndexFileHandler()
                        .scan(table.snapshotManager().latestSnapshot(), type)) {
            GlobalIndexMeta meta = entry.indexFile().globalIndexMeta();
            if (meta != null && meta.indexFieldId() == column.id()) {
                ranges.add(new Range(meta.rowRangeStart(), meta.rowRangeEnd()));
            }
        }
        return ranges;
    }

    /** One entry for each row id of the split; a deleted row has none, as the host wants. */
    private CommitMessage bitmap(DataSplit split) throws Exception {
        Range range = BTreeGlobalIndexBuilder.calcRowRange(split);
        GlobalIndexSingletonWriter writer =
                (GlobalIndexSingletonWriter)
                        GlobalIndexBuilderUtils.createIndexWriter(
                                table, type, column, table.coreOptions().toConfiguration());
        TreeMap<Long, Object> values = values(split);
        for (long rowId = range.from; rowId <= range.to; rowId++) {
            writer.write(values.get(rowId));
        }
        List<IndexFileMeta> files =
                GlobalIndexBuilderUtils.toIndexFileMetas(
                        table.fileIO(),
                        table.store().pathFactory().globalIndexFileFactory(),
                        table.coreOptions(),
                        range,
                        column.id(),
                        type,
                        writer.finish());
        return new CommitMessageImpl(
                split.partition(),
                0,
                null,
                DataIncrement.indexIncrement(files),
                CompactIncrement.emptyIncrement());
    }

    private TreeMap<Long, Object> values(DataSplit split) throws IOException {
        RowType readType =
                SpecialFields.rowTypeWithRowId(table.rowType())
                        .project(List.of(column.name(), SpecialFields.ROW_ID.name()));
        InternalRow.FieldGetter value = InternalRow.createFieldGetter(column.type(), 0);
        ReadBuilder builder = table.newReadBuilder().withReadType(readType);
        TreeMap<Long, Object> values = new TreeMap<>();
        try (CloseableIterator<InternalRow> rows =
                builder.newRead().createReader(split).toCloseableIterator()) {
            while (rows.hasNext()) {
                InternalRow row = rows.next();
                values.put(
                        row.getLong(1),
                        InternalRowUtils.copy(value.getFieldOrNull(row), column.type()));
            }
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("Failed to read " + split, e);
        }
        return values;
    }
}
