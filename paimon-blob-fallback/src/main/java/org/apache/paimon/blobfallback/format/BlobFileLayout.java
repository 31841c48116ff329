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

/**
 * Names for all numbers in a blob file, version 1, as Apache Paimon 1.4 and 2.0 write it.
 *
 * <pre>
 * file    := entry* index footer
 * entry   := magic (4, LE) payload length (8, LE) crc (4, LE)
 * index   := the entry lengths, delta-varint encoded
 * footer  := index length in bytes (4, LE) version (1)
 * </pre>
 *
 * <p>An entry's length counts all of it: {@link #ENTRY_OVERHEAD} plus its payload. Its CRC32 covers
 * magic, payload and length. A null and a placeholder have a length in the index and no bytes in
 * the data area. All lengths and offsets are in bytes.
 */
public final class BlobFileLayout {

    /** The format's identifier, which is also the extension of its files. */
    public static final String IDENTIFIER = "blob";

    /** The only version so far. */
    public static final byte VERSION = 1;

    /** First four bytes of an entry, little endian. */
    public static final int ENTRY_MAGIC = 1481511375;

    /** Bytes of an entry before its payload: the magic. */
    public static final int ENTRY_HEADER_LENGTH = 4;

    /** Bytes of an entry after its payload: its length and its CRC32. */
    public static final int ENTRY_TRAILER_LENGTH = 12;

    /** Bytes that an entry takes besides its payload. */
    public static final int ENTRY_OVERHEAD = ENTRY_HEADER_LENGTH + ENTRY_TRAILER_LENGTH;

    /** Length in the index of an explicit null. */
    public static final long NULL_LENGTH = -1;

    /** Length in the index of a placeholder: the row's value is in an older layer. */
    public static final long PLACEHOLDER_LENGTH = -2;

    /** Bytes at the end of the file: index length and version. */
    public static final int FOOTER_LENGTH = 5;

    /** Maximum number of bytes of one delta-varint in the index. */
    public static final int MAX_VARINT_LENGTH = 10;

    /** Maximum length of an array that every JVM supports. */
    public static final int MAX_ARRAY_LENGTH = Integer.MAX_VALUE - 8;

    private BlobFileLayout() {}
}
