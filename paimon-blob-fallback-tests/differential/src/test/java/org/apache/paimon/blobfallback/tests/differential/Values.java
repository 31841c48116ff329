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

import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.paimon.blobfallback.tests.bridge.Descriptor;

/** Compares and prints rows of JDK values. */
final class Values {

    /** Expected where the rules leave the value open; equals everything. */
    static final Object ANY =
            new Object() {
                @Override
                public String toString() {
                    return "ANY";
                }
            };

    private Values() {}

    /**
     * Whether found rows are those of the expected blocks, the rows of each in their order, the
     * blocks in any.
     */
    static boolean matchesBlocks(List<List<List<Object>>> blocks, List<List<Object>> found) {
        if (blocks.isEmpty()) {
            return found.isEmpty();
        }
        for (int i = 0; i < blocks.size(); i++) {
            List<List<Object>> block = blocks.get(i);
            if (block.size() <= found.size()
                    && matches(block, (Object) found.subList(0, block.size()))) {
                List<List<List<Object>>> others = new ArrayList<>(blocks);
                others.remove(i);
                if (matchesBlocks(others, found.subList(block.size(), found.size()))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether a found value is the expected one. */
    static boolean matches(Object expected, Object found) {
        if (expected == ANY) {
            return true;
        }
        if (expected instanceof byte[] bytes) {
            return found instanceof byte[] others && Arrays.equals(bytes, others);
        }
        if (expected instanceof Descriptor descriptor) {
            return found instanceof Descriptor other
                    && descriptor.offset() == other.offset()
                    && descriptor.length() == other.length()
                    && path(descriptor).equals(path(other));
        }
        if (expected instanceof List<?> list) {
            return found instanceof List<?> other && matchesAll(list, other);
        }
        if (expected instanceof Map<?, ?> map) {
            return found instanceof Map<?, ?> other && matchesAll(map, other);
        }
        return Objects.equals(expected, found);
    }

    private static boolean matchesAll(List<?> expected, List<?> found) {
        if (expected.size() != found.size()) {
            return false;
        }
        Iterator<?> others = found.iterator();
        return expected.stream().allMatch(value -> matches(value, others.next()));
    }

    private static boolean matchesAll(Map<?, ?> expected, Map<?, ?> found) {
        return expected.keySet().equals(found.keySet())
                && expected.entrySet().stream()
                        .allMatch(entry -> matches(entry.getValue(), found.get(entry.getKey())));
    }

    private static String path(Descriptor descriptor) {
        return URI.create(descriptor.uri()).getPath();
    }

    /** A value as a person reads it. */
    static String text(Object value) {
        if (value instanceof byte[] bytes) {
            String hex = HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, 12));
            return "x" + hex + (bytes.length > 12 ? "..(" + bytes.length + ")" : "");
        }
        if (value instanceof Descriptor descriptor) {
            String path = path(descriptor);
            return path.substring(path.lastIndexOf('/') + 1)
                    + "@"
                    + descriptor.offset()
                    + "+"
                    + descriptor.length();
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Values::text).collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> text(entry.getKey()) + "=" + text(entry.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        return String.valueOf(value);
    }

    /** The first rows that differ, expected against found, the blocks one after the other. */
    static String difference(List<List<List<Object>>> blocks, List<List<Object>> found) {
        List<List<Object>> expected = new ArrayList<>();
        blocks.forEach(expected::addAll);
        StringBuilder text = new StringBuilder();
        text.append(expected.size()).append(" rows expected, ").append(found.size());
        text.append(" found\n");
        int shown = 0;
        for (int i = 0; i < Math.max(expected.size(), found.size()) && shown < 5; i++) {
            Object wanted = i < expected.size() ? expected.get(i) : "no row";
            Object got = i < found.size() ? found.get(i) : "no row";
            if (!matches(wanted, got)) {
                text.append("  row ").append(i).append(": expected ").append(text(wanted));
                text.append("\n         found    ").append(text(got)).append('\n');
                shown++;
            }
        }
        return text.toString();
    }
}
