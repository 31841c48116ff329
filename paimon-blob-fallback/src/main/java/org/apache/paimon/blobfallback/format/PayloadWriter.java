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

package org.apache.paimon.blobfallback.format;

import java.io.IOException;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.BlobData;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.types.ArrayType;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.MapType;

/** Writes the values of one column type as payloads of a blob file. */
interface PayloadWriter {

    /** Whether the row's value, which is not null, is a placeholder. */
    boolean isPlaceholder(InternalRow row);

    /**
     * Writes the row's value, which is neither null nor a placeholder.
     *
     * @param sink is told of each blob in the value, once it is written
     * @return whether the sink asked for a flush
     */
    boolean write(InternalRow row, EntryOutput out, BlobSink sink) throws IOException;

    /** Is told where a blob has been written. */
    interface BlobSink {

        /**
         * @param position of the blob's first byte in the file
         * @param length of the blob in bytes
         * @return whether what is written should be flushed
         */
        boolean accept(long position, long length);
    }

    /**
     * The writer for a column.
     *
     * @throws IllegalArgumentException if a blob file cannot hold the type
     */
    static PayloadWriter of(DataType type, boolean sentinelIsPlaceholder) {
        switch (type.getTypeRoot()) {
            case BLOB:
                return new BlobPayloadWriter(sentinelIsPlaceholder);
            case ARRAY:
                return new BlobArrayPayloadWriter((ArrayType) type, sentinelIsPlaceholder);
            case MAP:
                return new BlobMapPayloadWriter((MapType) type, sentinelIsPlaceholder);
            default:
                throw new IllegalArgumentException(
                        "A blob file holds a BLOB, ARRAY<BLOB> or MAP<K, BLOB> column, not "
                                + type);
        }
    }

    /** Whether a blob stands for a placeholder, by reference or, if asked for, by its bytes. */
    static boolean isPlaceholder(Blob blob, boolean sentinelIsPlaceholder) {
        return blob == BlobPlaceholder.INSTANCE
                // What was copied by value is in memory; a blob elsewhere is not fetched to see.
                || (sentinelIsPlaceholder
                        && blob instanceof BlobData
                        && BlobPlaceholder.isSentinel(blob.toData()));
    }
}
