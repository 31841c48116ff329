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

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.globalindex.sorted.SortedGlobalIndexBuilder;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.CloseableIterator;
import org.apache.paimon.utils.InternalRowUtils;
import org.apache.paimon.utils.Pair;
import org.apache.paimon.utils.Range;

/** Builds global indexes of a column over rows that have none. */
// Paimon's own closeables throw Exception.
@SuppressWarnings("try")
final class GlobalIndexes {

    private static final String SORTED = "org.apache.paimon.globalindex.sorted.SortedGlobalIndex";

    private final FileStoreTable table;
    private final DataField column;
    private final String type;

    /**
     * @param type {@code btree} or {@code bitmap}
     */
    GlobalIndexes(FileStoreTable table, String column, String type) {
        this.table = table;
        this.column = table.rowType().getField(column);
        this.type = type;
    }

    /** Index files that are not committed; none where the index has all rows already. */
    List<CommitMessage> build() throws Exception {
        try {
            Class.forName(SORTED + "Builder");
        } catch (ClassNotFoundException e) {
            return buildByMaster();
        }
        return buildByPaimon2();
    }

    private List<CommitMessage> buildByPaimon2() throws Exception {
        SortedGlobalIndexBuilder builder =
                new SortedGlobalIndexBuilder(table, type).withIndexField(column.name());
        List<CommitMessage> messages = new ArrayList<>();
        List<DataSplit> splits = builder.incrementalScan().map(Pair::getValue).orElse(List.of());
        try (IOManager ioManager = IOManager.create(System.getProperty("java.io.tmpdir"))) {
            for (DataSplit split : SortedGlobalIndexBuilder.splitByContiguousRowRange(splits)) {
                messages.addAll(builder.build(split, ioManager));
            }
        }
        return messages;
    }

    /** Paimon's master has two classes instead, which this is not compiled against. */
    private List<CommitMessage> buildByMaster() throws Exception {
        Object scanner = sorted("Scanner");
        Optional<?> scan = (Optional<?>) call(scanner, "incrementalScan");
        List<CommitMessage> messages = new ArrayList<>();
        if (scan.isPresent()) {
            Class<?> utils = Class.forName("org.apache.paimon.globalindex.GlobalIndexBuilderUtils");
            Object entries = call(scan.get(), "entries");
            List<?> splits =
                    (List<?>)
                            utils.getMethod("splitByContiguousRowRange", List.class)
                                    .invoke(null, entries);
            for (Object split : splits) {
                Object range = utils.getMethod("calcRowRange", DataSplit.class).invoke(null, split);
                messages.addAll(
                        buildByMaster(
                                (DataSplit) split,
                                (Range) range,
                                (Long) call(scan.get(), "scanSnapshotId")));
            }
        }
        return messages;
    }

    @SuppressWarnings("unchecked")
    private List<CommitMessage> buildByMaster(DataSplit split, Range range, long snapshot)
            throws Exception {
        Object writer = sorted("Writer");
        try {
            return (List<CommitMessage>)
                    writer.getClass()
                            .getMethod(
                                    "buildForSinglePartition",
                                    Range.class,
                                    BinaryRow.class,
                                    Iterator.class,
                                    long.class)
                            .invoke(
                                    writer,
                                    range,
                                    split.partition(),
                                    sortedRows(split).iterator(),
                                    snapshot);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("Failed to index " + split, e.getCause());
        }
    }

    private Object sorted(String name) throws ReflectiveOperationException {
        Class<?> made = Class.forName(SORTED + name);
        Object object = made.getConstructor(Table.class, String.class).newInstance(table, type);
        return made.getMethod("withIndexField", String.class).invoke(object, column.name());
    }

    private static Object call(Object object, String method) throws ReflectiveOperationException {
        return object.getClass().getMethod(method).invoke(object);
    }

    /** The values with their row ids, null first. */
    private List<InternalRow> sortedRows(DataSplit split) throws Exception {
        RowType readType =
                SpecialFields.rowTypeWithRowId(table.rowType())
                        .project(List.of(column.name(), SpecialFields.ROW_ID.name()));
        InternalRow.FieldGetter value = InternalRow.createFieldGetter(column.type(), 0);
        List<InternalRow> sorted = new ArrayList<>();
        try (CloseableIterator<InternalRow> rows =
                table.newReadBuilder()
                        .withReadType(readType)
                        .newRead()
                        .createReader(split)
                        .toCloseableIterator()) {
            while (rows.hasNext()) {
                InternalRow row = rows.next();
                sorted.add(
                        GenericRow.of(
                                InternalRowUtils.copy(value.getFieldOrNull(row), column.type()),
                                row.getLong(1)));
            }
        }
        sorted.sort(
                Comparator.<InternalRow, Object>comparing(
                                value::getFieldOrNull,
                                Comparator.nullsFirst(
                                        (left, right) ->
                                                InternalRowUtils.compare(
                                                        left, right, column.type().getTypeRoot())))
                        .thenComparing(row -> row.getLong(1)));
        return sorted;
    }
}
