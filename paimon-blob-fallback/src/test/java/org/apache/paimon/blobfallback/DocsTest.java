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

package org.apache.paimon.blobfallback;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.paimon.blobfallback.inspect.BlobLayersTable;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.options.ConfigOption;
import org.apache.paimon.options.description.HtmlFormatter;
import org.apache.paimon.types.DataField;
import org.junit.jupiter.api.Test;

/** The documentation agrees with the code. */
class DocsTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Path DOCS = ROOT.resolve("docs");

    /** {@code -Ddocs.write=true} writes docs/options.md. */
    @Test
    void optionsAreThoseOfTheCode() throws Exception {
        Path file = DOCS.resolve("options.md");
        String expected = options();
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(file, expected);
        }

        assertThat(file).hasContent(expected);
    }

    private static String options() throws IllegalAccessException {
        StringBuilder users = new StringBuilder();
        StringBuilder internal = new StringBuilder();
        for (Field field : BlobFallbackOptions.class.getFields()) {
            if (field.getType() == ConfigOption.class) {
                ConfigOption<?> option = (ConfigOption<?>) field.get(null);
                StringBuilder target = option.key().contains(".internal.") ? internal : users;
                target.append(
                        String.format(
                                "| `%s` | %s | %s |%n",
                                option.key(),
                                option.hasDefaultValue() ? "`" + option.defaultValue() + "`" : "",
                                new HtmlFormatter().format(option.description())));
            }
        }
        String head = "| option | default | |\n| --- | --- | --- |\n";
        return "# Options\n\nWritten from `BlobFallbackOptions`.\n\n"
                + "All but `blob-fallback.metastore` are options of tables. The same options among"
                + " those of the catalog are\ndefaults for its tables: a table's own option is"
                + " stronger, and a dynamic option or hint is stronger than both. A\nvalue that is"
                + " not allowed is an error, for a catalog when it is opened, for a table when it"
                + " is read. An option\nthat begins with `blob-fallback.` and is not known does"
                + " nothing; the log has one warning for it, which names the\nnearest that is"
                + " known.\n\n"
                + head
                + users
                + "\n## Internal\n\nNot for users; they are here because they can be seen.\n\n"
                + head
                + internal;
    }

    @Test
    void everyErrorTextOfTheTroubleshootingIsInTheCode() throws IOException {
        String code = code();
        Matcher headings =
                Pattern.compile("(?m)^### `(.+)`\\n\\n((?:.+\\n)+)")
                        .matcher(Files.readString(DOCS.resolve("troubleshooting.md")));
        List<String> missing = new ArrayList<>();
        int count = 0;
        while (headings.find()) {
            count++;
            if (headings.group(2).contains("<!-- host -->")) {
                continue;
            }
            for (String text : headings.group(1).split("…")) {
                // In the code, names of options are constants.
                for (String part : text.split("'[^']*'")) {
                    if (!code.contains(part)) {
                        missing.add(part);
                    }
                }
            }
        }
        assertThat(count).isGreaterThan(10);
        assertThat(missing).isEmpty();
    }

    /** The plugin's sources, with string literals of several lines joined. */
    private static String code() throws IOException {
        StringBuilder code = new StringBuilder();
        try (Stream<Path> files = Files.walk(ROOT.resolve("paimon-blob-fallback/src/main/java"))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
                code.append(Files.readString(file));
            }
        }
        return code.toString().replaceAll("\"\\s*\\+\\s*\"", "").replaceAll("%s", "…");
    }

    @Test
    void theColumnsOfBlobLayersAreThoseOfTheTable() throws IOException {
        List<String> documented =
                Pattern.compile("(?m)^\\| `(\\w+)` \\| `(\\w+)` \\|")
                        .matcher(Files.readString(DOCS.resolve("layers.md")))
                        .results()
                        .map(match -> match.group(1) + " " + match.group(2))
                        .toList();
        List<String> actual = new ArrayList<>();
        for (DataField field : BlobLayersTable.ROW_TYPE.getFields()) {
            actual.add(field.name() + " " + field.type().copy(true));
        }

        assertThat(documented).isEqualTo(actual);
    }

    @Test
    void everyTestThatTheFeaturesNameExists() throws IOException {
        Map<String, List<String>> sources = new HashMap<>();
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path file :
                    files.filter(path -> path.toString().contains("src/test/java"))
                            .filter(path -> path.toString().endsWith(".java"))
                            .toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                sources.computeIfAbsent(name, any -> new ArrayList<>()).add(Files.readString(file));
            }
        }
        Matcher tests =
                Pattern.compile("`(\\w+Test)\\.(\\w+)`")
                        .matcher(Files.readString(DOCS.resolve("features.md")));
        int count = 0;
        while (tests.find()) {
            count++;
            assertThat(sources.getOrDefault(tests.group(1), List.of()))
                    .as(tests.group())
                    .anyMatch(source -> source.contains("void " + tests.group(2) + "("));
        }
        assertThat(count).isGreaterThan(40);
    }

    @Test
    void everyLinkLeadsToAFile() throws IOException {
        List<Path> pages = new ArrayList<>();
        pages.add(ROOT.resolve("README.md"));
        pages.add(ROOT.resolve("CONTRIBUTING.md"));
        try (Stream<Path> files = Files.list(DOCS)) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        for (Path page : pages) {
            Matcher links =
                    Pattern.compile("\\]\\(([^):#]+)(#[^)]*)?\\)").matcher(Files.readString(page));
            while (links.find()) {
                assertThat(page.resolveSibling(links.group(1))).as(page.toString()).exists();
            }
        }
    }
}
