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

/**
 * The blob file: how it is written and read, and how its bytes are fetched.
 *
 * <pre>
 * file    := entry* index footer
 * entry   := header payload trailer, see below
 * index   := the lengths of the entries, delta-varint encoded
 * footer  := length of the index (4, LE) version (1)
 * </pre>
 *
 * <p>The version in the footer chooses the {@code EntryFrame}, which makes and checks the bytes
 * around a payload. The content of a column's payloads is defined by its {@link
 * org.apache.paimon.blobfallback.format.column.BlobColumnType}, and the keys of a map by the {@link
 * org.apache.paimon.blobfallback.format.column.MapKey}. So a new version, a new column type and a
 * new key type each need one class.
 *
 * <p>This package has what all the others need: the layout of the file ({@code BlobFileLayout}),
 * the bytes around a payload ({@code EntryFrame}), and the placeholder as a value. The other
 * packages, each of which uses only those above it:
 *
 * <ul>
 *   <li>{@code io}: bytes of a file by position, the streams that are kept for them, and the
 *       exceptions;
 *   <li>{@code index}: the lengths of the entries, read and written;
 *   <li>{@code entry}: entries in files, read many at a time, copied and written;
 *   <li>{@code column}: the payloads of a column, read and written;
 *   <li>{@code file}: whole files, and their file format for the host.
 * </ul>
 */
package org.apache.paimon.blobfallback.format;
