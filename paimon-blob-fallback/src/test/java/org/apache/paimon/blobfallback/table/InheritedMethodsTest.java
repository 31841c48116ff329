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

package org.apache.paimon.blobfallback.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.paimon.FileStore;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.operation.FileStoreScan;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.sink.StreamWriteBuilder;
import org.apache.paimon.table.sink.TableCommitImpl;
import org.apache.paimon.table.sink.TableWriteImpl;
import org.apache.paimon.table.source.FullTextSearchBuilder;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.VectorSearchBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/host-calls.md has each method of the host that a wrapped table answers, and of what it hands
 * out: a new one of the host is found here, and so is one that is gone.
 */
class InheritedMethodsTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| ((?:`\\w+`(?:, )?)+) \\| (.+?) \\| (.+?) \\| (.*?) ?\\|$");
    private static final Pattern NAME = Pattern.compile("`(\\w+)`");
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)\\.(\\w+)`");

    @TempDir java.nio.file.Path folder;

    private FileStoreTable table;

    @BeforeEach
    void createTable() throws Exception {
        table = LayeredTable.create(CountingFileIO.vectored(), folder).append(0, 1).table();
    }

    @Test
    void eachMethodIsOnThePageOnceAndThePageHasNoOthers() throws Exception {
        Map<String, String> sections = sections();
        Map<String, Class<?>> types = types();

        assertThat(sections.keySet()).containsExactlyElementsOf(types.keySet());
        for (Map.Entry<String, Class<?>> type : types.entrySet()) {
            List<String> documented = new ArrayList<>();
            Matcher rows = ROW.matcher(sections.get(type.getKey()));
            while (rows.find()) {
                NAME.matcher(rows.group(1)).results().forEach(m -> documented.add(m.group(1)));
            }
            assertThat(documented)
                    .as(type.getKey())
                    .doesNotHaveDuplicates()
                    .containsExactlyInAnyOrderElementsOf(methods(type.getValue()));
        }
    }

    @Test
    void eachRowSaysWhoseItIsAndNamesATestThatExists() throws Exception {
        Map<String, List<String>> sources = testSources();
        int count = 0;
        for (String section : sections().values()) {
            for (String line : section.lines().filter(line -> line.startsWith("| `")).toList()) {
                Matcher row = ROW.matcher(line);
                assertThat(row.matches()).as(line).isTrue();
                count++;
                assertThat(row.group(2)).as(line).isIn("ours", "the host's", "refused");
                Matcher tests = TEST.matcher(row.group(3));
                int named = 0;
                while (tests.find()) {
                    named++;
                    String declaration = "void " + tests.group(2) + "(";
                    assertThat(sources.getOrDefault(tests.group(1), List.of()))
                            .as(tests.group())
                            .anyMatch(source -> source.contains(declaration));
                }
                assertThat(named).as(line).isPositive();
            }
        }
        assertThat(count).isGreaterThan(60);
    }

    /** In the order of the page, as the wrapped table with the fallback on hands them out. */
    private Map<String, Class<?>> types() {
        Map<String, Class<?>> types = new LinkedHashMap<>();
        types.put("FileStoreTable", table.getClass());
        types.put("ReadBuilder", ReadBuilder.class);
        types.put("DataTableScan", table.newScan().getClass());
        types.put("StreamDataTableScan", table.newStreamScan().getClass());
        types.put("SnapshotReader", table.newSnapshotReader().getClass());
        types.put("FileStoreScan", FileStoreScan.class);
        types.put("DataSplit", table.newScan().plan().splits().get(0).getClass());
        types.put("InnerTableRead", table.newRead().getClass());
        types.put("VectorSearchBuilder", VectorSearchBuilder.class);
        types.put("FullTextSearchBuilder", FullTextSearchBuilder.class);
        types.put("FileStore", FileStore.class);
        types.put("BatchWriteBuilder", BatchWriteBuilder.class);
        types.put("StreamWriteBuilder", StreamWriteBuilder.class);
        types.put("TableWriteImpl", TableWriteImpl.class);
        types.put("TableCommitImpl", TableCommitImpl.class);
        return types;
    }

    private static Set<String> methods(Class<?> type) {
        Set<String> names = new TreeSet<>();
        for (Method method : type.getMethods()) {
            if (method.getDeclaringClass() != Object.class
                    && !Modifier.isStatic(method.getModifiers())
                    && (!method.isSynthetic() || method.isBridge())) {
                names.add(method.getName());
            }
        }
        return names;
    }

    private static Map<String, String> sections() throws IOException {
        Map<String, String> sections = new LinkedHashMap<>();
        String page = Files.readString(ROOT.resolve("docs/host-calls.md"));
        for (String section : page.split("(?m)^## ")) {
            Matcher heading = Pattern.compile("\\A`(\\w+)`").matcher(section);
            if (heading.find()) {
                sections.put(heading.group(1), section);
            }
        }
        return sections;
    }

    private static Map<String, List<String>> testSources() throws IOException {
        Map<String, List<String>> sources = new HashMap<>();
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path file : files.filter(f -> f.toString().endsWith("Test.java")).toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                sources.computeIfAbsent(name, any -> new ArrayList<>()).add(Files.readString(file));
            }
        }
        return sources;
    }
}
