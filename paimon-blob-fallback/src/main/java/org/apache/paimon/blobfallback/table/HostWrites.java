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

package org.apache.paimon.blobfallback.table;

import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.format.column.BlobColumns;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataTypeRoot;

/**
 * The tables that the host must not write rows to or compact, since it does not know all their
 * features.
 */
final class HostWrites {

    private HostWrites() {}

    /** Whether the host may write to a table. */
    static boolean areSafe(TableSchema schema) {
        return !hasDeletionVectors(schema) && unknownColumn(schema) == null;
    }

    /**
     * Checks that the host may write to a table.
     *
     * @throws UnsupportedOperationException if it may not; it says why and what to do
     */
    static void check(String tableName, TableSchema schema) {
        if (hasDeletionVectors(schema)) {
            throw new UnsupportedOperationException(
                    String.format(
                            "Table %s has both '%s' and '%s'. Paimon 1.4 cannot write rows to it, or"
                                    + " compact it, without losing deletions; write with Paimon"
                                    + " 2.0.",
                            tableName,
                            CoreOptions.DATA_EVOLUTION_ENABLED.key(),
                            CoreOptions.DELETION_VECTORS_ENABLED.key()));
        }
        DataField column = unknownColumn(schema);
        if (column != null) {
            throw new UnsupportedOperationException(
                    String.format(
                            "Column %s of table %s is an %s. Paimon 1.4 would write it into normal"
                                    + " files, where it hides what blob files hold; write rows with"
                                    + " Paimon 2.0.",
                            column.name(), tableName, column.type()));
        }
    }

    private static boolean hasDeletionVectors(TableSchema schema) {
        return new CoreOptions(schema.options()).deletionVectorsEnabled();
    }

    /** A column in blob files that the host takes for a normal column. */
    @Nullable
    private static DataField unknownColumn(TableSchema schema) {
        for (DataField field : schema.fields()) {
            if (BlobColumns.isBlobColumn(field.type()) && !field.type().is(DataTypeRoot.BLOB)) {
                return field;
            }
        }
        return null;
    }
}
