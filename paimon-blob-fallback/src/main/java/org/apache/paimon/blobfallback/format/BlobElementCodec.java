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
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.MapType;

/** Turns an entry's payload into the value of a blob column. */
public interface BlobElementCodec {

    /**
     * The value from an entry whose payload has been read.
     *
     * @param entries say where the payload lies, to those who want to know
     * @param row of the entry
     * @param payload all of it; the value may keep the array
     * @throws IOException if the payload is not sound; it names the file and the place
     */
    Object decode(BlobEntries entries, int row, byte[] payload) throws IOException;

    /**
     * The value with its blobs left in the file, which reads no blob's bytes.
     *
     * @param entry where the payload lies
     * @param asDescriptor whether blobs are wanted as descriptors; otherwise they are left in the
     *     file because the entry is too long for an array
     * @param openFiles is told if the file is read
     * @throws IOException if the payload is not sound; it names the file and the place
     */
    Object describe(BlobEntry entry, boolean asDescriptor, OpenBlobFiles openFiles)
            throws IOException;

    /** What stands for a placeholder among the column's values. */
    Object placeholder();

    /**
     * The codec of a column.
     *
     * @param type of the column
     * @throws IllegalArgumentException if no blob file can hold a column of that type
     */
    static BlobElementCodec of(DataType type) {
        if (BlobColumns.isBlobColumn(type)) {
            switch (type.getTypeRoot()) {
                case ARRAY:
                    return ArrayBlobCodec.INSTANCE;
                case MAP:
                    return new MapBlobCodec(((MapType) type).getKeyType());
                default:
                    return RawBlobCodec.INSTANCE;
            }
        }
        throw new IllegalArgumentException("A blob file cannot hold a column of type " + type);
    }

    /** A blob that lies somewhere in the entry's file. */
    static Blob reference(BlobEntry entry, long offset, long length) {
        return entry.file().reference(offset, length);
    }
}
