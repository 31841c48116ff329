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

package org.apache.paimon.blobfallback.tests.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;

/** The code blocks of docs/spark.md, each after a comment {@code <!-- tested: name -->}. */
final class SparkPage {

    private static final Pattern BLOCK =
            Pattern.compile(
                    "( *)<!-- tested: (\\S+) -->\\R *```\\w*\\R(.*?)\\R *```", Pattern.DOTALL);

    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

    private final Map<String, String> blocks = new LinkedHashMap<>();
    private final String text;

    SparkPage() throws IOException {
        text = Files.readString(Runtimes.testsDir().resolve("../docs/spark.md"));
        Matcher matcher = BLOCK.matcher(text);
        while (matcher.find()) {
            blocks.put(
                    matcher.group(2), matcher.group(3).replaceAll("(?m)^" + matcher.group(1), ""));
        }
    }

    /** The names of the blocks, in their order. */
    List<String> names() {
        return List.copyOf(blocks.keySet());
    }

    /** How many blocks of code there are, tested or not. */
    long blockCount() {
        return text.lines().filter(line -> line.strip().startsWith("```")).count() / 2;
    }

    String block(String name) {
        return blocks.get(name);
    }

    /** The statements of a block. */
    List<String> statements(String name) {
        return List.of(block(name).split(";\\s*(\\R|$)"));
    }

    /** The arguments after the jar of a command, as a shell parses them. */
    List<String> arguments(String name) {
        Matcher words = WORD.matcher(block(name).replace("\\\n", " ").split("\\.jar ", 2)[1]);
        List<String> arguments = new ArrayList<>();
        while (words.find()) {
            for (int group = 1; group <= 3; group++) {
                if (words.group(group) != null) {
                    arguments.add(words.group(group));
                }
            }
        }
        return arguments;
    }
}
