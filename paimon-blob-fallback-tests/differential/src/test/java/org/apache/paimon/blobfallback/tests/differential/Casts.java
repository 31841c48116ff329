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

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;

/** Changes of column types that the host allows, and what they make of values from before. */
final class Casts {

    private static final DateTimeFormatter MILLIS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");

    private static final Map<String, List<String>> TARGETS =
            Map.of(
                    "TINYINT",
                    List.of("SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "STRING", "BOOLEAN"),
                    "SMALLINT",
                    List.of("TINYINT", "INT", "BIGINT", "DOUBLE", "DECIMAL(20, 4)", "STRING"),
                    "INT",
                    List.of("SMALLINT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(20, 4)", "STRING"),
                    "BIGINT",
                    List.of("INT", "FLOAT", "DOUBLE", "DECIMAL(30, 2)", "STRING", "BOOLEAN"),
                    "FLOAT",
                    List.of("DOUBLE", "STRING", "INT"),
                    "DOUBLE",
                    List.of("FLOAT", "STRING", "BIGINT"),
                    "DECIMAL(10, 2)",
                    List.of("DECIMAL(20, 4)", "DECIMAL(12, 1)", "DOUBLE", "INT", "STRING"),
                    "STRING",
                    List.of("VARCHAR(2)", "BYTES"),
                    "DATE",
                    List.of("TIMESTAMP(6)", "STRING"),
                    // Not to DATE: Paimons before its master give the day after for times before
                    // 1970.
                    "TIMESTAMP(3)",
                    List.of("TIMESTAMP(6)", "STRING"));

    private Casts() {}

    /** The types that a column can be changed to. */
    static List<String> targets(String type) {
        return type.equals("BOOLEAN")
                ? List.of("INT", "STRING")
                : TARGETS.getOrDefault(type, List.of());
    }

    /** A value as a column of the other type has it. */
    static Object cast(Object value, String target) {
        if (value == null) {
            return null;
        }
        return switch (target) {
            case "STRING" -> text(value);
            case "VARCHAR(2)" -> text(value).substring(0, Math.min(2, text(value).length()));
            case "BYTES" -> text(value).getBytes(StandardCharsets.UTF_8);
            case "BOOLEAN" -> ((Number) value).longValue() != 0;
            case "TIMESTAMP(6)" -> value instanceof LocalDate date ? date.atStartOfDay() : value;
            default -> number(value, target);
        };
    }

    private static Object number(Object value, String target) {
        if (target.startsWith("DECIMAL")) {
            return new BigDecimal(value.toString()).setScale(scale(target), RoundingMode.HALF_UP);
        }
        Number number = value instanceof Boolean bool ? (bool ? 1 : 0) : (Number) value;
        return switch (target) {
            case "TINYINT" -> number.byteValue();
            case "SMALLINT" -> number.shortValue();
            case "INT" -> number.intValue();
            case "BIGINT" -> number.longValue();
            case "FLOAT" -> number.floatValue();
            case "DOUBLE" -> number.doubleValue();
            default -> throw new IllegalArgumentException("No cast to " + target);
        };
    }

    /** The digits behind the point of a DECIMAL type. */
    static int scale(String type) {
        return Integer.parseInt(type.substring(type.indexOf(',') + 1, type.length() - 1).trim());
    }

    private static String text(Object value) {
        return value instanceof LocalDateTime time ? MILLIS.format(time) : value.toString();
    }
}
