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

import static org.apache.paimon.blobfallback.format.CollectionLayout.HEADER_LENGTH;
import static org.apache.paimon.blobfallback.format.CollectionLayout.NULL_LENGTH;

import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.types.DataType;

/** A MAP&lt;K, BLOB&gt; column, as {@link CollectionLayout} describes its payloads. */
final class MapBlobCodec implements BlobElementCodec {

    private static final int ANY_LENGTH = -1;

    private final int keyLength;
    private final KeyDecoder keys;

    /**
     * @param keyType integer or character type
     * @throws IllegalArgumentException if it is of another kind
     */
    MapBlobCodec(DataType keyType) {
        switch (keyType.getTypeRoot()) {
            case TINYINT:
                keyLength = Byte.BYTES;
                keys = (bytes, start, length) -> bytes[start];
                break;
            case SMALLINT:
                keyLength = Short.BYTES;
                keys =
                        (bytes, start, length) ->
                                (short) ((bytes[start] & 0xFF) | bytes[start + 1] << Byte.SIZE);
                break;
            case INTEGER:
                keyLength = Integer.BYTES;
                keys = (bytes, start, length) -> BlobFileLayout.intAt(bytes, start);
                break;
            case BIGINT:
                keyLength = Long.BYTES;
                keys = (bytes, start, length) -> BlobFileLayout.longAt(bytes, start);
                break;
            case CHAR:
            case VARCHAR:
                keyLength = ANY_LENGTH;
                keys = BinaryString::fromBytes;
                break;
            default:
                throw new IllegalArgumentException(
                        "A blob file holds maps with integer or character keys, not " + keyType);
        }
    }

    @Override
    public Object decode(BlobEntries entries, int row, byte[] payload) throws IOException {
        return read(new LoadedPayload(entries.get(row), payload), false);
    }

    @Override
    public Object describe(BlobEntry entry, boolean asDescriptor, OpenBlobFiles openFiles)
            throws IOException {
        return read(new StoredPayload(entry, openFiles), asDescriptor);
    }

    @Override
    public Object placeholder() {
        return new BlobMap(Collections.singletonMap(null, BlobPlaceholder.INSTANCE), false);
    }

    private BlobMap read(Payload payload, boolean asDescriptor) throws IOException {
        CollectionReader reader =
                new CollectionReader(payload, "a map", CollectionLayout.MAP_MAGIC, 2);
        checkKeyLengths(payload, reader.lengths(0));
        long keysEnd = reader.end(0, "key", HEADER_LENGTH);
        reader.checkEnd(reader.end(1, "value", keysEnd));
        if (keysEnd > BlobFileLayout.MAX_ARRAY_LENGTH) {
            throw payload.corrupt(
                    "the keys of a map take %d bytes, expected no more than %d",
                    keysEnd - HEADER_LENGTH, BlobFileLayout.MAX_ARRAY_LENGTH);
        }
        byte[] keyBytes = payload.read(HEADER_LENGTH, (int) (keysEnd - HEADER_LENGTH));
        BlobArray values = BlobArray.of(payload, keysEnd, reader.lengths(1), asDescriptor);
        // As in Paimon 2.0 the last one wins where a key comes twice.
        Map<Object, Object> map = new LinkedHashMap<>();
        int position = 0;
        for (int i = 0; i < reader.count(); i++) {
            int length = (int) reader.lengths(0)[i];
            map.put(key(keyBytes, position, length), values.blobOrNull(i));
            position += Math.max(0, length);
        }
        return new BlobMap(map, asDescriptor);
    }

    private void checkKeyLengths(Payload payload, long[] lengths) throws IOException {
        if (keyLength == ANY_LENGTH) {
            return;
        }
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] != keyLength && lengths[i] != NULL_LENGTH) {
                throw payload.corrupt(
                        "key %d of a map has %d bytes, expected %d", i, lengths[i], keyLength);
            }
        }
    }

    @Nullable
    private Object key(byte[] bytes, int start, int length) {
        return length == NULL_LENGTH ? null : keys.decode(bytes, start, length);
    }

    private interface KeyDecoder {

        Object decode(byte[] bytes, int start, int length);
    }
}
