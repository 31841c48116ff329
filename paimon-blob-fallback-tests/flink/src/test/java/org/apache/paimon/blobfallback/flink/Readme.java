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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The code blocks of README.md, or of another page. A block that a test runs follows a comment
 * {@code <!-- tested: name -->}.
 */
final class Readme {

    private static final Pattern BLOCK =
            Pattern.compile(
                    "( *)<!-- tested: (\\S+) -->\\R *```(\\w+)\\R(.*?)\\R *```", Pattern.DOTALL);

    private final String page;
    private final String text;

    private Readme(String page, String text) {
        this.page = page;
        this.text = text;
    }

    static Readme read() throws IOException {
        return read("README.md");
    }

    /** Another page, by its path in this repository. */
    static Readme read(String page) throws IOException {
        return new Readme(
                page, Files.readString(Path.of(System.getProperty("tests.dir"), "..", page)));
    }

    String text() {
        return text;
    }

    /** The names of all tested blocks in a language, in their order. */
    List<String> names(String language) {
        List<String> names = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(text);
        while (matcher.find()) {
            if (matcher.group(3).equals(language)) {
                names.add(matcher.group(2));
            }
        }
        return names;
    }

    /**
     * The text of a block.
     *
     * @throws IllegalArgumentException if the page has none of this name
     */
    String block(String name) {
        Matcher matcher = BLOCK.matcher(text);
        while (matcher.find()) {
            if (matcher.group(2).equals(name)) {
                return matcher.group(4).replaceAll("(?m)^" + matcher.group(1), "");
            }
        }
        throw new IllegalArgumentException(page + " has no tested block " + name);
    }

    /** The statements of an SQL block, with the reader's warehouse in place of the README's. */
    List<String> statements(String name, Path warehouse) {
        List<String> statements = new ArrayList<>();
        for (String statement : block(name).split(";\\s*(\\R|$)")) {
            statements.add(statement.replace("/path/to/warehouse", warehouse.toString()));
        }
        return statements;
    }
}
