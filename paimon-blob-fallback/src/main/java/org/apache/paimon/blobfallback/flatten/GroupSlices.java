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

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.layers.JoinedGroups;
import org.apache.paimon.blobfallback.write.GroupScan;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.operation.FileStoreScan;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.Range;

/**
 * Iterates over the groups of a snapshot in the order of their row ids, with at most one slice of
 * its files in memory.
 *
 * <p>A slice is a range of row ids. Manifests outside of it are not read; manifests with files in
 * several slices are read once for each of them, which is the price for the low memory.
 */
final class GroupSlices implements Iterator<JoinedBunches> {

    private final FileStoreTable table;
    private final Snapshot snapshot;
    private final UnaryOperator<FileStoreScan> filter;
    private final Function<JoinedGroups<ManifestEntry>, JoinedBunches> bunches;
    private final long endRowId;
    private final long sliceLength;
    private final Queue<JoinedBunches> found = new ArrayDeque<>();

    /** Where the next slice starts: no group has rows on both sides of it. */
    private long nextRowId;

    /**
     * @param maxFiles of a slice, if the row ids of files are spread evenly
     * @param filter restricts a scan
     * @param bunches of joined groups; empty to leave them out
     */
    GroupSlices(
            FileStoreTable table,
            Snapshot snapshot,
            long maxFiles,
            UnaryOperator<FileStoreScan> filter,
            Function<JoinedGroups<ManifestEntry>, JoinedBunches> bunches) {
        this.table = table;
        this.snapshot = snapshot;
        this.filter = filter;
        this.bunches = bunches;
        this.endRowId = snapshot.nextRowId() == null ? 0 : snapshot.nextRowId();
        long slices = 1 + fileCount() / maxFiles;
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
    public JoinedBunches next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return found.poll();
    }

    /**
     * Finds the groups from the next row id to another one; groups that go beyond it are left for
     * later.
     */
    private void readSlice(long lastRowId) {
        FileStoreScan scan =
                filter.apply(table.store().newScan().withSnapshot(snapshot))
                        .withRowRanges(Collections.singletonList(new Range(nextRowId, lastRowId)));
        List<JoinedGroups<ManifestEntry>> slice =
                GroupScan.join(table, snapshot, GroupScan.entries(scan));
        long next = lastRowId + 1;
        // From the last to the first: groups of other partitions may overlap those that go beyond.
        for (int i = slice.size() - 1; i >= 0; i--) {
            if (slice.get(i).range().to >= next) {
                next = slice.get(i).range().from;
            }
        }
        for (JoinedGroups<ManifestEntry> groups : slice) {
            if (groups.range().to < next) {
                JoinedBunches ofGroups = bunches.apply(groups);
                if (!ofGroups.bunches().isEmpty()) {
                    found.add(ofGroups);
                }
            }
        }
        nextRowId = next;
    }
}
