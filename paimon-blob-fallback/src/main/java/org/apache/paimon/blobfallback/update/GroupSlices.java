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

package org.apache.paimon.blobfallback.update;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.paimon.Snapshot;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.operation.FileStoreScan;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.Range;

/**
 * Goes through the groups of a snapshot in the order of their row ids, with no more than a slice of
 * its files in memory.
 *
 * <p>A slice is a range of row ids. Manifests that lie outside of it are not read; those that lie
 * in several slices are read for each of them, which is what the little memory costs.
 */
final class GroupSlices implements Iterator<List<FlattenBunch>> {

    private final FileStoreTable table;
    private final Snapshot snapshot;
    private final UnaryOperator<FileStoreScan> filter;
    private final Function<List<ManifestEntry>, List<FlattenBunch>> bunches;
    private final long endRowId;
    private final long sliceLength;
    private final Queue<List<FlattenBunch>> found = new ArrayDeque<>();

    /** Where the next slice starts: no group has rows on both sides of it. */
    private long nextRowId;

    /**
     * @param mostFiles that a slice is to have, if the row ids of files are spread evenly
     * @param filter restricts a scan
     * @param bunches of a group by all of its files; none to leave it out
     */
    GroupSlices(
            FileStoreTable table,
            Snapshot snapshot,
            long mostFiles,
            UnaryOperator<FileStoreScan> filter,
            Function<List<ManifestEntry>, List<FlattenBunch>> bunches) {
        this.table = table;
        this.snapshot = snapshot;
        this.filter = filter;
        this.bunches = bunches;
        this.endRowId = snapshot.nextRowId() == null ? 0 : snapshot.nextRowId();
        long slices = 1 + fileCount() / mostFiles;
        this.sliceLength = Math.max(1, (endRowId + slices - 1) / slices);
    }

    private long fileCount() {
        return table.store().manifestListFactory().create().readDataManifests(snapshot).stream()
                .mapToLong(GroupSlices::fileCount)
                .sum();
    }

    private static long fileCount(ManifestFileMeta manifest) {
        return manifest.numAddedFiles() - manifest.numDeletedFiles();
    }

    @Override
    public boolean hasNext() {
        long length = sliceLength;
        while (found.isEmpty() && nextRowId < endRowId) {
            long before = nextRowId;
            readSlice(nextRowId + length - 1);
            // A group that is longer than the slice needs a longer one.
            length = nextRowId == before ? 2 * length : sliceLength;
        }
        return !found.isEmpty();
    }

    @Override
    public List<FlattenBunch> next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return found.poll();
    }

    /** Finds the groups from the next row id to another; one that goes beyond is left for later. */
    private void readSlice(long lastRowId) {
        long next = lastRowId + 1;
        FileStoreScan scan =
                filter.apply(table.store().newScan().withSnapshot(snapshot))
                        .withRowRanges(Collections.singletonList(new Range(nextRowId, lastRowId)));
        for (List<ManifestEntry> group : FlattenScan.entriesByGroup(scan)) {
            if (lastRowId(group) > lastRowId) {
                next = firstRowId(group);
            } else {
                List<FlattenBunch> ofGroup = bunches.apply(group);
                if (!ofGroup.isEmpty()) {
                    found.add(ofGroup);
                }
            }
        }
        nextRowId = next;
    }

    private static long firstRowId(List<ManifestEntry> group) {
        return group.stream()
                .map(ManifestEntry::file)
                .mapToLong(DataFileMeta::nonNullFirstRowId)
                .min()
                .getAsLong();
    }

    private static long lastRowId(List<ManifestEntry> group) {
        return group.stream()
                .mapToLong(entry -> entry.file().nonNullRowIdRange().to)
                .max()
                .getAsLong();
    }
}
