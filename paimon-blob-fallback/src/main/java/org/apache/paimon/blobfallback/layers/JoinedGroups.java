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

package org.apache.paimon.blobfallback.layers;

import static java.util.Comparator.comparingLong;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.utils.Pair;
import org.apache.paimon.utils.Range;
import org.apache.paimon.utils.RangeHelper;

/**
 * Groups that are joined by blob files with rows of several of them; usually this is a single
 * group. Each group is read on its own, but a file that joins groups can be replaced only in all of
 * them.
 *
 * @param <F> the representation of a file: its metadata, or its entry in a manifest
 */
public final class JoinedGroups<F> {

    private final Range range;
    private final List<Group<F>> groups;
    private final List<F> strayFiles;

    private JoinedGroups(Range range, List<Group<F>> groups, List<F> strayFiles) {
        this.range = range;
        this.groups = groups;
        this.strayFiles = strayFiles;
    }

    /**
     * Sorts data files into groups, and these into joined groups.
     *
     * @param files of one bucket, each with a first row id
     * @return ascending by row id, without overlap
     * @throws IllegalArgumentException if normal files overlap but do not span the same range; it
     *     names two of them
     */
    public static List<JoinedGroups<DataFileMeta>> ofFiles(List<DataFileMeta> files) {
        return overlapping(files, Function.<DataFileMeta>identity()).stream()
                .map(overlapping -> join(overlapping, Function.identity()))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /**
     * Sorts data files into groups, and these into joined groups. Files of different partitions or
     * buckets are never joined.
     *
     * @param entries each with a first row id
     * @return ascending by first row id; those of different partitions may overlap
     * @throws IllegalArgumentException if normal files overlap but do not span the same range; it
     *     names two of them
     */
    public static List<JoinedGroups<ManifestEntry>> ofEntries(List<ManifestEntry> entries) {
        return overlapping(entries).stream()
                .map(files -> join(files, ManifestEntry::file))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /**
     * The files of each of {@link #ofEntries}, also where they do not form groups.
     *
     * @param entries each with a first row id
     * @return ascending by first row id
     */
    public static List<List<ManifestEntry>> overlapping(List<ManifestEntry> entries) {
        Map<Pair<BinaryRow, Integer>, List<ManifestEntry>> byBucket = new LinkedHashMap<>();
        for (ManifestEntry entry : entries) {
            byBucket.computeIfAbsent(
                            Pair.of(entry.partition(), entry.bucket()),
                            ignored -> new ArrayList<>())
                    .add(entry);
        }
        List<List<ManifestEntry>> overlapping = new ArrayList<>();
        byBucket.values()
                .forEach(bucket -> overlapping.addAll(overlapping(bucket, ManifestEntry::file)));
        overlapping.sort(
                comparingLong(
                        files ->
                                files.stream()
                                        .mapToLong(entry -> entry.file().nonNullFirstRowId())
                                        .min()
                                        .getAsLong()));
        return overlapping;
    }

    private static <F> List<List<F>> overlapping(
            List<F> files, Function<F, DataFileMeta> metadata) {
        return new RangeHelper<F>(file -> metadata.apply(file).nonNullRowIdRange())
                .mergeOverlappingRanges(files);
    }

    private static <F> JoinedGroups<F> join(List<F> files, Function<F, DataFileMeta> metadata) {
        long from = Long.MAX_VALUE;
        long to = Long.MIN_VALUE;
        List<F> normalFiles = new ArrayList<>();
        List<F> otherFiles = new ArrayList<>();
        for (F file : files) {
            DataFileMeta meta = metadata.apply(file);
            from = Math.min(from, meta.nonNullRowIdRange().from);
            to = Math.max(to, meta.nonNullRowIdRange().to);
            (Group.isNormalFile(meta.fileName()) ? normalFiles : otherFiles).add(file);
        }
        Range span = new Range(from, to);
        if (normalFiles.isEmpty()) {
            Group<F> group = new Group<>(span, metadata);
            files.forEach(group::add);
            return new JoinedGroups<>(
                    span, Collections.singletonList(group), Collections.emptyList());
        }
        NavigableMap<Long, Group<F>> groups = byFirstRowId(normalFiles, metadata);
        List<F> strayFiles = new ArrayList<>();
        for (F file : otherFiles) {
            Range rows = metadata.apply(file).nonNullRowIdRange();
            boolean placed = false;
            Long first = groups.floorKey(rows.from);
            for (Group<F> group :
                    groups.subMap(first == null ? rows.from : first, true, rows.to, true)
                            .values()) {
                if (group.range().hasIntersection(rows)) {
                    group.add(file);
                    placed = true;
                }
            }
            if (!placed) {
                strayFiles.add(file);
            }
        }
        return new JoinedGroups<>(span, new ArrayList<>(groups.values()), strayFiles);
    }

    private static <F> NavigableMap<Long, Group<F>> byFirstRowId(
            List<F> normalFiles, Function<F, DataFileMeta> metadata) {
        NavigableMap<Long, Group<F>> groups = new TreeMap<>();
        for (F file : normalFiles) {
            Range range = metadata.apply(file).nonNullRowIdRange();
            Group<F> group =
                    groups.computeIfAbsent(range.from, ignored -> new Group<>(range, metadata));
            if (group.range().to != range.to) {
                throw overlap(group, new Group<>(range, metadata), file, metadata);
            }
            group.add(file);
        }
        Group<F> before = null;
        for (Group<F> group : groups.values()) {
            if (before != null && before.range().to >= group.range().from) {
                throw overlap(before, group, group.normalFiles().get(0), metadata);
            }
            before = group;
        }
        return groups;
    }

    private static <F> IllegalArgumentException overlap(
            Group<F> group, Group<F> other, F otherFile, Function<F, DataFileMeta> metadata) {
        return new IllegalArgumentException(
                String.format(
                        "Normal files whose row ids overlap must span the same row ids, found %s"
                                + " with %s and %s with %s.",
                        metadata.apply(group.normalFiles().get(0)).fileName(),
                        group.range(),
                        metadata.apply(otherFile).fileName(),
                        other.range()));
    }

    /** Row ids from the first of any file to the last, both ends included. */
    public Range range() {
        return range;
    }

    /** The groups, ascending by row id. */
    public List<Group<F>> groups() {
        return groups;
    }

    /**
     * Files that overlap others of these groups but hold no row of any group, so that no row has
     * their values. If all files that they overlap were replaced, they would be taken for a group
     * of their own.
     */
    public List<F> strayFiles() {
        return strayFiles;
    }
}
