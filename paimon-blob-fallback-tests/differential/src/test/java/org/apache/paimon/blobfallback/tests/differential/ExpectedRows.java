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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The rows that a read must return, or those of which it may return some. */
abstract class ExpectedRows {

    /**
     * All of these rows, each block in its order, the blocks in any. Rows of a partition come in
     * the order of the table; which partition comes first is nobody's promise.
     */
    static ExpectedRows all(List<List<List<Object>>> blocks) {
        return new Blocks(blocks);
    }

    /**
     * Rows of these only, each once, in any order.
     *
     * @param key position of the value that tells which row it is
     * @param rows all that may come
     * @param wanted keys of the rows that matter
     * @param least how many of those must come
     */
    static ExpectedRows some(int key, List<List<Object>> rows, Set<Object> wanted, int least) {
        return new Keyed(key, rows, wanted, least);
    }

    /**
     * Some of these rows, in any order.
     *
     * @param must rows that come, each once
     * @param may rows each of which comes once or not at all
     */
    static ExpectedRows atLeast(List<List<Object>> must, List<List<Object>> may) {
        return new Loose(must, may);
    }

    /** How many rows must come at least. */
    abstract int size();

    /** Whether a read may have returned these rows. */
    abstract boolean matches(List<List<Object>> found);

    /** How rows that were found differ. */
    abstract String difference(List<List<Object>> found);

    private static final class Blocks extends ExpectedRows {

        private final List<List<List<Object>>> blocks;

        private Blocks(List<List<List<Object>>> blocks) {
            this.blocks = blocks;
        }

        @Override
        int size() {
            return blocks.stream().mapToInt(List::size).sum();
        }

        @Override
        boolean matches(List<List<Object>> found) {
            return Values.matchesBlocks(blocks, found);
        }

        @Override
        String difference(List<List<Object>> found) {
            return Values.difference(blocks, found);
        }
    }

    private static final class Keyed extends ExpectedRows {

        private static final int SHOWN = 5;

        private final int key;
        private final Map<Object, List<Object>> rows = new LinkedHashMap<>();
        private final Set<Object> wanted;
        private final int least;

        private Keyed(int key, List<List<Object>> rows, Set<Object> wanted, int least) {
            this.key = key;
            this.wanted = wanted;
            this.least = least;
            rows.forEach(row -> this.rows.put(row.get(key), row));
        }

        @Override
        int size() {
            return least;
        }

        @Override
        boolean matches(List<List<Object>> found) {
            return problems(found).isEmpty();
        }

        @Override
        String difference(List<List<Object>> found) {
            return problems(found).stream().limit(SHOWN).collect(Collectors.joining("\n"));
        }

        private List<String> problems(List<List<Object>> found) {
            List<String> problems = new ArrayList<>();
            Set<Object> seen = new HashSet<>();
            for (List<Object> row : found) {
                List<Object> expected = rows.get(row.get(key));
                if (!seen.add(row.get(key)) || !Values.matches(expected, row)) {
                    problems.add(
                            "expected " + Values.text(expected) + "\n found   " + Values.text(row));
                }
            }
            seen.retainAll(wanted);
            if (seen.size() < least) {
                Set<Object> missing = new HashSet<>(wanted);
                missing.removeAll(seen);
                problems.add(
                        "expected " + least + " of the rows " + wanted + ", missing " + missing);
            }
            return problems;
        }
    }

    private static final class Loose extends ExpectedRows {

        private final List<List<Object>> must;
        private final List<List<Object>> may;

        private Loose(List<List<Object>> must, List<List<Object>> may) {
            this.must = must;
            this.may = may;
        }

        @Override
        int size() {
            return must.size();
        }

        @Override
        boolean matches(List<List<Object>> found) {
            List<List<Object>> missing = new ArrayList<>(must);
            List<List<Object>> others = unmatched(missing, found);
            return missing.isEmpty() && unmatched(new ArrayList<>(may), others).isEmpty();
        }

        /** Takes away what was found, and gives back what is none of it. */
        private static List<List<Object>> unmatched(
                List<List<Object>> expected, List<List<Object>> found) {
            List<List<Object>> others = new ArrayList<>();
            for (List<Object> row : found) {
                int i = 0;
                while (i < expected.size() && !Values.matches(expected.get(i), row)) {
                    i++;
                }
                if (i == expected.size()) {
                    others.add(row);
                } else {
                    expected.remove(i);
                }
            }
            return others;
        }

        @Override
        String difference(List<List<Object>> found) {
            List<List<Object>> missing = new ArrayList<>(must);
            List<List<Object>> others = unmatched(missing, found);
            return "missing "
                    + Values.text(missing)
                    + "\nneither expected nor known to come "
                    + Values.text(unmatched(new ArrayList<>(may), others));
        }
    }
}
