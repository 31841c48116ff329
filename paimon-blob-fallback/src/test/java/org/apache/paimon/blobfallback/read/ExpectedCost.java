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

package org.apache.paimon.blobfallback.read;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.paimon.blobfallback.read.DrawnLayers.File;

/** What a read of drawn layers returns and may cost, by the rules and without the plugin. */
final class ExpectedCost {

    /** Rows of the first window where requests are made at once; each next has four times more. */
    private static final int FIRST_WINDOW = 1 << 10;

    private static final int LARGEST_WINDOW = 1 << 16;

    /** Bytes of a request below which it does not pay to make two at once of it. */
    private static final long MIN_PIECE = 1 << 20;

    /** The files whose indexes say what the rows are. */
    final Set<File> needed = new LinkedHashSet<>();

    /** The file that decides each wanted row; null where none does. */
    private final Map<Integer, File> winners = new HashMap<>();

    private final List<Integer> wanted;

    /**
     * @param wanted the rows to read, ascending
     */
    ExpectedCost(DrawnLayers layers, List<Integer> wanted) {
        this.wanted = wanted;
        for (int row : wanted) {
            File winner = null;
            for (File file : layers.files) {
                if (file.covers(row)) {
                    needed.add(file);
                }
                if (file.decides(row)) {
                    winner = file;
                    break;
                }
            }
            winners.put(row, winner);
        }
    }

    /** The rows that are to be returned. */
    List<Object> values() {
        List<Object> values = new ArrayList<>();
        for (int row : wanted) {
            values.add(hasEntry(row) ? winners.get(row).text(row) : null);
        }
        return values;
    }

    private boolean hasEntry(int row) {
        return winners.get(row) != null && !winners.get(row).isNull(row);
    }

    /** Bytes of all entries that win. */
    long winningBytes() {
        return wanted.stream()
                .filter(this::hasEntry)
                .mapToLong(row -> winners.get(row).length(row))
                .sum();
    }

    /**
     * The runs of winners that are no further apart than a gap, and the bytes between them, with
     * one request after the other.
     */
    Payloads oneByOne(long gap) {
        Payloads payloads = new Payloads();
        Map<File, Long> ends = new HashMap<>();
        for (int row : wanted) {
            if (hasEntry(row)) {
                File file = winners.get(row);
                Long end = ends.put(file, file.end(row));
                if (end == null || file.offset(row) - end > gap) {
                    payloads.requests++;
                } else {
                    payloads.between += file.offset(row) - end;
                }
            }
        }
        return payloads;
    }

    /**
     * The same with several requests at once: a run ends with its window of rows and where half of
     * the buffer is full, and a long one is cut into pieces.
     */
    Payloads atOnce(long gap, long buffer, int parallelism) {
        long half = (buffer + 1) / 2;
        long piece = Math.min(half, Math.max(MIN_PIECE, half / parallelism));
        Payloads payloads = new Payloads();
        Map<File, Long> starts = new HashMap<>();
        Map<File, Long> ends = new HashMap<>();
        long filled = 0;
        int windowLength = FIRST_WINDOW;
        int windowEnd = wanted.isEmpty() ? 0 : wanted.get(0) + windowLength;
        for (int row : wanted) {
            if (row >= windowEnd) {
                windowLength = Math.min(LARGEST_WINDOW, 4 * windowLength);
                windowEnd = row + windowLength;
                filled = 0;
                ends.clear();
            }
            if (!hasEntry(row)) {
                continue;
            }
            File file = winners.get(row);
            long apart = ends.containsKey(file) ? file.offset(row) - ends.get(file) : 0;
            long more = file.length(row) + (apart <= gap ? apart : 0);
            if (filled > 0 && filled + more > half) {
                filled = 0;
                ends.clear();
                more = file.length(row);
            }
            filled += more;
            if (!ends.containsKey(file)
                    || apart > gap
                    || file.end(row) - starts.get(file) > piece) {
                starts.put(file, file.offset(row));
                payloads.requests++;
            } else {
                payloads.between += apart;
            }
            ends.put(file, file.end(row));
        }
        return payloads;
    }

    /** What the payloads cost besides themselves. */
    static final class Payloads {

        int requests;
        long between;
    }
}
