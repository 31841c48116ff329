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
 * A live data file of a table.
 *
 * @param path where it is
 * @param partition values of the partition columns
 * @param firstRowId the row id of its first row
 * @param rowCount how many rows it has
 * @param minSequenceNumber its minimum sequence number
 * @param maxSequenceNumber its maximum sequence number
 * @param schemaId the schema it was written with
 * @param columnIds field ids of the columns that it holds
 */
public record DataFile(
        String path,
        List<Object> partition,
        long firstRowId,
        long rowCount,
        long minSequenceNumber,
        long maxSequenceNumber,
        long schemaId,
        List<Integer> columnIds) {

    /** The file's name without its folder. */
    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Whether it is a blob file. */
    public boolean isBlob() {
        return path.endsWith(".blob");
    }

    /** Whether it holds columns of a normal format, in the rows of a whole group. */
    public boolean isNormal() {
        return !isBlob() && !name().contains(".vector.");
    }

    /** The row id of its last row. */
    public long lastRowId() {
        return firstRowId + rowCount - 1;
    }
}
