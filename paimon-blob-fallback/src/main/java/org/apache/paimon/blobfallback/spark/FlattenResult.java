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

package org.apache.paimon.blobfallback.spark;

/** What a flatten has done, or would do. */
public final class FlattenResult {

    private long groupCount;
    private long layersBefore;
    private long bytesKept;
    private long bytesDropped;

    FlattenResult() {}

    void add(long[] batch) {
        groupCount += batch[0];
        layersBefore += batch[1];
        bytesKept += batch[2];
        bytesDropped += batch[3];
    }

    /** Groups that have been flattened. */
    public long groupCount() {
        return groupCount;
    }

    /** The layers they had, summed over groups and columns. */
    public long layersBefore() {
        return layersBefore;
    }

    /** Bytes of the entries that were kept and rewritten. */
    public long bytesKept() {
        return bytesKept;
    }

    /** Bytes of the replaced files that were not kept: superseded entries and indexes. */
    public long bytesDropped() {
        return bytesDropped;
    }

    @Override
    public String toString() {
        return String.format(
                "group_count=%s layers_before=%s bytes_kept=%s bytes_dropped=%s",
                groupCount, layersBefore, bytesKept, bytesDropped);
    }
}
