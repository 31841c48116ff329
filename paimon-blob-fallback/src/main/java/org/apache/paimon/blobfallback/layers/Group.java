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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.apache.paimon.format.blob.BlobFileFormat;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.types.VectorType;
import org.apache.paimon.utils.Range;

/**
 * A group: one range of normal files, and all other files that hold rows of it.
 *
 * <p>A blob file may hold rows of several ranges of normal files. It then belongs to the group of
 * each of them; {@link JoinedGroups} has the groups that it joins. Files without a known normal
 * file are a group of their own.
 *
 * @param <F> the representation of a file: its metadata, or its entry in a manifest
 */
public final class Group<F> {

    private final Range range;
    private final Function<F, DataFileMeta> metadata;
    private final List<F> normalFiles = new ArrayList<>();
    private final List<F> vectorFiles = new ArrayList<>();
    private final List<F> blobFiles = new ArrayList<>();

    Group(Range range, Function<F, DataFileMeta> metadata) {
        this.range = range;
        this.metadata = metadata;
    }

    /**
     * Sorts data files into groups.
     *
     * @param files of one bucket, each with a first row id
     * @return ascending by row id
     * @throws IllegalArgumentException if normal files overlap but do not span the same range; it
     *     names two of them
     */
    public static List<Group<DataFileMeta>> ofFiles(List<DataFileMeta> files) {
        return groups(JoinedGroups.ofFiles(files));
    }

    /**
     * Sorts data files into groups. Files of different partitions or buckets are never in one
     * group.
     *
     * @param entries each with a first row id
     * @return ascending by row id
     * @throws IllegalArgumentException if normal files overlap but do not span the same range; it
     *     names two of them
     */
    public static List<Group<ManifestEntry>> ofEntries(List<ManifestEntry> entries) {
        List<Group<ManifestEntry>> groups = groups(JoinedGroups.ofEntries(entries));
        groups.sort(comparingLong(group -> group.range.from));
        return groups;
    }

    private static <F> List<Group<F>> groups(List<JoinedGroups<F>> joined) {
        return joined.stream()
                .flatMap(groups -> groups.groups().stream())
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** Whether a file, by its name, holds normal columns: no blob file and no vector-store file. */
    public static boolean isNormalFile(String fileName) {
        return !BlobFileFormat.isBlobFile(fileName) && !VectorType.isVectorStoreFile(fileName);
    }

    void add(F file) {
        String fileName = metadata.apply(file).fileName();
        if (isNormalFile(fileName)) {
            normalFiles.add(file);
        } else if (BlobFileFormat.isBlobFile(fileName)) {
            blobFiles.add(file);
        } else {
            vectorFiles.add(file);
        }
    }

    /**
     * Row ids of the group, both ends included: those of its normal files, or of all its files if
     * it has none.
     */
    public Range range() {
        return range;
    }

    /** Files that are neither blob files nor vector-store files; all span the group's row ids. */
    public List<F> normalFiles() {
        return normalFiles;
    }

    /** Vector-store files of all columns. */
    public List<F> vectorFiles() {
        return vectorFiles;
    }

    /** Blob files of all columns, each with at least one row of the group. */
    public List<F> blobFiles() {
        return blobFiles;
    }

    /**
     * The bunches of some columns.
     *
     * @param columns of the table's files
     * @param fieldIds which columns are wanted
     * @return ascending by field id; columns without blob files have none
     * @throws IllegalArgumentException if the metadata of a blob file does not name its column
     */
    public List<Bunch> bunches(FileColumns columns, IntPredicate fieldIds) {
        Map<Integer, List<DataFileMeta>> byField = new TreeMap<>();
        for (F blobFile : blobFiles) {
            DataFileMeta file = metadata.apply(blobFile);
            int fieldId = columns.blobFieldId(file);
            if (fieldIds.test(fieldId)) {
                byField.computeIfAbsent(fieldId, ignored -> new ArrayList<>()).add(file);
            }
        }
        List<Bunch> bunches = new ArrayList<>();
        byField.forEach((fieldId, files) -> bunches.add(new Bunch(fieldId, range, files)));
        return bunches;
    }

    /** All files. */
    public List<F> files() {
        List<F> files = new ArrayList<>(normalFiles);
        files.addAll(vectorFiles);
        files.addAll(blobFiles);
        return files;
    }

    /**
     * The oldest normal file, to which a deletion vector belongs.
     *
     * @throws IllegalStateException if there is no normal file
     */
    public F anchor() {
        return normalFiles.stream()
                .min(oldestFirst(metadata))
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "The row ids "
                                                + range
                                                + " have no normal file that their deletion vector could belong to."));
    }

    /**
     * By age, oldest first: by sequence number, then by name.
     *
     * @param metadata returns the metadata of a file
     */
    public static <F> Comparator<F> oldestFirst(Function<F, DataFileMeta> metadata) {
        return comparingLong((F file) -> metadata.apply(file).maxSequenceNumber())
                .thenComparing(file -> metadata.apply(file).fileName());
    }
}
