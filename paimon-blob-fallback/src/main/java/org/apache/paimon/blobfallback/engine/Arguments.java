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

package org.apache.paimon.blobfallback.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.paimon.catalog.Identifier;

/** Checks of the arguments of a procedure. */
public final class Arguments {

    private Arguments() {}

    /**
     * The table that a procedure is about.
     *
     * @throws IllegalArgumentException if it is not named as {@code database.table}
     */
    public static Identifier table(@Nullable String name) {
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
     * A query, without the semicolon that may follow it.
     *
     * @param name of the argument
     * @throws IllegalArgumentException if it is not one statement
     */
    public static String query(String name, @Nullable String value) {
        List<String> statements =
                value == null ? Collections.emptyList() : SqlStatements.split(value);
        if (statements.size() != 1) {
            throw new IllegalArgumentException(
                    String.format(
                            "Argument %s must be a query, found %s.",
                            name,
                            statements.isEmpty()
                                    ? "'" + value + "'"
                                    : statements.size() + " statements: \"" + value + "\""));
        }
        return statements.get(0);
    }

    /**
     * Names separated by commas.
     *
     * @param name of the argument
     * @throws IllegalArgumentException if there are duplicates
     */
    public static List<String> names(String name, String list) {
        List<String> names = new ArrayList<>();
        for (String part : list.split(",")) {
            if (names.contains(part.trim())) {
                throw new IllegalArgumentException(
                        String.format(
                                "Argument %s must name each column once, found '%s'.", name, list));
            }
            names.add(part.trim());
        }
        return names;
    }

    /** Why somebody else has refused an argument, in one line. */
    public static String reason(Throwable refusal) {
        Throwable root = refusal;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage() == null ? root.toString() : root.getMessage();
        return message.split("\\R", 2)[0];
    }

    /**
     * A number that must be positive.
     *
     * @param name of the argument
     * @param value null if the argument was left out
     * @throws IllegalArgumentException if it is zero or negative
     */
    public static int positive(String name, @Nullable Integer value, int defaultValue) {
        if (value != null && value <= 0) {
            throw new IllegalArgumentException(
                    String.format("Argument %s must be positive, found %s.", name, value));
        }
        return value == null ? defaultValue : value;
    }

    /**
     * The argument {@code min_layers}, or {@code least_layers}, its older name.
     *
     * @param minLayers null if the argument was left out
     * @param leastLayers likewise
     * @return 1 if both were left out
     * @throws IllegalArgumentException if both are given, or one is zero or negative
     */
    public static int minLayers(@Nullable Integer minLayers, @Nullable Integer leastLayers) {
        if (minLayers != null && leastLayers != null) {
            throw new IllegalArgumentException(
                    String.format(
                            "Arguments min_layers and least_layers are two names of one argument:"
                                    + " give one of them, found %s and %s.",
                            minLayers, leastLayers));
        }
        return leastLayers == null
                ? positive("min_layers", minLayers, 1)
                : positive("least_layers", leastLayers, 1);
    }
}
