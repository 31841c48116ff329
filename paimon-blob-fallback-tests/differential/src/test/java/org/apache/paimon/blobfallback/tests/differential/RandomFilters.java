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

package org.apache.paimon.blobfallback.tests.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest.Filter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest.Filter.Kind;

/** Draws filters on the columns of a table, most of them with values that it holds. */
final class RandomFilters {

    /** More than so many operands are one function to Paimon, fewer are a chain of equalities. */
    private static final int MAX_CHAINED_OPERANDS = 20;

    private static final List<Kind> OF_EQUALITY =
            List.of(Kind.EQUAL, Kind.NOT_EQUAL, Kind.IN, Kind.NOT_IN);
    private static final List<Kind> OF_ORDER =
            List.of(
                    Kind.LESS,
                    Kind.LESS_OR_EQUAL,
                    Kind.GREATER,
                    Kind.GREATER_OR_EQUAL,
                    Kind.BETWEEN);
    private static final List<Kind> OF_TEXT =
            List.of(Kind.STARTS_WITH, Kind.ENDS_WITH, Kind.CONTAINS, Kind.LIKE);
    private static final List<Kind> OF_ALL = List.of(Kind.IS_NULL, Kind.IS_NOT_NULL);

    private final ModelState state;
    private final Random random;

    RandomFilters(ModelState state, Random random) {
        this.state = state;
        this.random = random;
    }

    /** A filter on one column, or a few of them combined. */
    Filter any() {
        return any(2);
    }

    private Filter any(int depth) {
        int kind = depth == 0 ? 0 : random.nextInt(5);
        return switch (kind) {
            case 1 -> Filter.of(Kind.AND, any(depth - 1), any(depth - 1));
            case 2 -> Filter.of(Kind.OR, any(depth - 1), any(depth - 1));
            // Paimon negates no filters on texts.
            case 3 -> Filter.of(Kind.NOT, on(anyColumn(), false));
            default -> on(anyColumn(), true);
        };
    }

    private ModelColumn anyColumn() {
        List<ModelColumn> columns = state.normalColumns();
        return columns.get(random.nextInt(columns.size()));
    }

    /** A filter on one column; a blob is null or it is not. */
    Filter on(ModelColumn column) {
        return on(column, true);
    }

    private Filter on(ModelColumn column, boolean texts) {
        List<Kind> kinds = new ArrayList<>(OF_ALL);
        if (column.kind() == ModelColumn.Kind.NORMAL) {
            kinds.addAll(OF_EQUALITY);
            if (!column.type().equals("BYTES") && !column.type().equals("BOOLEAN")) {
                kinds.addAll(OF_ORDER);
            }
            if (texts && (column.type().equals("STRING") || column.type().equals("VARCHAR(2)"))) {
                kinds.addAll(OF_TEXT);
            }
        }
        Kind kind = kinds.get(random.nextInt(kinds.size()));
        return Filter.of(column.name(), kind, operands(column, kind));
    }

    private Object[] operands(ModelColumn column, Kind kind) {
        return switch (kind) {
            case IS_NULL, IS_NOT_NULL -> new Object[0];
            case IN, NOT_IN -> {
                int count = random.nextInt(4) == 0 ? MAX_CHAINED_OPERANDS + 5 : 3;
                Object[] operands = new Object[random.nextInt(count) + count / 2];
                for (int i = 0; i < operands.length; i++) {
                    operands[i] = operand(column);
                }
                yield operands;
            }
            case BETWEEN -> {
                TreeSet<Object> bounds = new TreeSet<>(Filters::compare);
                bounds.add(operand(column));
                bounds.add(operand(column));
                yield new Object[] {bounds.first(), bounds.last()};
            }
            case STARTS_WITH, ENDS_WITH, CONTAINS -> {
                String text = (String) operand(column);
                int from = random.nextInt(text.length() + 1);
                yield new Object[] {
                    kind == Kind.STARTS_WITH ? text.substring(0, from) : text.substring(from)
                };
            }
            case LIKE -> {
                String text = (String) operand(column);
                int at = random.nextInt(text.length() + 1);
                yield new Object[] {
                    switch (random.nextInt(3)) {
                        case 0 -> text.substring(0, at) + "%";
                        case 1 -> "%" + text.substring(at);
                        default -> text.substring(0, at) + "_%";
                    }
                };
            }
            default -> new Object[] {operand(column)};
        };
    }

    private Object operand(ModelColumn column) {
        List<Object> values = new ArrayList<>();
        state.rows().values().forEach(row -> values.add(row.get(column.id())));
        values.removeIf(Objects::isNull);
        return values.isEmpty() || random.nextInt(4) == 0
                ? RandomValues.normal(random, column.type())
                : values.get(random.nextInt(values.size()));
    }
}
