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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The entries of a blob file, taken apart in the simplest way: the whole file in memory, no checks.
 * It shares no code with what it is a yardstick for.
 */
final class BlobFileDump {

    static final long NULL = -1;
    static final long PLACEHOLDER = -2;

    private static final int MAGIC_BYTES = 4;
    private static final int OVERHEAD = 16;

    private final byte[] bytes;
    private final List<Long> lengths = new ArrayList<>();
    private final List<Long> offsets = new ArrayList<>();

    private BlobFileDump(byte[] bytes) {
        this.bytes = bytes;
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int indexEnd = bytes.length - 5;
        buffer.position(indexEnd - buffer.getInt(indexEnd));
        long length = 0;
        long offset = 0;
        while (buffer.position() < indexEnd) {
            length += zigZag(varint(buffer));
            lengths.add(length);
            offsets.add(offset);
            offset += Math.max(length, 0);
        }
    }

    static BlobFileDump of(Path file) throws IOException {
        return new BlobFileDump(Files.readAllBytes(file));
    }

    /** Payload length of an entry, {@link #NULL} or {@link #PLACEHOLDER}. */
    long payloadLength(int entry) {
        long length = lengths.get(entry);
        return length < 0 ? length : length - OVERHEAD;
    }

    /** Position of an entry's payload in the file. */
    long payloadOffset(int entry) {
        return offsets.get(entry) + MAGIC_BYTES;
    }

    /** An entry's payload, null if it is null or a placeholder. */
    byte[] payload(int entry) {
        if (payloadLength(entry) < 0) {
            return null;
        }
        int from = (int) payloadOffset(entry);
        return Arrays.copyOfRange(bytes, from, from + (int) payloadLength(entry));
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
