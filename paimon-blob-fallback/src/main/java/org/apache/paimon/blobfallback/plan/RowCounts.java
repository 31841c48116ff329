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

package org.apache.paimon.blobfallback.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.paimon.blobfallback.host.Recounted;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.BucketEntry;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.PartitionEntry;
import org.apache.paimon.utils.Pair;
import org.apache.paimon.utils.Range;

/**
 * Counts the rows of partitions and buckets, each row once, even if several files hold parts of it.
 *
 * @param <K> key by which rows are counted
 */
final class RowCounts<K> {

    private final Map<K, List<Range>> ranges = new HashMap<>();

    private RowCounts(Iterator<ManifestEntry> files, Function<ManifestEntry, K> key) {
        while (files.hasNext()) {
            ManifestEntry entry = files.next();
            DataFileMeta file = entry.file();
            ranges.computeIfAbsent(key.apply(entry), any -> new ArrayList<>())
                    .add(file.nonNullRowIdRange());
        }
    }

    private long of(K key) {
        List<Range> rows = ranges.get(key);
        return rows == null
                ? 0
                : Range.sortAndMergeOverlap(rows, true).stream().mapToLong(Range::count).sum();
    }

    /**
     * Entries of partitions with their rows counted.
     *
     * @param entries that count the rows of each file
     * @param files of the same snapshot, none of them deleted
     */
    static List<PartitionEntry> ofPartitions(
            List<PartitionEntry> entries, Iterator<ManifestEntry> files) {
        RowCounts<BinaryRow> rows = new RowCounts<>(files, ManifestEntry::partition);
        List<PartitionEntry> counted = new ArrayList<>(entries.size());
        for (PartitionEntry entry : entries) {
            counted.add(Recounted.partition(entry, rows.of(entry.partition())));
        }
        return counted;
    }

    /** As {@link #ofPartitions}, for buckets. */
    static List<BucketEntry> ofBuckets(List<BucketEntry> entries, Iterator<ManifestEntry> files) {
        RowCounts<Pair<BinaryRow, Integer>> rows =
                new RowCounts<>(files, file -> Pair.of(file.partition(), file.bucket()));
        List<BucketEntry> counted = new ArrayList<>(entries.size());
        for (BucketEntry entry : entries) {
            counted.add(
                    Recounted.bucket(entry, rows.of(Pair.of(entry.partition(), entry.bucket()))));
        }
        return counted;
    }
}
