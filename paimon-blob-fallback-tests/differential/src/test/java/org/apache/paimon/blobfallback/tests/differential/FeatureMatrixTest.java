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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.paimon.blobfallback.tests.bridge.Descriptor;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The table of features in the documentation says what stock Paimon 1.4.2, stock Paimon 2.0.0 and
 * Paimon 1.4.2 with the plugin do: each is asked for each row of it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FeatureMatrixTest {

    private static final Path DOCS = Runtimes.testsDir().resolve("../docs/features.md");

    private static final String RIGHT = "right";
    private static final String WRONG = "wrong rows";
    private static final String NO_COUNT = "no count";
    private static final String FAILS = "fails: ";

    @TempDir private static Path warehouse;
    @TempDir private static Path elsewhere;

    private final List<Closeable> open = new ArrayList<>();
    private final List<Contestant> contestants = new ArrayList<>();
    private PaimonWriter writer;

    @BeforeAll
    void openPaimons() throws Exception {
        PaimonRuntime paimon2 = SharedRuntimes.paimon2();
        writer = paimon2.find(PaimonWriter.class);
        open.add(writer);
        writer.open(warehouse.toString(), Map.of());
        PaimonRuntime host = Runtimes.host();
        open.add(host);
        open(host, "filesystem", Map.of());
        open(paimon2, "filesystem", Map.of());
        open(
                SharedRuntimes.hostBehindPlugin(),
                "blob-fallback",
                Map.of("blob-fallback.enabled", "true"));
    }

    private void open(PaimonRuntime runtime, String metastore, Map<String, String> readOptions)
            throws Exception {
        Contestant contestant =
                new Contestant(
                        runtime,
                        Map.of("warehouse", warehouse.toString(), "metastore", metastore),
                        readOptions);
        contestants.add(contestant);
        open.add(contestant);
    }

    @AfterAll
    void closePaimons() throws Exception {
        Collections.reverse(open);
        for (Closeable closeable : open) {
            closeable.close();
        }
    }

    Stream<Features.Feature> features() {
        return new Features(elsewhere).all().stream();
    }

    @Test
    void theTableHasARowForEachFeature() throws IOException {
        assertThat(documented().keySet())
                .containsExactlyElementsOf(features().map(Features.Feature::name).toList());
    }

    @ParameterizedTest
    @MethodSource("features")
    void eachPaimonDoesWhatTheTableSays(Features.Feature feature) throws Exception {
        feature.write().run(writer, feature.table());
        List<String> cells = documented().getOrDefault(feature.name(), List.of());
        List<String> found = new ArrayList<>();
        for (Contestant contestant : contestants) {
            found.add(cell(feature, contestant));
        }

        assertThat(cells).as("%s: %s", feature, found).hasSize(found.size());
        for (int i = 0; i < found.size(); i++) {
            String cell = cells.get(i);
            if (cell.startsWith(FAILS)) {
                assertThat(found.get(i))
                        .as("%s by %s", feature, contestants.get(i))
                        .startsWith(FAILS)
                        .contains(cell.substring(FAILS.length()).replace("`", ""));
            } else {
                assertThat(found.get(i))
                        .as("%s by %s", feature, contestants.get(i))
                        .isEqualTo(cell);
            }
        }
    }

    private static String cell(Features.Feature feature, Contestant contestant) throws Exception {
        if (feature.count()) {
            try {
                OptionalLong count = contestant.count(feature.request());
                if (count.isEmpty()) {
                    return NO_COUNT;
                }
                return feature.rows().contains("" + count.getAsLong()) ? RIGHT : WRONG;
            } catch (RuntimeException e) {
                return FAILS + e;
            }
        }
        Contestant.Outcome outcome = contestant.read(feature.request());
        if (outcome.failure() != null) {
            return FAILS + outcome.failure();
        }
        List<String> rows = new ArrayList<>();
        for (List<Object> row : outcome.rows()) {
            rows.add(text(row).toString());
        }
        Collections.sort(rows);
        return rows.equals(feature.rows().stream().sorted().toList()) ? RIGHT : WRONG;
    }

    /** The value with its bytes as text; where they are somewhere else, they are fetched. */
    private static Object text(Object value) throws IOException {
        if (value instanceof Descriptor descriptor) {
            if (descriptor.length() < 0) {
                return descriptor.toString();
            }
            byte[] bytes = new byte[(int) descriptor.length()];
            String path = URI.create(descriptor.uri()).getPath();
            try (RandomAccessFile file = new RandomAccessFile(path, "r")) {
                file.seek(descriptor.offset());
                file.readFully(bytes);
            }
            return text(bytes);
        }
        if (value instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        if (value instanceof List<?> list) {
            List<Object> texts = new ArrayList<>();
            for (Object element : list) {
                texts.add(text(element));
            }
            return texts;
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> texts = new LinkedHashMap<>();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                texts.put(entry.getKey(), text(entry.getValue()));
            }
            return texts;
        }
        return value;
    }

    /** The rows of the documentation's first table: feature to its cells, without the last. */
    private static Map<String, List<String>> documented() throws IOException {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        List<String> lines =
                Files.readAllLines(DOCS).stream()
                        .dropWhile(line -> !line.startsWith("| --- |"))
                        .skip(1)
                        .takeWhile(line -> line.startsWith("|"))
                        .toList();
        for (String line : lines) {
            List<String> cells = List.of(line.substring(2, line.length() - 2).split(" \\| "));
            rows.put(cells.get(0), cells.subList(1, 4));
        }
        return rows;
    }
}
