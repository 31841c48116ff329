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

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest.Filter;

/** What a filter says of a row, as SQL has it. */
final class Filters {

    private Filters() {}

    /** Whether a row passes; a filter that is neither true nor false of it, it does not pass. */
    static boolean passes(Filter filter, Function<String, Object> row) {
        return Boolean.TRUE.equals(test(filter, row));
    }

    /** The columns that a filter asks. */
    static Set<String> columns(Filter filter) {
        Set<String> columns = new HashSet<>();
        if (filter.column() != null) {
            columns.add(filter.column());
        }
        filter.parts().forEach(part -> columns.addAll(columns(part)));
        return columns;
    }

    /** Null where it is unknown. */
    private static Boolean test(Filter filter, Function<String, Object> row) {
        return switch (filter.kind()) {
            case AND -> and(filter, row, true);
            case OR -> and(filter, row, false);
            case NOT -> {
                Boolean part = test(filter.parts().get(0), row);
                yield part == null ? null : !part;
            }
            case IS_NULL -> row.apply(filter.column()) == null;
            case IS_NOT_NULL -> row.apply(filter.column()) != null;
            default -> {
                Object value = row.apply(filter.column());
                yield value == null ? null : (Boolean) compared(filter, value);
            }
        };
    }

    /** All parts are true, or with {@code false} as the neutral value, one is. */
    private static Boolean and(Filter filter, Function<String, Object> row, boolean neutral) {
        boolean unknown = false;
        for (Filter part : filter.parts()) {
            Boolean result = test(part, row);
            if (result == null) {
                unknown = true;
            } else if (result != neutral) {
                return !neutral;
            }
        }
        return unknown ? null : (Boolean) neutral;
    }

    private static boolean compared(Filter filter, Object value) {
        Object operand = filter.operands().get(0);
        return switch (filter.kind()) {
            case EQUAL -> Values.matches(operand, value);
            case NOT_EQUAL -> !Values.matches(operand, value);
            case LESS -> compare(value, operand) < 0;
            case LESS_OR_EQUAL -> compare(value, operand) <= 0;
            case GREATER -> compare(value, operand) > 0;
            case GREATER_OR_EQUAL -> compare(value, operand) >= 0;
            case IN -> filter.operands().stream().anyMatch(any -> Values.matches(any, value));
            case NOT_IN -> filter.operands().stream().noneMatch(any -> Values.matches(any, value));
            case BETWEEN ->
                    compare(operand, value) <= 0 && compare(value, filter.operands().get(1)) <= 0;
            default -> likeText(filter, (String) value, (String) operand);
        };
    }

    private static boolean likeText(Filter filter, String value, String operand) {
        return switch (filter.kind()) {
            case STARTS_WITH -> value.startsWith(operand);
            case ENDS_WITH -> value.endsWith(operand);
            case CONTAINS -> value.contains(operand);
            case LIKE -> likePattern(operand).matcher(value).matches();
            default -> throw new IllegalArgumentException("Unknown filter " + filter);
        };
    }

    private static Pattern likePattern(String like) {
        StringBuilder pattern = new StringBuilder();
        for (char c : like.toCharArray()) {
            pattern.append(
                    switch (c) {
                        case '%' -> ".*";
                        case '_' -> ".";
                        default -> Pattern.quote(String.valueOf(c));
                    });
        }
        return Pattern.compile(pattern.toString(), Pattern.DOTALL);
    }

    /** Compares two values of one normal column. */
    @SuppressWarnings("unchecked")
    static int compare(Object left, Object right) {
        return ((Comparable<Object>) Objects.requireNonNull(left)).compareTo(right);
    }
}
