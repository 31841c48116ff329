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
     * A filter on one column.
     *
     * @param column its name, which need not be among the columns that are read
     * @param kind of filter
     * @param from least value, of the column's type, where the kind needs one
     * @param to greatest value, likewise
     * @param exact whether rows that do not match are dropped; otherwise they may come
     */
    public record Filter(String column, Kind kind, Object from, Object to, boolean exact) {

        /** What is asked of a value. */
        public enum Kind {
            BETWEEN,
            IS_NULL,
            IS_NOT_NULL
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
