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

package org.apache.paimon.blobfallback.read.blobs;

import org.apache.paimon.data.GenericRow;

/**
 * The layout of the rows that a blob column's reader returns: the blob and, if no normal file is
 * read, the system columns and columns that are the same for all rows.
 */
public final class BlobRowLayout {

    /** Position of a column that is not wanted. */
    public static final int ABSENT = -1;

    private final GenericRow constants;
    private final int blobPosition;
    private final int rowIdPosition;
    private final int sequenceNumberPosition;

    /**
     * @param constants values that all rows have in common
     * @param blobPosition position of the blob column, or {@link #ABSENT}
     * @param rowIdPosition position of {@code _ROW_ID}, or {@link #ABSENT}
     * @param sequenceNumberPosition position of {@code _SEQUENCE_NUMBER}, or {@link #ABSENT}
     */
    public BlobRowLayout(
            GenericRow constants, int blobPosition, int rowIdPosition, int sequenceNumberPosition) {
        this.constants = constants;
        this.blobPosition = blobPosition;
        this.rowIdPosition = rowIdPosition;
        this.sequenceNumberPosition = sequenceNumberPosition;
    }

    /** Rows of the blob column alone. */
    public static BlobRowLayout blobOnly() {
        return new BlobRowLayout(new GenericRow(1), 0, ABSENT, ABSENT);
    }

    /** A new row. */
    public GenericRow row(Object blob, long rowId, long sequenceNumber) {
        GenericRow row = new GenericRow(constants.getFieldCount());
        for (int i = 0; i < constants.getFieldCount(); i++) {
            row.setField(i, constants.getField(i));
        }
        if (blobPosition != ABSENT) {
            row.setField(blobPosition, blob);
        }
        if (rowIdPosition != ABSENT) {
            row.setField(rowIdPosition, rowId);
        }
        if (sequenceNumberPosition != ABSENT) {
            row.setField(sequenceNumberPosition, sequenceNumber);
        }
        return row;
    }
}
