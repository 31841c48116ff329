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

package org.apache.paimon.blobfallback.engine;

import java.util.List;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataTypeRoot;

/** The columns by which an update finds its rows. */
public final class KeyColumns {

    private KeyColumns() {}

    /**
     * Checks that rows can be found by some columns.
     *
     * @param key names of the columns
     * @param own names that the source of an update reserves
     * @throws IllegalArgumentException if one is not a normal column of the table, or has a
     *     reserved name
     */
    public static void check(FileStoreTable table, List<String> key, List<String> own) {
        for (String name : key) {
            if (own.contains(name)) {
                throw new IllegalArgumentException(
                        String.format(
                                "Column %s of the key cannot be one of %s in an update of table %s;"
                                        + " with a column _ROW_ID in the source, leave out the"
                                        + " argument key.",
                                name, own, table.fullName()));
            }
            if (!table.rowType().containsField(name)
                    || table.rowType().getField(name).type().getTypeRoot() == DataTypeRoot.BLOB) {
                throw new IllegalArgumentException(
                        String.format(
                                "Column %s of the key is not a normal column of table %s, whose"
                                        + " columns are %s.",
                                name, table.fullName(), table.rowType().getFieldNames()));
            }
        }
    }
}
