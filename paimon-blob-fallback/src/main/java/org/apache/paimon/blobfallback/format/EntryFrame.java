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

import java.util.zip.CRC32;
import javax.annotation.Nullable;

/**
 * The bytes around a payload in an entry. They are made and checked only here. There is one class
 * for each version of the format that a footer may name; a new version needs one more class and one
 * more line in {@link #ofVersion}.
 */
public abstract class EntryFrame {

    /** The frame of the files that this plugin writes. */
    public static final EntryFrame WRITTEN = EntryFrameV1.INSTANCE;

    /** Nothing, around bytes that are a part of a payload. */
    public static final EntryFrame NONE = new NoFrame();

    /**
     * The frame of a version.
     *
     * @param version as the footer has it
     * @return null if this plugin does not know the version
     */
    @Nullable
    public static EntryFrame ofVersion(byte version) {
        switch (version) {
            case BlobFileLayout.VERSION:
                return EntryFrameV1.INSTANCE;
            default:
                return null;
        }
    }

    /** The version as a footer has it. */
    public abstract byte version();

    /** Bytes of an entry before its payload. */
    public abstract int headerLength();

    /** Bytes of an entry after its payload. */
    public abstract int trailerLength();

    /** Bytes that an entry takes besides its payload. */
    public final int overhead() {
        return headerLength() + trailerLength();
    }

    /** The bytes before a payload. The caller must not change the array. */
    public abstract byte[] header();

    /**
     * The bytes after a payload.
     *
     * @param length of the whole entry
     * @param checksum of {@link #begin} and the payload; its state is undefined afterwards
     */
    public abstract byte[] trailer(long length, CRC32 checksum);

    /** Starts the checksum of an entry; the payload follows. */
    public abstract void begin(CRC32 checksum);

    /**
     * Checks the bytes before a payload.
     *
     * @param bytes hold the header
     * @param start of the header in them
     * @return what is wrong, null if nothing is
     */
    @Nullable
    public abstract String headerFault(byte[] bytes, int start);

    /**
     * Checks the bytes after a payload, except the checksum.
     *
     * @param bytes hold the trailer
     * @param start of the trailer in them
     * @param length of the whole entry, as its file's index has it
     * @return what is wrong, null if nothing is
     */
    @Nullable
    public abstract String trailerFault(byte[] bytes, int start, long length);

    /**
     * Checks the checksum.
     *
     * @param checksum of {@link #begin} and the payload; its state is undefined afterwards
     * @param bytes hold the trailer
     * @param start of the trailer in them
     * @return what is wrong, null if nothing is
     */
    @Nullable
    public abstract String checksumFault(CRC32 checksum, byte[] bytes, int start);
}
