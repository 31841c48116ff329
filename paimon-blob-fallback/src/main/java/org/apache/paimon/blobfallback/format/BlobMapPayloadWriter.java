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

import static org.apache.paimon.utils.Preconditions.checkArgument;
import static org.apache.paimon.utils.StreamUtils.intToLittleEndian;
import static org.apache.paimon.utils.StreamUtils.longToLittleEndian;

import java.io.IOException;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalMap;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypeRoot;
import org.apache.paimon.types.MapType;

/**
 * Writes a MAP&lt;K, BLOB&gt; as {@link CollectionLayout} describes it.
 *
 * <p>A map of one entry whose value is a placeholder is a placeholder itself; among other entries
 * there is none.
 */
final class BlobMapPayloadWriter implements PayloadWriter {

    private static final byte[] MAGIC = intToLittleEndian(CollectionLayout.MAP_MAGIC);

    private final boolean sentinelIsPlaceholder;
    private final KeyEncoder keys;

    BlobMapPayloadWriter(MapType type, boolean sentinelIsPlaceholder) {
        checkArgument(
                type.getValueType().is(DataTypeRoot.BLOB),
                "A blob file holds maps to blobs, not %s.",
                type);
        this.sentinelIsPlaceholder = sentinelIsPlaceholder;
        this.keys = keyEncoder(type.getKeyType());
    }

    @Override
    public boolean isPlaceholder(InternalRow row) {
        InternalMap map = row.getMap(0);
        if (map.size() != 1) {
            return false;
        }
        InternalArray values = map.valueArray();
        return !values.isNullAt(0)
                && PayloadWriter.isPlaceholder(values.getBlob(0), sentinelIsPlaceholder);
    }

    @Override
    public boolean write(InternalRow row, EntryOutput out, BlobSink sink) throws IOException {
        InternalMap map = row.getMap(0);
        out.write(MAGIC);
        out.write(new byte[] {CollectionLayout.VERSION});
        out.write(intToLittleEndian(map.size()));

        byte[] keyLengths = writeKeys(map.keyArray(), out);
        BlobIndexEncoder lengths = new BlobIndexEncoder();
        boolean flush = BlobArrayPayloadWriter.writeBlobs(map.valueArray(), out, sink, lengths);
        byte[] valueLengths = lengths.toByteArray();

        out.write(keyLengths);
        out.write(valueLengths);
        out.write(intToLittleEndian(keyLengths.length));
        out.write(intToLittleEndian(valueLengths.length));
        return flush;
    }

    private byte[] writeKeys(InternalArray array, EntryOutput out) throws IOException {
        BlobIndexEncoder lengths = new BlobIndexEncoder();
        for (int i = 0; i < array.size(); i++) {
            if (array.isNullAt(i)) {
                lengths.add(CollectionLayout.NULL_LENGTH);
            } else {
                byte[] key = keys.encode(array, i);
                out.write(key);
                lengths.add(key.length);
            }
        }
        return lengths.toByteArray();
    }

    private static KeyEncoder keyEncoder(DataType type) {
        switch (type.getTypeRoot()) {
            case TINYINT:
                return (array, i) -> new byte[] {array.getByte(i)};
            case SMALLINT:
                return (array, i) -> {
                    short key = array.getShort(i);
                    return new byte[] {(byte) key, (byte) (key >> 8)};
                };
            case INTEGER:
                return (array, i) -> intToLittleEndian(array.getInt(i));
            case BIGINT:
                return (array, i) -> longToLittleEndian(array.getLong(i));
            case CHAR:
            case VARCHAR:
                return (array, i) -> array.getString(i).toBytes();
            default:
                throw new IllegalArgumentException(
                        "A blob file holds maps with integer or character keys, not " + type);
        }
    }

    private interface KeyEncoder {

        byte[] encode(InternalArray keys, int position);
    }
}
