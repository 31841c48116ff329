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

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.utils.Range;

/** A group of a table's snapshot, known by its normal files, which all span its row ids. */
final class RowGroup {

    private final ManifestEntry first;
    private final List<DataFileMeta> normalFiles;

    /**
     * @param normalFiles all normal files of the group, at least one
     */
    RowGroup(List<ManifestEntry> normalFiles) {
        this.first = normalFiles.get(0);
        this.normalFiles =
                normalFiles.stream().map(ManifestEntry::file).collect(Collectors.toList());
    }

    BinaryRow partition() {
        return first.partition();
    }

    int bucket() {
        return first.bucket();
    }

    int totalBuckets() {
        return first.totalBuckets();
    }

    /** The row ids of the group, both ends included. */
    Range range() {
        return first.file().nonNullRowIdRange();
    }

    List<DataFileMeta> normalFiles() {
        return normalFiles;
    }

    /** The file on which the group's deletion vector hangs, if it has one. */
    DataFileMeta anchor() {
        return normalFiles.stream()
                .min(
                        Comparator.comparingLong(DataFileMeta::maxSequenceNumber)
                                .thenComparing(DataFileMeta::fileName))
                .get();
    }
}
