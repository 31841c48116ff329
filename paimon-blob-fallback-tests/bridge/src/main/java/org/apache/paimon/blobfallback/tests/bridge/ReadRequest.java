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

package org.apache.paimon.blobfallback.tests.bridge;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What to read of a table.
 *
 * @param table {@code db.table}, with {@code $system_table} or {@code $branch_name} if wanted
 * @param columns column names in the order of the result, {@code _ROW_ID} and {@code
 *     _SEQUENCE_NUMBER} among them if wanted; null for all columns of the table
 * @param ranges row ids to read, both ends included; null for all
 * @param options dynamic table options, such as {@code blob-as-descriptor} or {@code
 *     scan.snapshot-id}
 * @param filter on the rows; null for none
 * @param limit of rows, which the answer may exceed; null for none
 */
public record ReadRequest(
        String table,
        List<String> columns,
        List<Range> ranges,
        Map<String, String> options,
        Filter filter,
        Integer limit) {

    /** Row ids, both ends included. */
    public record Range(long from, long to) {}

    /**
     * A filter on the rows.
     *
     * @param kind of filter
     * @param column the name of the column that it asks, which need not be among those that are
     *     read; null where it has parts
     * @param operands values that the column is compared with, of its type, as many as the kind
     *     needs
     * @param parts the filters that it combines
     * @param exact whether rows that do not match are dropped; otherwise they may come. That of the
     *     outermost filter counts
     */
    public record Filter(
            Kind kind, String column, List<Object> operands, List<Filter> parts, boolean exact) {

        /** What is asked. */
        public enum Kind {
            EQUAL,
            NOT_EQUAL,
            LESS,
            LESS_OR_EQUAL,
            GREATER,
            GREATER_OR_EQUAL,
            IN,
            NOT_IN,
            BETWEEN,
            STARTS_WITH,
            ENDS_WITH,
            CONTAINS,
            LIKE,
            IS_NULL,
            IS_NOT_NULL,
            AND,
            OR,
            NOT
        }

        /** A filter on one column that drops rows. */
        public static Filter of(String column, Kind kind, Object... operands) {
            return new Filter(kind, column, List.of(operands), List.of(), true);
        }

        /** A filter of others that drops rows. */
        public static Filter of(Kind kind, Filter... parts) {
            return new Filter(kind, null, List.of(), List.of(parts), true);
        }

        /** The same filter as a hint: rows that do not match may come. */
        public Filter asHint() {
            return new Filter(kind, column, operands, parts, false);
        }
    }

    /** A request without filter and limit. */
    public ReadRequest(
            String table, List<String> columns, List<Range> ranges, Map<String, String> options) {
        this(table, columns, ranges, options, null, null);
    }

    /** A request for all columns and all rows. */
    public static ReadRequest all(String table) {
        return new ReadRequest(table, null, null, Map.of());
    }

    /** The same request for some columns. */
    public ReadRequest columns(String... names) {
        return new ReadRequest(table, List.of(names), ranges, options, filter, limit);
    }

    /** The same request for one more range of row ids. */
    public ReadRequest range(long from, long to) {
        List<Range> more = ranges == null ? new ArrayList<>() : new ArrayList<>(ranges);
        more.add(new Range(from, to));
        return new ReadRequest(table, columns, more, options, filter, limit);
    }

    /** The same request with one more dynamic option. */
    public ReadRequest with(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(options);
        more.put(key, value);
        return new ReadRequest(table, columns, ranges, more, filter, limit);
    }

    /** The same request with a filter. */
    public ReadRequest where(Filter rows) {
        return new ReadRequest(table, columns, ranges, options, rows, limit);
    }

    /** The same request with a limit. */
    public ReadRequest limit(int rows) {
        return new ReadRequest(table, columns, ranges, options, filter, rows);
    }
}
