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

package org.apache.paimon.blobfallback.tests.benchmark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Draws how cost grows, from the results of the scenarios {@code growth-what-number}: a picture for
 * each "what".
 *
 * <p>Arguments: the results as comma separated values, and a folder for the pictures.
 */
public final class Plots {

    private static final Pattern GROWTH = Pattern.compile("growth-([a-z]+)-([0-9]+)");

    private static final Map<String, String> TITLES =
            Map.of(
                    "rows", "rows (8 bytes each, 8 layers, 10 % touched)",
                    "layers", "layers (100,000 rows of 8 bytes, 10 % touched)",
                    "bytes", "bytes a blob (1,000 rows, 4 layers, all touched)",
                    "latency", "ms a request (200 rows of 64 KB, 8 layers, 10 % touched)");

    private Plots() {}

    public static void main(String[] arguments) throws IOException {
        List<Path> drawn =
                draw(
                        Files.readAllLines(Path.of(arguments[0]), StandardCharsets.UTF_8),
                        Path.of(arguments[1]));
        drawn.forEach(System.out::println);
    }

    /**
     * Draws.
     *
     * @param lines as the benchmark wrote them
     * @param folder for the pictures
     * @return the pictures
     * @throws IllegalArgumentException if no scenario shows how cost grows
     */
    static List<Path> draw(List<String> lines, Path folder) throws IOException {
        Map<String, Growth> growths = new TreeMap<>();
        List<String> header = List.of(lines.get(0).split(","));
        for (String line : lines.subList(1, lines.size())) {
            String[] values = line.split(",");
            Matcher name = GROWTH.matcher(values[0]);
            if (name.matches()) {
                Growth growth = growths.computeIfAbsent(name.group(1), what -> new Growth());
                growth.numbers.add(Double.valueOf(name.group(2)));
                growth.paimon2.add(Double.valueOf(values[header.indexOf("paimon2_ms")]));
                growth.plugin.add(Double.valueOf(values[header.indexOf("plugin_ms")]));
            }
        }
        if (growths.isEmpty()) {
            throw new IllegalArgumentException("The results have no scenario 'growth-...'.");
        }
        Files.createDirectories(folder);
        List<Path> drawn = new ArrayList<>();
        for (Map.Entry<String, Growth> growth : growths.entrySet()) {
            Path picture = folder.resolve(growth.getKey() + ".svg");
            Files.writeString(picture, growth.getValue().chart(TITLES.get(growth.getKey())));
            drawn.add(picture);
        }
        return drawn;
    }

    /** Times by what grows. */
    private static final class Growth {

        private final List<Double> numbers = new ArrayList<>();
        private final List<Double> paimon2 = new ArrayList<>();
        private final List<Double> plugin = new ArrayList<>();

        private String chart(String title) {
            return new LogLogChart(title, "ms a read")
                    .line("Paimon 2.0.0", "#c2410c", numbers, paimon2)
                    .line("Paimon 1.4.2 and plugin", "#1d4ed8", numbers, plugin)
                    .toSvg();
        }
    }
}
