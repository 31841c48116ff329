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

package org.apache.paimon.blobfallback.flatten;

import static java.util.Comparator.comparingInt;
import static java.util.Comparator.comparingLong;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.paimon.blobfallback.format.io.BlobReadMetrics;
import org.apache.paimon.blobfallback.layers.JoinedGroups;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.utils.Range;

/**
 * Bunches of groups that blob files join, for a flatten. A file that is in several of them can be
 * replaced only in all of them, so they are flattened in one commit.
 */
public final class JoinedBunches {

    private final JoinedGroups<ManifestEntry> groups;
    private final List<FlattenBunch> bunches;

    /**
     * @param groups all of them
     * @param bunches of these groups
     */
    JoinedBunches(JoinedGroups<ManifestEntry> groups, List<FlattenBunch> bunches) {
        this.groups = groups;
        this.bunches = new ArrayList<>(bunches);
        this.bunches.sort(
                comparingLong((FlattenBunch bunch) -> bunch.group().range().from)
                        .thenComparing(FlattenBunch::column, comparingInt(column -> column.id())));
    }

    /** Row ids from the first of any file of the groups to the last, both ends included. */
    public Range range() {
        return groups.range();
    }

    /** Ascending by row id, then by field id. */
    public List<FlattenBunch> bunches() {
        return bunches;
    }

    /**
     * The files that a flatten of the bunches replaces, each once: the files of the bunches, and
     * files without a row of any group. Without the files that they overlap, the latter would
     * become a group of their own.
     */
    public List<DataFileMeta> files() {
        Set<DataFileMeta> files = new LinkedHashSet<>();
        bunches.forEach(bunch -> files.addAll(bunch.files()));
        groups.strayFiles().forEach(stray -> files.add(stray.file()));
        return new ArrayList<>(files);
    }

    /** Whether a bunch has more than some layers. */
    public boolean hasMoreLayersThan(int layers) {
        return bunches.stream().anyMatch(bunch -> bunch.layerCount() > layers);
    }

    /**
     * The bunches to flatten: those that have more than some number of layers and are not flat yet,
     * and those that share a file with one, directly or through others.
     *
     * @param layers maximum number of layers of a bunch that is left alone
     * @param metrics count what is read
     * @throws IOException if the index of a file cannot be read
     */
    public JoinedBunches due(int layers, BlobReadMetrics metrics) throws IOException {
        List<FlattenBunch> due = new ArrayList<>();
        for (List<FlattenBunch> sharing : bySharedFiles()) {
            for (FlattenBunch bunch : sharing) {
                if (bunch.layerCount() > layers && !bunch.isFlat(metrics)) {
                    due.addAll(sharing);
                    break;
                }
            }
        }
        return new JoinedBunches(groups, due);
    }

    private List<List<FlattenBunch>> bySharedFiles() {
        Map<Integer, List<FlattenBunch>> byColumn =
                bunches.stream()
                        .collect(
                                Collectors.groupingBy(
                                        bunch -> bunch.column().id(),
                                        LinkedHashMap::new,
                                        Collectors.toList()));
        List<List<FlattenBunch>> sets = new ArrayList<>();
        for (List<FlattenBunch> ofColumn : byColumn.values()) {
            Range before = null;
            for (FlattenBunch bunch : ofColumn) {
                if (before == null || !bunch.hasRowsOf(before)) {
                    sets.add(new ArrayList<>());
                }
                sets.get(sets.size() - 1).add(bunch);
                before = bunch.group().range();
            }
        }
        return sets;
    }
}
