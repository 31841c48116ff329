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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.format.blob.BlobFileFormat;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.table.source.QueryAuthSplit;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.utils.Range;

/**
 * Cuts splits with large blob files into row ranges. The host's smallest split is a group of any
 * size.
 *
 * <p>It uses only metadata: the bytes of a blob file are assumed to be spread evenly over its rows,
 * and superseded blobs count like others.
 */
final class SplitCutter {

    private final long targetSize;
    private final long openFileCost;

    /**
     * @param targetSize maximum bytes of blob files in a split, if possible
     * @param openFileCost bytes that are as expensive as opening a file: since each part opens all
     *     files of the split, it has at least this many bytes for each file
     */
    SplitCutter(long targetSize, long openFileCost) {
        this.targetSize = targetSize;
        this.openFileCost = openFileCost;
    }

    /** The splits, with each one that is too large replaced by several. */
    List<Split> cut(List<Split> splits) {
        List<Split> cut = new ArrayList<>(splits.size());
        for (Split split : splits) {
            if (split instanceof QueryAuthSplit) {
                QueryAuthSplit ruled = (QueryAuthSplit) split;
                for (Split part : cut(ruled.split())) {
                    cut.add(new QueryAuthSplit(part, ruled.authResult()));
                }
            } else {
                cut.addAll(cut(split));
            }
        }
        return cut;
    }

    /** Splits of changes are left as they are. */
    private List<Split> cut(Split split) {
        if (!(split instanceof GroupedDataSplit)) {
            return Collections.singletonList(split);
        }
        GroupedDataSplit whole = (GroupedDataSplit) split;
        List<Range> ranges = ranges(whole.dataFiles());
        if (ranges.size() < 2) {
            return Collections.singletonList(split);
        }
        List<Split> parts = new ArrayList<>();
        for (Range rows : ranges) {
            parts.add(new PartialDataSplit(whole, rows));
        }
        return parts;
    }

    /** Ranges of about the same number of bytes each, at least one row long, without gaps. */
    private List<Range> ranges(List<DataFileMeta> files) {
        long bytes = 0;
        long from = Long.MAX_VALUE;
        long to = Long.MIN_VALUE;
        // Changes of the bytes for each row, by the row id where they start.
        Map<Long, Double> changes = new TreeMap<>();
        for (DataFileMeta file : files) {
            Range rows = file.nonNullRowIdRange();
            from = Math.min(from, rows.from);
            to = Math.max(to, rows.to);
            if (BlobFileFormat.isBlobFile(file.fileName())) {
                bytes += file.fileSize();
                double bytesOfRow = (double) file.fileSize() / rows.count();
                changes.merge(rows.from, bytesOfRow, Double::sum);
                changes.merge(rows.to + 1, -bytesOfRow, Double::sum);
            }
        }
        List<Range> ranges = new ArrayList<>();
        long size = Math.max(1, Math.max(targetSize, openFileCost * files.size()));
        long parts = (bytes + size - 1) / size;
        double bytesOfPart = (double) bytes / Math.max(1, parts);
        double bytesOfRow = 0;
        double filled = 0;
        long start = from;
        long next = from;
        for (Map.Entry<Long, Double> change : changes.entrySet()) {
            while (next < change.getKey() && ranges.size() < parts - 1) {
                double missing = Math.ceil((bytesOfPart - filled) / bytesOfRow);
                // No bytes, or less than a whole part: nothing to cut here.
                long end = next + (long) Math.min(Math.max(1, missing), to - next + 1);
                if (bytesOfRow <= 0 || end > change.getKey()) {
                    break;
                }
                ranges.add(new Range(start, end - 1));
                start = end;
                next = end;
                filled = 0;
            }
            filled += bytesOfRow * (change.getKey() - next);
            next = change.getKey();
            bytesOfRow += change.getValue();
        }
        if (start <= to) {
            ranges.add(new Range(start, to));
        }
        return ranges;
    }
}
