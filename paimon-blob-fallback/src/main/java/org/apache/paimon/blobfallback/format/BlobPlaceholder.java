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

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.fs.ByteArraySeekableStream;
import org.apache.paimon.fs.SeekableInputStream;

/**
 * The value that stands for a placeholder entry: the row's bytes are in an older layer.
 *
 * <p>Inside one JVM a placeholder is this {@link #INSTANCE}, by reference. Where a row is copied by
 * value (a shuffle between tasks), only its bytes are left: the nine bytes {@code 0x01 "BLOBPLHD"}.
 * The writer takes those bytes for a placeholder only with the internal option {@code
 * blob.internal.write-placeholder}; otherwise they are a user's bytes like any others.
 */
public final class BlobPlaceholder implements Blob, Serializable {

    /** The only instance. */
    public static final BlobPlaceholder INSTANCE = new BlobPlaceholder();

    private static final long serialVersionUID = 1L;

    private static final byte[] SENTINEL = sentinel();

    private BlobPlaceholder() {}

    /**
     * Whether these are the bytes that stand for a placeholder by value.
     *
     * @param data a blob's bytes
     */
    public static boolean isSentinel(byte[] data) {
        return Arrays.equals(SENTINEL, data);
    }

    /** Number of bytes that {@link #toData()} returns. */
    public static int sentinelLength() {
        return SENTINEL.length;
    }

    /** The bytes that stand for a placeholder by value; the caller may keep the array. */
    @Override
    public byte[] toData() {
        return SENTINEL.clone();
    }

    /**
     * A placeholder is in no file.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public BlobDescriptor toDescriptor() {
        throw new UnsupportedOperationException(
                "A blob placeholder has no descriptor: its bytes are in an older layer.");
    }

    @Override
    public SeekableInputStream newInputStream() {
        return new ByteArraySeekableStream(SENTINEL);
    }

    private Object readResolve() {
        return INSTANCE;
    }

    private static byte[] sentinel() {
        byte[] name = "BLOBPLHD".getBytes(StandardCharsets.US_ASCII);
        byte[] sentinel = new byte[1 + name.length];
        sentinel[0] = 1;
        System.arraycopy(name, 0, sentinel, 1, name.length);
        return sentinel;
    }
}
