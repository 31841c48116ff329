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

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What went wrong with random tables. Every finding comes with the seed that repeats its table
 * alone. Those of the plugin come first and all of them, however many a newer Paimon has.
 */
final class Findings {

    /** What a finding is of, the most important first. */
    enum Kind {
        /** The plugin: a read of its own, or one of a newer Paimon that the plugin changed. */
        PLUGIN,

        /** A table that could not be made, or whose reads could not all be tried. */
        TABLE,

        /** A newer Paimon that went wrong in a way that is not known of it. */
        JUDGE
    }

    /** What is shown of the findings. */
    private final Map<Kind, List<String>> texts = new EnumMap<>(Kind.class);

    /** Number of findings by kind, by who went wrong and by seed. */
    private final Map<Kind, Map<String, Map<Long, Integer>>> counts = new EnumMap<>(Kind.class);

    /**
     * Adds a finding. What is not of a newer Paimon is printed at once, for a run may be stopped.
     *
     * @param who what went wrong
     * @param text what was done, what was expected and what was found
     */
    void add(Kind kind, String who, long seed, String text) {
        String finding =
                String.format(
                        "%s, %s: -Ddifferential.seed=%d -Ddifferential.tables=1%n%s",
                        kind, who, seed, text);
        int count =
                counts.computeIfAbsent(kind, any -> new TreeMap<>())
                        .computeIfAbsent(who, any -> new TreeMap<>())
                        .merge(seed, 1, Integer::sum);
        if (kind != Kind.JUDGE) {
            System.out.println(finding);
        }
        if (kind != Kind.JUDGE || count == 1) {
            texts.computeIfAbsent(kind, any -> new ArrayList<>()).add(finding);
        }
    }

    boolean isEmpty() {
        return texts.isEmpty();
    }

    /** Number of findings of a kind. */
    int count(Kind kind) {
        return counts.getOrDefault(kind, Map.of()).values().stream()
                .flatMap(seeds -> seeds.values().stream())
                .mapToInt(Integer::intValue)
                .sum();
    }

    /** A line for each that went wrong: how often, and how often with each seed. */
    String summary() {
        List<String> lines = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            lines.add(String.format("%s: %d wrong", kind, count(kind)));
            counts.getOrDefault(kind, Map.of())
                    .forEach((who, seeds) -> lines.add("  " + who + ", by seed: " + seeds));
        }
        return String.join(System.lineSeparator(), lines);
    }

    /** All findings; of each table that a newer Paimon read wrong, its first one. */
    String details() {
        return texts.values().stream()
                .flatMap(List::stream)
                .collect(Collectors.joining(System.lineSeparator()));
    }
}
