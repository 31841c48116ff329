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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The arguments of a program: {@code --name value} in any order, and flags without a value. */
final class CommandLine {

    /** The definition of an argument. */
    private static final class Argument {

        private final String meaning;
        private final boolean required;
        private final boolean flag;

        private Argument(String meaning, boolean required, boolean flag) {
            this.meaning = meaning;
            this.required = required;
            this.flag = flag;
        }
    }

    private static final String HELP = "help";

    private final Class<?> program;
    private final String purpose;
    private final Map<String, Argument> known;
    private final Map<String, String> given;

    private CommandLine(
            Class<?> program,
            String purpose,
            Map<String, Argument> known,
            Map<String, String> given) {
        this.program = program;
        this.purpose = purpose;
        this.known = known;
        this.given = given;
    }

    /** The arguments of a program, none at first. */
    static CommandLine of(Class<?> program, String purpose) {
        return new CommandLine(program, purpose, new LinkedHashMap<>(), new HashMap<>());
    }

    CommandLine required(String name, String meaning) {
        known.put(name, new Argument(meaning, true, false));
        return this;
    }

    CommandLine optional(String name, String meaning) {
        known.put(name, new Argument(meaning, false, false));
        return this;
    }

    CommandLine flag(String name, String meaning) {
        known.put(name, new Argument(meaning, false, true));
        return this;
    }

    /**
     * Parses what a user has typed.
     *
     * @throws IllegalArgumentException if an argument is unknown, is given twice, has no value or
     *     is missing
     */
    CommandLine parse(String[] typed) {
        Map<String, String> values = new HashMap<>();
        if (Arrays.asList(typed).contains("--" + HELP)) {
            values.put(HELP, "");
            return new CommandLine(program, purpose, known, values);
        }
        for (int i = 0; i < typed.length; i++) {
            String name = typed[i].startsWith("--") ? typed[i].substring(2) : "";
            Argument argument = known.get(name);
            if (argument == null) {
                throw refuse("has no argument '" + typed[i] + "'");
            }
            if (!argument.flag && i + 1 == typed.length) {
                throw refuse("needs a value after " + typed[i]);
            }
            if (values.put(name, argument.flag ? "" : typed[++i]) != null) {
                throw refuse("takes --" + name + " once");
            }
        }
        known.forEach(
                (name, argument) -> {
                    if (argument.required && !values.containsKey(name)) {
                        throw refuse("needs --" + name);
                    }
                });
        return new CommandLine(program, purpose, known, values);
    }

    private IllegalArgumentException refuse(String what) {
        List<String> names = new ArrayList<>();
        known.keySet().forEach(name -> names.add("--" + name));
        return new IllegalArgumentException(
                String.format(
                        "%s %s; its arguments are %s, and --help explains them.",
                        program.getSimpleName(), what, names));
    }

    boolean isHelp() {
        return given.containsKey(HELP);
    }

    boolean has(String name) {
        return given.containsKey(name);
    }

    String text(String name) {
        return given.get(name);
    }

    void ifGiven(String name, Consumer<String> action) {
        if (has(name)) {
            action.accept(text(name));
        }
    }

    /**
     * A number.
     *
     * @throws IllegalArgumentException if it is none
     */
    int number(String name, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    String.format("Argument --%s must be a number, found '%s'.", name, text), e);
        }
    }

    /** What {@code --help} prints. */
    String help() {
        StringBuilder text = new StringBuilder(purpose);
        text.append("\n\nspark-submit --class ").append(program.getName());
        text.append(" paimon-blob-fallback-<version>.jar");
        known.forEach(
                (name, argument) ->
                        text.append(
                                String.format(
                                        "%n  %-22s %s%s",
                                        "--" + name,
                                        argument.required ? "required: " : "",
                                        argument.meaning)));
        return text.toString();
    }
}
