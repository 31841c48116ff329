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

/**
 * Names for the numbers in the payloads of arrays of blobs and of maps to blobs, version 1.
 *
 * <pre>
 * array := magic (4, LE) version (1) element count (4, LE)
 *          element bytes*
 *          element lengths, delta-varint encoded
 *          length of the encoded element lengths (4, LE)
 * map   := magic (4, LE) version (1) entry count (4, LE)
 *          key bytes* value bytes*
 *          key lengths, delta-varint encoded
 *          value lengths, delta-varint encoded
 *          length of the encoded key lengths (4, LE)
 *          length of the encoded value lengths (4, LE)
 * </pre>
 *
 * <p>A null key, element or value has the length {@link #NULL_LENGTH} and no bytes. Integer keys
 * are little endian in the width of their type, character keys UTF-8.
 */
final class CollectionLayout {

    /** First four bytes of an array, little endian. */
    static final int ARRAY_MAGIC = 1094861634;

    /** First four bytes of a map, little endian. */
    static final int MAP_MAGIC = 1296188226;

    /** The only version so far, of both. */
    static final byte VERSION = 1;

    /** Bytes of magic, version and count. */
    static final int HEADER_LENGTH = 9;

    /** Bytes of the length of an encoded length list. */
    static final int LENGTH_LENGTH = 4;

    /** Length of a null key, element or value. */
    static final long NULL_LENGTH = -1;

    private CollectionLayout() {}
}
