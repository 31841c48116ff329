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

import static java.util.Comparator.comparingLong;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.types.VectorType;
import org.apache.paimon.utils.Range;
import org.apache.paimon.utils.RangeHelper;

/**
 * A group: data files whose row-id ranges overlap, or the part of one that belongs to one range of
 * normal files.
 *
 * <p>The normal files of a group usually span one range. A blob file that was written over several
 * such ranges joins their files to one group; it is then read range by range.
 */
public final class RowIdGroup {

    private final Range range;
    private final List<DataFileMeta> normalFiles;
    private final List<DataFileMeta> vectorFiles;
    private final List<DataFileMeta> blobFiles;

    private RowIdGroup(
            Range range,
            List<DataFileMeta> normalFiles,
            List<DataFileMeta> vectorFiles,
            List<DataFileMeta> blobFiles) {
        this.range = range;
        this.normalFiles = normalFiles;
        this.vectorFiles = vectorFiles;
        this.blobFiles = blobFiles;
    }

    /**
     * Sorts data files into groups.
     *
     * @param files of one bucket, each with a first row id
     * @return ascending by row id
     * @throws IllegalArgumentException if normal files overlap that do not span the same range; it
     *     names two of them
     */
    public static List<RowIdGroup> of(List<DataFileMeta> files) {
        List<RowIdGroup> groups = new ArrayList<>();
        RangeHelper<DataFileMeta> ranges = new RangeHelper<>(DataFileMeta::nonNullRowIdRange);
        for (List<DataFileMeta> overlapping : ranges.mergeOverlappingRanges(files)) {
            List<DataFileMeta> normal = new ArrayList<>();
            List<DataFileMeta> vector = new ArrayList<>();
            List<DataFileMeta> blob = new ArrayList<>();
            for (DataFileMeta file : overlapping) {
                if (BlobFileLayout.isBlobFile(file.fileName())) {
                    blob.add(file);
                } else if (VectorType.isVectorStoreFile(file.fileName())) {
                    vector.add(file);
                } else {
                    normal.add(file);
                }
            }
            if (normal.isEmpty()) {
                groups.add(new RowIdGroup(span(overlapping), normal, vector, blob));
                continue;
            }
            for (Map.Entry<Range, List<DataFileMeta>> entry : byRange(normal).entrySet()) {
                Range range = entry.getKey();
                groups.add(
                        new RowIdGroup(
                                range,
                                entry.getValue(),
                                intersecting(vector, range),
                                intersecting(blob, range)));
            }
        }
        return groups;
    }

    private static Range span(List<DataFileMeta> files) {
        long from = Long.MAX_VALUE;
        long to = Long.MIN_VALUE;
        for (DataFileMeta file : files) {
            from = Math.min(from, file.nonNullRowIdRange().from);
            to = Math.max(to, file.nonNullRowIdRange().to);
        }
        return new Range(from, to);
    }

    private static Map<Range, List<DataFileMeta>> byRange(List<DataFileMeta> normalFiles) {
        Comparator<Range> order = comparingLong(range -> range.from);
        Map<Range, List<DataFileMeta>> byRange =
                new TreeMap<>(order.thenComparingLong(range -> range.to));
        for (DataFileMeta file : normalFiles) {
            byRange.computeIfAbsent(file.nonNullRowIdRange(), ignored -> new ArrayList<>())
                    .add(file);
        }
        Range before = null;
        for (Range range : byRange.keySet()) {
            if (before != null && before.hasIntersection(range)) {
                throw new IllegalArgumentException(
                        String.format(
                                "Normal files whose row ids overlap must span the same row ids,"
                                        + " found %s with %s and %s with %s.",
                                byRange.get(before).get(0).fileName(),
                                before,
                                byRange.get(range).get(0).fileName(),
                                range));
            }
            before = range;
        }
        return byRange;
    }

    private static List<DataFileMeta> intersecting(List<DataFileMeta> files, Range range) {
        return files.stream()
                .filter(file -> file.nonNullRowIdRange().hasIntersection(range))
                .collect(Collectors.toList());
    }

    /** Row ids of the group: those of its normal files, or of all its files if it has none. */
    public Range range() {
        return range;
    }

    /** Files that are neither blob files nor vector-store files. */
    public List<DataFileMeta> normalFiles() {
        return normalFiles;
    }

    /** Vector-store files of all columns. */
    public List<DataFileMeta> vectorFiles() {
        return vectorFiles;
    }

    /** Blob files of all columns. */
    public List<DataFileMeta> blobFiles() {
        return blobFiles;
    }

    /** All files. */
    List<DataFileMeta> files() {
        List<DataFileMeta> files = new ArrayList<>(normalFiles);
        files.addAll(vectorFiles);
        files.addAll(blobFiles);
        return files;
    }

    /**
     * The oldest normal file, on which a deletion vector hangs.
     *
     * @throws IllegalStateException if there is no normal file
     */
    public DataFileMeta anchor() {
        return normalFiles.stream()
                .min(
                        comparingLong(DataFileMeta::maxSequenceNumber)
                                .thenComparing(DataFileMeta::fileName))
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "The row ids "
                                                + range
                                                + " have no normal file that their deletion vector"
                                                + " could hang on."));
    }
}
