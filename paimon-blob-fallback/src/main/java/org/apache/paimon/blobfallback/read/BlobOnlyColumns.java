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

import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.blobfallback.read.blobs.BlobRowLayout;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;

/**
 * The columns whose values are known without a normal file: the system columns and the partition
 * keys.
 */
final class BlobOnlyColumns {

    private final List<DataField> fields = new ArrayList<>();
    private final List<Object> constants = new ArrayList<>();

    /**
     * @param split that the rows belong to
     * @param readType columns that are wanted
     */
    BlobOnlyColumns(ReadContext context, DataSplit split, RowType readType) {
        RowType partitionType = context.schema().logicalPartitionType();
        for (DataField field : readType.getFields()) {
            if (SpecialFields.isSystemField(field.id())) {
                fields.add(field);
                constants.add(null);
            } else if (partitionType.containsField(field.id())) {
                int key = partitionType.getFieldIndexByFieldId(field.id());
                fields.add(field);
                constants.add(
                        InternalRow.createFieldGetter(partitionType.getTypeAt(key), key)
                                .getFieldOrNull(split.partition()));
            }
        }
    }

    /** The columns of {@link #layout(DataField)}: the blob column and the known columns. */
    List<DataField> fields(DataField blobField) {
        List<DataField> all = new ArrayList<>(fields);
        all.add(blobField);
        return all;
    }

    /** Rows of a blob column and the known columns. */
    BlobRowLayout layout(DataField blobField) {
        return layout(fields(blobField), fields.size());
    }

    /** The columns of {@link #layout()}. */
    List<DataField> fields() {
        return fields;
    }

    /** Rows of the known columns, without a blob. */
    BlobRowLayout layout() {
        return layout(fields, BlobRowLayout.ABSENT);
    }

    private BlobRowLayout layout(List<DataField> rowFields, int blobPosition) {
        GenericRow row = new GenericRow(rowFields.size());
        int rowIdPosition = BlobRowLayout.ABSENT;
        int sequenceNumberPosition = BlobRowLayout.ABSENT;
        for (int i = 0; i < fields.size(); i++) {
            row.setField(i, constants.get(i));
            if (fields.get(i).id() == SpecialFields.ROW_ID.id()) {
                rowIdPosition = i;
            } else if (fields.get(i).id() == SpecialFields.SEQUENCE_NUMBER.id()) {
                sequenceNumberPosition = i;
            }
        }
        return new BlobRowLayout(row, blobPosition, rowIdPosition, sequenceNumberPosition);
    }
}
