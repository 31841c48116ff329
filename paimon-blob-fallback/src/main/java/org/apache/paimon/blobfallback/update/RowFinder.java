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

package org.apache.paimon.blobfallback.update;

import static org.apache.paimon.utils.Preconditions.checkArgument;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.host.TimeTravel;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.blobfallback.write.BlobTable;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateVisitor;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;

/** Finds the row ids that a predicate on normal columns selects. */
final class RowFinder {

    private RowFinder() {}

    /**
     * The ids of the rows that a snapshot has and the predicate selects.
     *
     * @throws IllegalArgumentException if the predicate is on a column in blob files
     * @throws IOException if the table cannot be read
     */
    static NavigableSet<Long> find(FileStoreTable table, Snapshot snapshot, Predicate predicate)
            throws IOException {
        List<DataField> fields = new ArrayList<>();
        List<DataField> blobs = BlobTable.columns(table);
        for (String name : PredicateVisitor.collectFieldNames(predicate)) {
            DataField field = table.rowType().getField(name);
            checkArgument(
                    !blobs.contains(field),
                    "Column %s of table %s is kept in blob files: select rows by normal columns.",
                    name,
                    table.fullName());
            fields.add(field);
        }
        fields.add(SpecialFields.ROW_ID);
        int rowIdField = fields.size() - 1;

        ReadBuilder read =
                tableAt(table, snapshot)
                        .newReadBuilder()
                        .withReadType(new RowType(fields))
                        .withFilter(predicate);
        NavigableSet<Long> rowIds = new TreeSet<>();
        try (RecordReader<InternalRow> reader =
                read.newRead().executeFilter().createReader(read.newScan().plan())) {
            reader.forEachRemaining(row -> rowIds.add(row.getLong(rowIdField)));
        }
        return rowIds;
    }

    /**
     * The table at a snapshot, under its own schema and with the fallback on. No row is skipped
     * because a global index does not contain it, regardless of the table's search mode.
     */
    static FileStoreTable tableAt(FileStoreTable table, Snapshot snapshot) {
        Map<String, String> options = new HashMap<>();
        options.put(BlobFallbackOptions.ENABLED.key(), "true");
        options.put(CoreOptions.GLOBAL_INDEX_ENABLED.key(), "false");
        return TimeTravel.toSnapshot(table, snapshot.id()).copyWithoutTimeTravel(options);
    }
}
