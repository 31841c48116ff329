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

package org.apache.paimon.blobfallback.host;

import org.apache.paimon.manifest.BucketEntry;
import org.apache.paimon.manifest.PartitionEntry;
import org.apache.paimon.partition.Partition;

/** The host's statistics of partitions and buckets, with another number of rows. */
public final class Recounted {

    private Recounted() {}

    /** A partition as a catalog lists it. */
    public static Partition partition(Partition partition, long rows) {
        return new Partition(
                partition.spec(),
                rows,
                partition.fileSizeInBytes(),
                partition.fileCount(),
                partition.lastFileCreationTime(),
                partition.totalBuckets(),
                partition.done(),
                partition.createdAt(),
                partition.createdBy(),
                partition.updatedAt(),
                partition.updatedBy(),
                partition.options());
    }

    /** A partition as a scan lists it. */
    public static PartitionEntry partition(PartitionEntry entry, long rows) {
        return new PartitionEntry(
                entry.partition(),
                rows,
                entry.fileSizeInBytes(),
                entry.fileCount(),
                entry.lastFileCreationTime(),
                entry.totalBuckets());
    }

    /** A bucket as a scan lists it. */
    public static BucketEntry bucket(BucketEntry entry, long rows) {
        return new BucketEntry(
                entry.partition(),
                entry.bucket(),
                rows,
                entry.fileSizeInBytes(),
                entry.fileCount(),
                entry.lastFileCreationTime());
    }
}
