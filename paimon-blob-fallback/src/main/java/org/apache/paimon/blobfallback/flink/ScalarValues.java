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

import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.paimon.blobfallback.engine.BlobsOfBytes;
import org.apache.paimon.blobfallback.update.BlobUpdate;

/** The values of a BLOB column: bytes in every form. */
final class ScalarValues implements ColumnValues {

    private static final long serialVersionUID = 1L;

    @Override
    public boolean accepts(LogicalType source) {
        return source.is(LogicalTypeFamily.BINARY_STRING);
    }

    @Override
    public String expected() {
        return "bytes";
    }

    @Override
    public TypeInformation<?> travelType() {
        return PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;
    }

    @Override
    public Object pack(Object value) {
        return value;
    }

    @Override
    public long length(Object packed) {
        return ((byte[]) packed).length;
    }

    @Override
    public void set(
            BlobUpdate update, long rowId, String column, Object packed, BlobsOfBytes blobs) {
        update.set(rowId, column, blobs.blob((byte[]) packed));
    }
}
