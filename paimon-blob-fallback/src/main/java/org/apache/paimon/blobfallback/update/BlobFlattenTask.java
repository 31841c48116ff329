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

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.paimon.annotation.Public;
import org.apache.paimon.utils.Range;

/**
 * One column of a group that is to be flattened, or has been: what it is and what the flatten does.
 */
@Public
public final class BlobFlattenTask {

    private final Map<String, String> partition;
    private final Range rowIds;
    private final String column;
    private final int layerCount;
    private final List<String> files;
    private final long bytesKept;
    private final long bytesDropped;

    BlobFlattenTask(
            Map<String, String> partition,
            Range rowIds,
            String column,
            int layerCount,
            List<String> files,
            long bytesKept,
            long bytesDropped) {
        this.partition = Collections.unmodifiableMap(partition);
        this.rowIds = rowIds;
        this.column = column;
        this.layerCount = layerCount;
        this.files = Collections.unmodifiableList(files);
        this.bytesKept = bytesKept;
        this.bytesDropped = bytesDropped;
    }

    /** The values of the group's partition as text, null for null; empty if the table has none. */
    public Map<String, String> partition() {
        return partition;
    }

    /** The group's row ids, both ends included. */
    public Range rowIds() {
        return rowIds;
    }

    /** Name of the column. */
    public String column() {
        return column;
    }

    /** Number of layers that become one. */
    public int layerCount() {
        return layerCount;
    }

    /** Names of the files that are replaced. */
    public List<String> files() {
        return files;
    }

    /** Bytes of the entries that are kept. */
    public long bytesKept() {
        return bytesKept;
    }

    /** Bytes of the replaced files that are not kept: superseded entries and old indexes. */
    public long bytesDropped() {
        return bytesDropped;
    }

    @Override
    public String toString() {
        return String.format(
                "column %s, row ids %s to %s%s: %s layers in %s files, keeps %s bytes, drops %s"
                        + " bytes",
                column,
                rowIds.from,
                rowIds.to,
                partition.isEmpty() ? "" : ", partition " + partition,
                layerCount,
                files.size(),
                bytesKept,
                bytesDropped);
    }
}
