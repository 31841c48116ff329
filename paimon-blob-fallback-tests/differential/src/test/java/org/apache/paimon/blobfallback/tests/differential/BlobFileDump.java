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

package org.apache.paimon.blobfallback.tests.differential;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.Descriptor;

/**
 * The entries of a blob file, taken apart in the simplest way: the whole file in memory, no checks.
 * It shares no code with what it is a yardstick for.
 */
final class BlobFileDump {

    private static final long PLACEHOLDER = -2;
    private static final int MAGIC_BYTES = 4;
    private static final int OVERHEAD = 16;
    private static final int COLLECTION_HEADER = 9;

    private final byte[] bytes;
    private final ByteBuffer buffer;
    private final List<Long> lengths;
    private final List<Long> offsets = new ArrayList<>();

    private BlobFileDump(byte[] bytes) {
        this.bytes = bytes;
        this.buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int indexEnd = bytes.length - 5;
        this.lengths = varints(indexEnd - buffer.getInt(indexEnd), indexEnd);
        long offset = 0;
        for (long length : lengths) {
            offsets.add(offset);
            offset += Math.max(length, 0);
        }
    }

    static BlobFileDump of(Path file) throws IOException {
        return new BlobFileDump(Files.readAllBytes(file));
    }

    /** Whether an entry leaves its row to an older layer. */
    boolean isPlaceholder(int entry) {
        return lengths.get(entry) == PLACEHOLDER;
    }

    /**
     * The value of an entry.
     *
     * @param type SQL type of the column
     * @param path names the file in descriptors; null for the bytes themselves
     * @return bytes or descriptor, alone or in a list or map; null for a null and a placeholder
     */
    Object value(int entry, String type, String path) {
        long length = lengths.get(entry);
        if (length < 0) {
            return null;
        }
        int start = (int) (offsets.get(entry) + MAGIC_BYTES);
        int end = (int) (offsets.get(entry) + length - OVERHEAD + MAGIC_BYTES);
        if (type.startsWith("ARRAY")) {
            return array(start, end, path);
        }
        if (type.startsWith("MAP")) {
            return map(start, end, type, path);
        }
        return blob(start, end - start, path);
    }

    private Object blob(long start, long length, String path) {
        if (length < 0) {
            return null;
        }
        return path == null
                ? Arrays.copyOfRange(bytes, (int) start, (int) (start + length))
                : new Descriptor(path, start, length);
    }

    private List<Object> array(int start, int end, String path) {
        int indexEnd = end - 4;
        List<Long> elements = varints(indexEnd - buffer.getInt(indexEnd), indexEnd);
        List<Object> array = new ArrayList<>();
        long next = start + COLLECTION_HEADER;
        for (long length : elements) {
            array.add(blob(next, length, path));
            next += Math.max(length, 0);
        }
        return array;
    }

    private Map<Object, Object> map(int start, int end, String type, String path) {
        int indexEnd = end - 8;
        int valuesStart = indexEnd - buffer.getInt(end - 4);
        List<Long> keys = varints(valuesStart - buffer.getInt(end - 8), valuesStart);
        List<Long> values = varints(valuesStart, indexEnd);
        Map<Object, Object> map = new LinkedHashMap<>();
        int nextKey = start + COLLECTION_HEADER;
        long nextValue = nextKey + keys.stream().mapToLong(length -> Math.max(length, 0)).sum();
        for (int i = 0; i < keys.size(); i++) {
            int keyLength = keys.get(i).intValue();
            map.put(key(nextKey, keyLength, type), blob(nextValue, values.get(i), path));
            nextKey += Math.max(keyLength, 0);
            nextValue += Math.max(values.get(i), 0);
        }
        return map;
    }

    private Object key(int start, int length, String type) {
        if (length < 0) {
            return null;
        }
        String keyType = type.substring("MAP<".length(), type.lastIndexOf(','));
        if (keyType.startsWith("DECIMAL")) {
            return decimal(start, length, keyType);
        }
        return switch (keyType) {
            case "BOOLEAN" -> buffer.get(start) != 0;
            case "TINYINT" -> buffer.get(start);
            case "SMALLINT" -> buffer.getShort(start);
            case "INT" -> buffer.getInt(start);
            case "BIGINT" -> buffer.getLong(start);
            case "DATE" -> LocalDate.ofEpochDay(buffer.getInt(start));
            case "BYTES" -> ByteBuffer.wrap(Arrays.copyOfRange(bytes, start, start + length));
            default -> new String(bytes, start, length, StandardCharsets.UTF_8);
        };
    }

    private BigDecimal decimal(int start, int length, String type) {
        boolean isLong = type.startsWith("DECIMAL(10,");
        BigInteger unscaled =
                isLong
                        ? BigInteger.valueOf(buffer.getLong(start))
                        : new BigInteger(bytes, start, length);
        return new BigDecimal(unscaled, Casts.scale(type));
    }

    private List<Long> varints(int from, int to) {
        List<Long> values = new ArrayList<>();
        ByteBuffer slice = buffer.duplicate().position(from).limit(to);
        long value = 0;
        while (slice.hasRemaining()) {
            value += zigZag(varint(slice));
            values.add(value);
        }
        return values;
    }

    private static long varint(ByteBuffer buffer) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = buffer.get();
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private static long zigZag(long value) {
        return (value >>> 1) ^ -(value & 1);
    }
}
