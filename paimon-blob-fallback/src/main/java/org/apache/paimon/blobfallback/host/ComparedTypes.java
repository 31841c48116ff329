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

package org.apache.paimon.blobfallback.host;

import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypeRoot;

/** How the host compares values of a type. */
public final class ComparedTypes {

    private ComparedTypes() {}

    /**
     * Whether the host's predicates and statistics order values of a type as SQL does. Writers, the
     * host's predicates and SQL treat NaN and negative zero differently. Trailing blanks of a CHAR
     * count in the statistics of ORC and in the host's comparisons, but not in SQL.
     */
    public static boolean areOrderedAsInSql(DataType type) {
        return !type.isAnyOf(DataTypeRoot.FLOAT, DataTypeRoot.DOUBLE, DataTypeRoot.CHAR);
    }
}
