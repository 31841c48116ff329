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
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;

/** The types of the rows of an update, on their way between tasks. */
final class UpdateRow {

    /** Bytes, or the bytes of a descriptor, or null, one for each column. */
    private static final TypeInformation<byte[][]> VALUES =
            Types.OBJECT_ARRAY(PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

    /** Row id and values. */
    static final TypeInformation<Tuple2<Long, byte[][]>> TYPE = Types.TUPLE(Types.LONG, VALUES);

    /** First row id of the row's group, row id and values. */
    static final TypeInformation<Tuple3<Long, Long, byte[][]>> TYPE_WITH_GROUP =
            Types.TUPLE(Types.LONG, Types.LONG, VALUES);

    private UpdateRow() {}
}
