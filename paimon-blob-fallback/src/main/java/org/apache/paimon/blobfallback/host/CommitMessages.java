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

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;

/** Messages for the host's commit: files that are added to and removed from one bucket. */
public final class CommitMessages {

    private CommitMessages() {}

    /**
     * New files.
     *
     * @param place a file of the bucket
     */
    public static CommitMessage append(ManifestEntry place, List<DataFileMeta> files) {
        return overwrite(place, Collections.emptyList(), files);
    }

    /**
     * Files that replace others.
     *
     * @param place a file of the bucket
     */
    public static CommitMessage overwrite(
            ManifestEntry place, List<DataFileMeta> before, List<DataFileMeta> after) {
        return overwrite(place.partition(), place.bucket(), place.totalBuckets(), before, after);
    }

    /**
     * Files that replace others with the same rows.
     *
     * @param place a file of the bucket
     */
    public static CommitMessage compaction(
            ManifestEntry place, List<DataFileMeta> before, List<DataFileMeta> after) {
        return new CommitMessageImpl(
                place.partition(),
                place.bucket(),
                place.totalBuckets(),
                DataIncrement.emptyIncrement(),
                new CompactIncrement(before, after, Collections.emptyList()));
    }

    /** The files of a compaction, as an overwrite. */
    public static CommitMessage asOverwrite(CommitMessage compaction) {
        CompactIncrement files = ((CommitMessageImpl) compaction).compactIncrement();
        return overwrite(
                compaction.partition(),
                compaction.bucket(),
                compaction.totalBuckets(),
                files.compactBefore(),
                files.compactAfter());
    }

    private static CommitMessage overwrite(
            BinaryRow partition,
            int bucket,
            Integer totalBuckets,
            List<DataFileMeta> before,
            List<DataFileMeta> after) {
        return new CommitMessageImpl(
                partition,
                bucket,
                totalBuckets,
                new DataIncrement(after, before, Collections.emptyList()),
                CompactIncrement.emptyIncrement());
    }

    /** The added files, except those of a compaction. */
    public static List<DataFileMeta> newFiles(CommitMessage message) {
        return ((CommitMessageImpl) message).newFilesIncrement().newFiles();
    }

    /** The files that a compaction replaces; empty for other messages. */
    public static List<DataFileMeta> compactedFiles(CommitMessage message) {
        return ((CommitMessageImpl) message).compactIncrement().compactBefore();
    }

    /** Bytes of all added files. */
    public static long newBytes(CommitMessage message) {
        return Stream.concat(
                        newFiles(message).stream(),
                        ((CommitMessageImpl) message).compactIncrement().compactAfter().stream())
                .mapToLong(DataFileMeta::fileSize)
                .sum();
    }
}
