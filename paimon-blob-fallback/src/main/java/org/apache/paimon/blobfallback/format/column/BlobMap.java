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

package org.apache.paimon.blobfallback.format.column;

import org.apache.paimon.data.GenericArray;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalMap;

/** A map to blobs that also returns its values as bytes, see {@link BlobArray}. */
final class BlobMap implements InternalMap {

    private final GenericArray keys;
    private final BlobArray values;

    /**
     * @param keys distinct; may hold a null; the array is not copied
     * @param blobs in the order of the keys; may hold nulls; the array is not copied
     * @param asDescriptor whether a blob's bytes are those of its descriptor
     */
    BlobMap(Object[] keys, Object[] blobs, boolean asDescriptor) {
        this.keys = new GenericArray(keys);
        this.values = new BlobArray(blobs, asDescriptor);
    }

    /** Tells the long blobs the place of the map, for their messages. */
    void locate(String column, long rowId) {
        values.locate(column, rowId);
    }

    @Override
    public int size() {
        return keys.size();
    }

    @Override
    public InternalArray keyArray() {
        return keys;
    }

    @Override
    public InternalArray valueArray() {
        return values;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BlobMap
                && keys.equals(((BlobMap) other).keys)
                && values.equals(((BlobMap) other).values);
    }

    @Override
    public int hashCode() {
        return 31 * keys.hashCode() + values.hashCode();
    }
}
