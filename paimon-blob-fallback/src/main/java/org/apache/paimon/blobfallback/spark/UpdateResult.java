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

/** What an update has done. */
public final class UpdateResult {

    private final long rowCount;
    private final long groupCount;
    private final long bytesWritten;

    UpdateResult(long rowCount, long groupCount, long bytesWritten) {
        this.rowCount = rowCount;
        this.groupCount = groupCount;
        this.bytesWritten = bytesWritten;
    }

    /** Rows that have been updated. */
    public long rowCount() {
        return rowCount;
    }

    /** Groups that have a new layer. */
    public long groupCount() {
        return groupCount;
    }

    /** Bytes of the new files. */
    public long bytesWritten() {
        return bytesWritten;
    }

    @Override
    public String toString() {
        return String.format(
                "row_count=%s group_count=%s bytes_written=%s", rowCount, groupCount, bytesWritten);
    }
}
