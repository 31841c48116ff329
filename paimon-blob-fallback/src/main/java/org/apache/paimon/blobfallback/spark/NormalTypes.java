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

package org.apache.paimon.blobfallback.spark;

import javax.annotation.Nullable;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.types.DecimalType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The types of normal columns by which rows can be found. */
final class NormalTypes {

    private NormalTypes() {}

    /** Spark's type for one of the host's; null if its values cannot be keys. */
    @Nullable
    static DataType spark(org.apache.paimon.types.DataType type) {
        switch (type.getTypeRoot()) {
            case BOOLEAN:
                return DataTypes.BooleanType;
            case TINYINT:
                return DataTypes.ByteType;
            case SMALLINT:
                return DataTypes.ShortType;
            case INTEGER:
                return DataTypes.IntegerType;
            case BIGINT:
                return DataTypes.LongType;
            case CHAR:
            case VARCHAR:
                return DataTypes.StringType;
            case BINARY:
            case VARBINARY:
                return DataTypes.BinaryType;
            case DATE:
                return DataTypes.DateType;
            case DECIMAL:
                DecimalType decimal = (DecimalType) type;
                return DataTypes.createDecimalType(decimal.getPrecision(), decimal.getScale());
            default:
                return null;
        }
    }

    /** Spark's value for one of the host's; a date stays a number of days. */
    static Object value(Object value) {
        if (value instanceof Decimal) {
            return ((Decimal) value).toBigDecimal();
        }
        boolean isPlain =
                value instanceof Number || value instanceof Boolean || value instanceof byte[];
        return isPlain ? value : value.toString();
    }
}
