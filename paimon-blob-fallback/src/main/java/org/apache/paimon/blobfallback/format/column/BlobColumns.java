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

package org.apache.paimon.blobfallback.format.column;

import org.apache.paimon.types.ArrayType;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypeRoot;
import org.apache.paimon.types.MapType;

/** Which columns are kept in blob files. */
public final class BlobColumns {

    private BlobColumns() {}

    /**
     * Whether a blob file can hold a column: BLOB, ARRAY of BLOB and MAP to BLOB.
     *
     * @param type of the column
     */
    public static boolean isBlobColumn(DataType type) {
        switch (type.getTypeRoot()) {
            case BLOB:
                return true;
            case ARRAY:
                return ((ArrayType) type).getElementType().is(DataTypeRoot.BLOB);
            case MAP:
                return ((MapType) type).getValueType().is(DataTypeRoot.BLOB);
            default:
                return false;
        }
    }
}
