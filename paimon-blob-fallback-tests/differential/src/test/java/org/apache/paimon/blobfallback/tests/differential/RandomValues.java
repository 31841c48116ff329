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

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Draws values of column types, the odd ones more often than life does. */
final class RandomValues {

    /** The bytes that the plugin's placeholder has; a user may have them too. */
    private static final byte[] SENTINEL = "\u0001BLOBPLHD".getBytes(StandardCharsets.US_ASCII);

    private final Random random;

    RandomValues(Random random) {
        this.random = random;
    }

    /** A value of an SQL type, null now and then. */
    Object of(String type) {
        if (random.nextInt(8) == 0) {
            return null;
        }
        return switch (type) {
            case "BLOB" -> blob();
            case "STRING" -> Integer.toString(random.nextInt(100_000), 36);
            case "INT" -> random.nextInt();
            case "BIGINT" -> random.nextLong();
            case "DOUBLE" -> random.nextDouble();
            default -> throw new IllegalArgumentException("No values of type " + type);
        };
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
