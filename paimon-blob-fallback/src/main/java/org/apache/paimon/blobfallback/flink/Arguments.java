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

import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.utils.ParameterUtils;
import org.apache.paimon.utils.StringUtils;

/** Checks of the arguments of a procedure. */
final class Arguments {

    private Arguments() {}

    /**
     * The table that a procedure is about.
     *
     * @throws IllegalArgumentException if it is not named as {@code database.table}
     */
    static Identifier table(@Nullable String name) {
        if (name == null || name.indexOf('.') <= 0 || name.endsWith(".")) {
            throw new IllegalArgumentException(
                    String.format(
                            "Argument table must name a table of this catalog as 'database.table',"
                                    + " found '%s'.",
                            name));
        }
        return Identifier.fromString(name);
    }

    /**
     * A text that must be given.
     *
     * @param name of the argument
     * @param meaning what it must be, such as {@code a query}
     * @throws IllegalArgumentException if it is null or blank
     */
    static String required(String name, String meaning, @Nullable String value) {
        if (StringUtils.isNullOrWhitespaceOnly(value)) {
            throw new IllegalArgumentException(
                    String.format("Argument %s must be %s, found '%s'.", name, meaning, value));
        }
        return value;
    }

    /** What was wrong with an argument that somebody else has refused, in a line. */
    static String reason(Throwable refusal) {
        Throwable root = refusal;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage() == null ? root.toString() : root.getMessage();
        return message.split("\\R", 2)[0];
    }

    /**
     * Specs of partitions, such as {@code day=1,region=eu;day=2}.
     *
     * @throws IllegalArgumentException if one is not of this form
     */
    static List<Map<String, String>> partitions(String specs) {
        try {
            return ParameterUtils.getPartitions(specs.split(";"));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    String.format(
                            "Argument partitions must be such as 'day=1,region=eu;day=2', found"
                                    + " '%s'.",
                            specs),
                    e);
        }
    }

    /**
     * A number that must be positive.
     *
     * @param name of the argument
     * @param value null if the argument was left out
     * @throws IllegalArgumentException if it is zero or negative
     */
    static int positive(String name, @Nullable Integer value, int defaultValue) {
        if (value != null && value <= 0) {
            throw new IllegalArgumentException(
                    String.format("Argument %s must be positive, found %d.", name, value));
        }
        return value == null ? defaultValue : value;
    }
}
