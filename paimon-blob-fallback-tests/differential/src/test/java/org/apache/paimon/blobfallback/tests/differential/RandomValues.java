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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.paimon.blobfallback.tests.bridge.Descriptor;

/** Draws values of column types, the odd ones more often than life does. */
final class RandomValues {

    private static final int PAYLOAD_BYTES = 4096;

    /** The bytes that the plugin's placeholder has; a user may have them too. */
    private static final byte[] SENTINEL = "\u0001BLOBPLHD".getBytes(StandardCharsets.US_ASCII);

    private final Random random;

    private final Path payloads;

    private ViewedTable viewed;

    /**
     * @param folder gets a file that descriptors point into
     */
    RandomValues(Random random, Path folder) throws IOException {
        this.random = random;
        this.payloads = folder.resolve("payloads");
        if (!Files.exists(payloads)) {
            byte[] bytes = new byte[PAYLOAD_BYTES];
            new Random(0).nextBytes(bytes);
            Files.write(payloads, bytes);
        }
    }

    /** Views from now on point to the blobs of this table. */
    void view(ViewedTable table) {
        viewed = table;
    }

    /** A value of a column, null now and then. */
    Object of(ModelColumn column) {
        if (random.nextInt(8) == 0) {
            return null;
        }
        if (column.kind() == ModelColumn.Kind.DESCRIPTOR) {
            int offset = random.nextInt(PAYLOAD_BYTES);
            int length = random.nextInt(Math.min(40, PAYLOAD_BYTES - offset));
            return new Descriptor(payloads.toString(), offset, length);
        }
        if (column.kind() == ModelColumn.Kind.VIEW) {
            return viewed.anyView(random);
        }
        return of(column.type());
    }

    private Object of(String type) {
        return switch (type) {
            case "BLOB" -> blob();
            case "ARRAY<BLOB>" -> array();
            case "VECTOR<FLOAT, 2>" -> List.of(random.nextFloat(), random.nextFloat());
            default -> type.startsWith("MAP") ? map(type) : normal(random, type);
        };
    }

    /**
     * A value of a normal type: the edges of the type and a few values often, so that some meet.
     */
    static Object normal(Random random, String type) {
        if (type.startsWith("DECIMAL")) {
            return BigDecimal.valueOf(integer(random, 30), Casts.scale(type));
        }
        return switch (type) {
            case "STRING" ->
                    random.nextInt(3) == 0
                            ? List.of("", "a", "ab", "-1", "0").get(random.nextInt(5))
                            : Integer.toString(random.nextInt(100_000), 36);
            case "VARCHAR(2)" -> List.of("", "a", "ab", "1", "zz").get(random.nextInt(5));
            case "BYTES" -> ByteBuffer.allocate(2).putShort((short) random.nextInt(3)).array();
            case "BOOLEAN" -> random.nextBoolean();
            case "TINYINT" -> (byte) integer(random, 8);
            case "SMALLINT" -> (short) integer(random, 16);
            case "INT" -> (int) integer(random, 32);
            case "BIGINT" -> integer(random, 64);
            case "FLOAT" -> integer(random, 8) / 2f;
            case "DOUBLE" -> random.nextBoolean() ? integer(random, 8) / 2d : random.nextDouble();
            case "DATE" -> LocalDate.ofEpochDay(integer(random, 15));
            case "TIMESTAMP(3)" -> time(random).truncatedTo(ChronoUnit.MILLIS);
            case "TIMESTAMP(6)" -> time(random);
            default -> throw new IllegalArgumentException("No values of type " + type);
        };
    }

    private static LocalDateTime time(Random random) {
        long second = integer(random, 31);
        // ORC takes a part of the last second before 1970 for one of the first after it.
        return LocalDateTime.ofEpochSecond(second == -1 ? -2 : second, 0, ZoneOffset.UTC)
                .plus(random.nextInt(3) * 1001L, ChronoUnit.MICROS);
    }

    private static long integer(Random random, int bits) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(5) - 2;
            case 1 -> (random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE) >> (64 - bits);
            default -> random.nextLong() >> (64 - bits);
        };
    }

    private List<Object> array() {
        List<Object> array = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            array.add(random.nextInt(5) == 0 ? null : blob());
        }
        return array;
    }

    private Map<Object, Object> map(String type) {
        String keyType = type.substring("MAP<".length(), type.lastIndexOf(','));
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            Object key = of(keyType);
            map.put(
                    key instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : key,
                    random.nextInt(5) == 0 ? null : blob());
        }
        return map;
    }

    private byte[] blob() {
        int kind = random.nextInt(20);
        if (kind == 0) {
            return SENTINEL.clone();
        }
        int length = kind < 3 ? 0 : kind < 5 ? 100 + random.nextInt(500) : 4 + random.nextInt(20);
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
