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

package org.apache.paimon.blobfallback.testio;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

/** Damages files: flips bits, cuts, repeats and swaps blocks, and lets numbers lie. */
public final class Mutator {

    private static final long[] LIES = {
        0,
        1,
        -1,
        -2,
        -3,
        15,
        16,
        17,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        1L << 40,
        Integer.MAX_VALUE - 4
    };

    /** Where the numbers are that decide about everything else. */
    private static final int TAIL_LENGTH = 24;

    private final Random random;

    /**
     * @param seed repeats the mutants
     */
    public Mutator(long seed) {
        this.random = new Random(seed);
    }

    /** A file with one to three faults. */
    public byte[] mutate(byte[] valid) {
        byte[] mutant = valid.clone();
        for (int faults = 1 + random.nextInt(3); faults > 0 && mutant.length > 0; faults--) {
            mutant = damage(mutant);
        }
        return mutant;
    }

    private byte[] damage(byte[] file) {
        int position = position(file);
        int length = 1 + random.nextInt(Math.min(40, file.length - position));
        switch (random.nextInt(8)) {
            case 0:
                return Arrays.copyOf(file, position);
            case 1:
                return splice(file, position, length, new byte[0]);
            case 2:
                byte[] block = Arrays.copyOfRange(file, position, position + length);
                return splice(file, position, 0, block);
            case 3:
                return swap(file, position, length);
            case 4:
                return lie(file, position, Integer.BYTES);
            case 5:
                return lie(file, position, Long.BYTES);
            case 6:
                file[position] = (byte) random.nextInt();
                return file;
            default:
                file[position] ^= (byte) (1 << random.nextInt(8));
                return file;
        }
    }

    private int position(byte[] file) {
        return random.nextInt(3) == 0
                ? file.length - 1 - random.nextInt(Math.min(TAIL_LENGTH, file.length))
                : random.nextInt(file.length);
    }

    private byte[] swap(byte[] file, int position, int length) {
        int other = random.nextInt(file.length - length + 1);
        byte[] block = Arrays.copyOfRange(file, position, position + length);
        System.arraycopy(file, other, file, position, length);
        System.arraycopy(block, 0, file, other, length);
        return file;
    }

    private byte[] lie(byte[] file, int position, int width) {
        byte[] number =
                ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(LIES[random.nextInt(LIES.length)])
                        .array();
        System.arraycopy(number, 0, file, position, Math.min(width, file.length - position));
        return file;
    }

    private static byte[] splice(byte[] file, int position, int removed, byte[] inserted) {
        return ByteBuffer.allocate(file.length - removed + inserted.length)
                .put(file, 0, position)
                .put(inserted)
                .put(file, position + removed, file.length - position - removed)
                .array();
    }
}
