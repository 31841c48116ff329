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
 * Bytes of a blob file by position: the requests ({@code BlobFileInput}), an open stream ({@code
 * FileStream}), the idle streams that stay open ({@code StreamPool}), the file in its storage
 * ({@code StoredFile}), the counters ({@code ReadCounts}, {@code BlobReadMetrics}), the threads
 * that read ({@code ReadThreads}), the read options, and the exceptions, which tell apart a file
 * that is corrupt, one that is too new, and a storage that has failed. Nothing here depends on the
 * meaning of the bytes, except that a {@code BlobFileInput} keeps the frame of its file's entries.
 */
package org.apache.paimon.blobfallback.format.io;
