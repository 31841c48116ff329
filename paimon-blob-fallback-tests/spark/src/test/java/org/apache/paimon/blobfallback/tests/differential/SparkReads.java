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

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.spark.SparkRequest;

/** Says the bridge's requests in Spark, by statements and by a {@code DataFrameReader} in turn. */
final class SparkReads {

    private SparkReads() {}

    /** A request in SQL; its options are what a user of SQL has for them. */
    static SparkRequest sql(ReadRequest request) {
        StringBuilder statement = new StringBuilder("SELECT ");
        statement.append(request.columns() == null ? "*" : String.join(", ", names(request)));
        statement.append(" FROM ").append(name(request.table()));
        Map<String, String> options = new LinkedHashMap<>(request.options());
        String snapshot = options.remove("scan.snapshot-id");
        if (snapshot != null) {
            statement.append(" VERSION AS OF ").append(snapshot);
        }
        String tag = options.remove("scan.tag-name");
        if (tag != null) {
            statement.append(" VERSION AS OF '").append(tag).append("'");
        }
        if (filter(request) != null) {
            statement.append(" WHERE ").append(filter(request));
        }
        if (request.limit() != null) {
            statement.append(" LIMIT ").append(request.limit());
        }
        Map<String, String> settings = new LinkedHashMap<>();
        options.forEach((key, value) -> settings.put("spark.paimon." + key, value));
        return described(
                request,
                new SparkRequest(
                        SparkRequest.Kind.SQL,
                        statement.toString(),
                        settings,
                        null,
                        null,
                        null,
                        false));
    }

    /** A request to a {@code DataFrameReader}, which takes the options. */
    static SparkRequest table(ReadRequest request) {
        return described(
                request,
                new SparkRequest(
                        SparkRequest.Kind.TABLE,
                        name(request.table()),
                        request.options(),
                        request.columns(),
                        filter(request),
                        request.limit(),
                        false));
    }

    /** The number of rows of a request. */
    static SparkRequest count(ReadRequest request) {
        String where = filter(request) == null ? "" : " WHERE " + filter(request);
        return SparkRequest.sql("SELECT COUNT(*) FROM " + name(request.table()) + where);
    }

    private static SparkRequest described(ReadRequest request, SparkRequest spark) {
        return "true".equals(request.options().get("blob-as-descriptor"))
                ? spark.asDescriptors()
                : spark;
    }

    private static List<String> names(ReadRequest request) {
        return request.columns().stream().map(SparkReads::quote).toList();
    }

    private static String name(String table) {
        int dot = table.indexOf('.');
        return "paimon." + table.substring(0, dot) + "." + quote(table.substring(dot + 1));
    }

    private static String quote(String name) {
        return "`" + name + "`";
    }

    private static String filter(ReadRequest request) {
        List<String> conditions = new ArrayList<>();
        if (request.filter() != null) {
            conditions.add("(" + condition(request.filter()) + ")");
        }
        if (request.ranges() != null) {
            List<String> ranges = new ArrayList<>();
            for (ReadRequest.Range range : request.ranges()) {
                ranges.add("_ROW_ID BETWEEN " + range.from() + " AND " + range.to());
            }
            conditions.add("(" + String.join(" OR ", ranges) + ")");
        }
        return conditions.isEmpty() ? null : String.join(" AND ", conditions);
    }

    private static String condition(ReadRequest.Filter filter) {
        List<String> parts =
                filter.parts().stream().map(part -> "(" + condition(part) + ")").toList();
        String column = filter.column() == null ? null : quote(filter.column());
        List<String> operands = filter.operands().stream().map(SparkReads::literal).toList();
        return switch (filter.kind()) {
            case AND -> String.join(" AND ", parts);
            case OR -> String.join(" OR ", parts);
            case NOT -> "NOT " + parts.get(0);
            case IS_NULL -> column + " IS NULL";
            case IS_NOT_NULL -> column + " IS NOT NULL";
            case IN -> column + " IN (" + String.join(", ", operands) + ")";
            case NOT_IN -> column + " NOT IN (" + String.join(", ", operands) + ")";
            case BETWEEN -> column + " BETWEEN " + operands.get(0) + " AND " + operands.get(1);
            case STARTS_WITH -> "startswith(" + column + ", " + operands.get(0) + ")";
            case ENDS_WITH -> "endswith(" + column + ", " + operands.get(0) + ")";
            case CONTAINS -> "contains(" + column + ", " + operands.get(0) + ")";
            case LIKE -> column + " LIKE " + operands.get(0);
            case EQUAL -> column + " = " + operands.get(0);
            case NOT_EQUAL -> column + " <> " + operands.get(0);
            case LESS -> column + " < " + operands.get(0);
            case LESS_OR_EQUAL -> column + " <= " + operands.get(0);
            case GREATER -> column + " > " + operands.get(0);
            case GREATER_OR_EQUAL -> column + " >= " + operands.get(0);
        };
    }

    private static String literal(Object value) {
        if (value instanceof String text) {
            return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
        }
        if (value instanceof byte[] bytes) {
            return "X'" + HexFormat.of().formatHex(bytes) + "'";
        }
        if (value instanceof LocalDate) {
            return "DATE '" + value + "'";
        }
        if (value instanceof LocalDateTime) {
            return "TIMESTAMP_NTZ '" + value + "'";
        }
        if (value instanceof Float) {
            return "CAST(" + value + "D AS FLOAT)";
        }
        return value instanceof Double
                ? value + "D"
                : value instanceof Long ? value + "L" : value.toString();
    }
}
