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

package org.apache.paimon.blobfallback.tests.bridge;

import java.util.List;

/**
 * A hand-made blob file.
 *
 * @param column the column it belongs to
 * @param firstRowId the row id of its first entry
 * @param sequenceNumber its minimum and maximum sequence number; 0 lets the commit choose
 * @param partition values of the partition columns, empty for a table without partitions
 * @param entries one value a row: bytes (or list or map), null, or {@link Placeholder#UNTOUCHED}
 */
public record BlobFile(
        String column,
        long firstRowId,
        long sequenceNumber,
        List<Object> partition,
        List<Object> entries) {

    /** A file of a table without partitions. */
    public BlobFile(String column, long firstRowId, long sequenceNumber, List<Object> entries) {
        this(column, firstRowId, sequenceNumber, List.of(), entries);
    }
}
