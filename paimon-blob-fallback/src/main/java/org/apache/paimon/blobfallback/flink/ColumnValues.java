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

package org.apache.paimon.blobfallback.flink;

import java.io.Serializable;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.MapType;

/**
 * The values of one column of an update: as the source has them, as they travel between tasks, and
 * as they are set. Wherever there is one, bytes may be those of a descriptor.
 */
interface ColumnValues extends Serializable {

    /**
     * The values of a column in blob files.
     *
     * @param type BLOB, ARRAY&lt;BLOB&gt; or MAP&lt;K, BLOB&gt;
     */
    static ColumnValues of(DataType type) {
        switch (type.getTypeRoot()) {
            case ARRAY:
                return new ArrayValues();
            case MAP:
                return new MapValues(((MapType) type).getKeyType());
            default:
                return new ScalarValues();
        }
    }

    /** Whether a column of the source can be set. */
    boolean accepts(LogicalType source);

    /** What {@link #accepts} expects, in words. */
    String expected();

    /** The type in which values travel. */
    TypeInformation<?> travelType();

    /** A value of the source, never null, as it travels. */
    Object pack(Object value);

    /** Bytes of a value that travels, never null, without what objects take. */
    long length(Object packed);

    /** Sets a value that has travelled, never null. */
    void set(BlobUpdate update, long rowId, String column, Object packed, BlobsOfBytes blobs);
}
