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

package org.apache.paimon.blobfallback.tests.reader;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DecimalType;
import org.apache.paimon.types.RowType;

/** Turns the bridge's filters into Paimon's predicates. */
public final class Predicates {

    private Predicates() {}

    /**
     * The predicate of a filter.
     *
     * @param type the columns of the table
     * @throws IllegalArgumentException if the filter negates one that Paimon cannot negate
     */
    public static Predicate of(RowType type, ReadRequest.Filter filter) {
        switch (filter.kind()) {
            case AND:
                return PredicateBuilder.and(parts(type, filter));
            case OR:
                return PredicateBuilder.or(parts(type, filter));
            case NOT:
                Predicate part = parts(type, filter).get(0);
                return part.negate()
                        .orElseThrow(() -> new IllegalArgumentException("Cannot negate " + part));
            default:
                return leaf(type, filter);
        }
    }

    private static List<Predicate> parts(RowType type, ReadRequest.Filter filter) {
        return filter.parts().stream().map(part -> of(type, part)).collect(Collectors.toList());
    }

    private static Predicate leaf(RowType type, ReadRequest.Filter filter) {
        PredicateBuilder predicates = new PredicateBuilder(type);
        int column = type.getFieldIndex(filter.column());
        List<Object> operands =
                filter.operands().stream()
                        .map(value -> internal(type.getTypeAt(column), value))
                        .collect(Collectors.toList());
        switch (filter.kind()) {
            case IN:
                return predicates.in(column, operands);
            case NOT_IN:
                return predicates.notIn(column, operands);
            case BETWEEN:
                return predicates.between(column, operands.get(0), operands.get(1));
            case IS_NULL:
                return predicates.isNull(column);
            case IS_NOT_NULL:
                return predicates.isNotNull(column);
            default:
                return compared(predicates, filter.kind(), column, operands.get(0));
        }
    }

    private static Predicate compared(
            PredicateBuilder predicates, ReadRequest.Filter.Kind kind, int column, Object operand) {
        switch (kind) {
            case EQUAL:
                return predicates.equal(column, operand);
            case NOT_EQUAL:
                return predicates.notEqual(column, operand);
            case LESS:
                return predicates.lessThan(column, operand);
            case LESS_OR_EQUAL:
                return predicates.lessOrEqual(column, operand);
            case GREATER:
                return predicates.greaterThan(column, operand);
            case GREATER_OR_EQUAL:
                return predicates.greaterOrEqual(column, operand);
            case STARTS_WITH:
                return predicates.startsWith(column, operand);
            case ENDS_WITH:
                return predicates.endsWith(column, operand);
            case CONTAINS:
                return predicates.contains(column, operand);
            case LIKE:
                return predicates.like(column, operand);
            default:
                throw new IllegalArgumentException("Unknown filter " + kind);
        }
    }

    private static Object internal(DataType type, Object value) {
        switch (type.getTypeRoot()) {
            case CHAR:
            case VARCHAR:
                return BinaryString.fromString((String) value);
            case DECIMAL:
                DecimalType decimal = (DecimalType) type;
                return Decimal.fromBigDecimal(
                        (BigDecimal) value, decimal.getPrecision(), decimal.getScale());
            case DATE:
                return (int) ((LocalDate) value).toEpochDay();
            case TIME_WITHOUT_TIME_ZONE:
                return (int) (((LocalTime) value).toNanoOfDay() / 1_000_000);
            case TIMESTAMP_WITHOUT_TIME_ZONE:
                return Timestamp.fromLocalDateTime((LocalDateTime) value);
            default:
                return value;
        }
    }
}
