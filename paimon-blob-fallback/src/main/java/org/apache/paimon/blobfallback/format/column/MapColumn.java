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

import static org.apache.paimon.blobfallback.format.column.CollectionLayout.HEADER_LENGTH;
import static org.apache.paimon.blobfallback.format.column.CollectionLayout.NULL_LENGTH;
import static org.apache.paimon.utils.Preconditions.checkArgument;
import static org.apache.paimon.utils.StreamUtils.intToLittleEndian;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.BlobPlaceholder;
import org.apache.paimon.blobfallback.format.entry.BlobEntries;
import org.apache.paimon.blobfallback.format.entry.BlobEntry;
import org.apache.paimon.blobfallback.format.entry.EntryOutput;
import org.apache.paimon.blobfallback.format.index.BlobIndexEncoder;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalMap;
import org.apache.paimon.data.InternalRow;

/** A MAP&lt;K, BLOB&gt; column, as {@link CollectionLayout} describes its payloads. */
final class MapColumn extends BlobColumnType {

    private static final byte[] MAGIC = intToLittleEndian(CollectionLayout.MAP_MAGIC);

    private final MapKey key;

    MapColumn(MapKey key) {
        this.key = key;
    }

    @Override
    Object decode(BlobEntries entries, int row, byte[] payload) throws IOException {
        return read(new LoadedPayload(entries.get(row), payload), false);
    }

    @Override
    Object describe(BlobEntry entry, boolean asDescriptor) throws IOException {
        return read(new StoredPayload(entry), asDescriptor);
    }

    private BlobMap read(Payload payload, boolean asDescriptor) throws IOException {
        Keys keys = new Keys(payload);
        BlobArray values = BlobArray.of(payload, keys.end, keys.reader.lengths(1), asDescriptor);
        // As in Paimon 2.0, the last value wins if a key occurs twice.
        Map<Object, Integer> places = new LinkedHashMap<>();
        for (int i = 0; i < keys.keys.length; i++) {
            places.put(identity(keys.keys[i]), i);
        }
        Object[] distinctKeys = new Object[places.size()];
        Object[] blobs = new Object[places.size()];
        int next = 0;
        for (int place : places.values()) {
            distinctKeys[next] = keys.keys[place];
            blobs[next++] = values.blobOrNull(place);
        }
        return new BlobMap(distinctKeys, blobs, asDescriptor);
    }

    @Override
    public void check(Payload payload, Consumer<IOException> faults) throws IOException {
        Object[] keys = new Keys(payload).keys;
        Map<Object, Integer> places = new HashMap<>();
        for (int i = 0; i < keys.length; i++) {
            Integer before = places.putIfAbsent(identity(keys[i]), i);
            if (before != null) {
                faults.accept(
                        payload.corrupt(
                                "key %s of a map is the same as key %s, so a read shows only the"
                                        + " last of the two",
                                i, before));
            }
        }
    }

    @Nullable
    private Object identity(@Nullable Object found) {
        return found == null ? null : key.identity(found);
    }

    @Override
    public Object placeholder() {
        return new BlobMap(new Object[1], new Object[] {BlobPlaceholder.INSTANCE}, false);
    }

    @Override
    public boolean isPlaceholder(InternalRow row, boolean bySentinel) {
        return ArrayColumn.isPlaceholder(row.getMap(0).valueArray(), bySentinel);
    }

    @Override
    public boolean write(InternalRow row, EntryOutput out, BlobSink sink) throws IOException {
        InternalMap map = row.getMap(0);
        byte[][] keys = encode(map.keyArray());
        out.write(MAGIC);
        out.write(new byte[] {CollectionLayout.VERSION});
        out.write(intToLittleEndian(keys.length));
        BlobIndexEncoder keyLengths = new BlobIndexEncoder();
        for (byte[] bytes : keys) {
            keyLengths.add(bytes == null ? NULL_LENGTH : bytes.length);
            if (bytes != null) {
                out.write(bytes);
            }
        }
        BlobIndexEncoder valueLengths = new BlobIndexEncoder();
        boolean flush = ArrayColumn.writeBlobs(map.valueArray(), out, sink, valueLengths);
        byte[] encodedKeyLengths = keyLengths.toByteArray();
        byte[] encodedValueLengths = valueLengths.toByteArray();
        out.write(encodedKeyLengths);
        out.write(encodedValueLengths);
        out.write(intToLittleEndian(encodedKeyLengths.length));
        out.write(intToLittleEndian(encodedValueLengths.length));
        return flush;
    }

    /** The bytes of each key, or null. Maps of the host may hold two keys with equal bytes. */
    private byte[][] encode(InternalArray array) {
        byte[][] keys = new byte[array.size()][];
        Map<ByteBuffer, Integer> places = new HashMap<>();
        for (int i = 0; i < keys.length; i++) {
            keys[i] = array.isNullAt(i) ? null : key.encode(array, i);
            Integer before =
                    places.putIfAbsent(keys[i] == null ? null : ByteBuffer.wrap(keys[i]), i);
            checkArgument(
                    before == null,
                    "Key %s of a map of %s to blobs is the same as key %s.",
                    i,
                    key.type(),
                    before);
        }
        return keys;
    }

    /** The checked keys of a payload. */
    private final class Keys {

        private final Payload payload;
        private final CollectionReader reader;

        /** End of the keys in the payload, exclusive. */
        private final long end;

        private final Object[] keys;

        private Keys(Payload payload) throws IOException {
            this.payload = payload;
            reader = new CollectionReader(payload, "a map", CollectionLayout.MAP_MAGIC, 2);
            checkLengths();
            end = reader.end(0, "key", HEADER_LENGTH);
            reader.checkEnd(reader.end(1, "value", end));
            if (end > BlobFileLayout.MAX_ARRAY_LENGTH) {
                throw payload.corrupt(
                        "the keys of a map take %s bytes, expected no more than %s",
                        end - HEADER_LENGTH, BlobFileLayout.MAX_ARRAY_LENGTH);
            }
            keys = new Object[reader.count()];
            decode(payload.read(HEADER_LENGTH, (int) (end - HEADER_LENGTH)));
        }

        private void checkLengths() throws IOException {
            if (key.length() == MapKey.ANY_LENGTH) {
                return;
            }
            long[] lengths = reader.lengths(0);
            for (int i = 0; i < lengths.length; i++) {
                if (lengths[i] != key.length() && lengths[i] != NULL_LENGTH) {
                    throw payload.corrupt(
                            "key %s of a map has %s bytes, expected %s",
                            i, lengths[i], key.length());
                }
            }
        }

        private void decode(byte[] bytes) throws IOException {
            int position = 0;
            for (int i = 0; i < keys.length; i++) {
                int length = (int) reader.lengths(0)[i];
                if (length != NULL_LENGTH) {
                    keys[i] = key.decode(bytes, position, length);
                    if (keys[i] == null) {
                        throw payload.corrupt(
                                "the %s bytes of key %s of a map are not a valid %s",
                                length, i, key.type());
                    }
                    position += length;
                }
            }
        }
    }
}
