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
import java.util.Arrays;
import java.util.List;
import org.apache.paimon.blobfallback.read.rows.OneBatchReader;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.DataEvolutionFileReader;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;

/** Combines columns that several readers return for the same rows. */
final class ColumnZip {

    private static final int ABSENT = -1;

    private final RowType readType;
    private final List<RecordReader<InternalRow>> readers = new ArrayList<>();
    private final int[] readerOf;
    private final int[] positionIn;

    ColumnZip(RowType readType) {
        this.readType = readType;
        this.readerOf = new int[readType.getFieldCount()];
        this.positionIn = new int[readType.getFieldCount()];
        Arrays.fill(readerOf, ABSENT);
        Arrays.fill(positionIn, ABSENT);
    }

    /**
     * Adds a reader.
     *
     * @param reader closed with the zip
     * @param fields that it returns, in the order of its rows
     */
    void add(RecordReader<InternalRow> reader, List<DataField> fields) {
        for (int i = 0; i < fields.size(); i++) {
            int position = readType.getFieldIndexByFieldId(fields.get(i).id());
            readerOf[position] = readers.size();
            positionIn[position] = i;
        }
        readers.add(reader);
    }

    /**
     * One reader of all columns; a column without a reader is null.
     *
     * @throws IllegalArgumentException if a column without a reader is NOT NULL
     */
    RecordReader<InternalRow> open() {
        for (int i = 0; i < readerOf.length; i++) {
            DataField field = readType.getFields().get(i);
            if (readerOf[i] == ABSENT && !field.type().isNullable()) {
                throw new IllegalArgumentException(
                        "Column " + field + " cannot be null, but no file of its rows holds it.");
            }
        }
        if (readers.size() == 1 && isAsRead()) {
            return readers.get(0);
        }
        // The host's zip needs at least two readers; it skips an empty one.
        @SuppressWarnings({"unchecked", "rawtypes"})
        RecordReader<InternalRow>[] places = new RecordReader[Math.max(2, readers.size())];
        for (int i = 0; i < readers.size(); i++) {
            places[i] = new OneBatchReader(readers.get(i));
        }
        return new DataEvolutionFileReader(readerOf, positionIn, places);
    }

    /** Closes the added readers after a failure to open another one. */
    void closeAfter(Throwable failure) {
        for (RecordReader<InternalRow> reader : readers) {
            try {
                reader.close();
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }
    }

    private boolean isAsRead() {
        for (int i = 0; i < positionIn.length; i++) {
            if (positionIn[i] != i) {
                return false;
            }
        }
        return true;
    }
}
