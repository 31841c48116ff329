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

package org.apache.paimon.blobfallback.format.io;

import java.io.Serializable;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.options.Options;

/** How entries are read from blob files: the read options of a table, parsed once. */
public final class BlobReadOptions implements Serializable {

    private static final long serialVersionUID = 1L;

    private final boolean verifyChecksum;
    private final int coalesceGap;
    private final int bufferSize;
    private final int parallelism;
    private final long indexCacheBytes;
    private final boolean goesOn;

    /**
     * @param options of the table
     * @throws IllegalArgumentException if a value has the wrong type or is out of range
     */
    public BlobReadOptions(Options options) {
        this.verifyChecksum = options.get(BlobFallbackOptions.VERIFY_CHECKSUM);
        this.coalesceGap =
                BlobFallbackOptions.bytes(options, BlobFallbackOptions.READ_COALESCE_GAP, 0);
        this.bufferSize =
                BlobFallbackOptions.bytes(options, BlobFallbackOptions.READ_BUFFER_SIZE, 1);
        this.parallelism = BlobFallbackOptions.readParallelism(options);
        this.indexCacheBytes = options.get(BlobFallbackOptions.READER_INDEX_CACHE).getBytes();
        this.goesOn = true;
    }

    private BlobReadOptions(
            boolean verifyChecksum,
            int coalesceGap,
            int bufferSize,
            int parallelism,
            long indexCacheBytes,
            boolean goesOn) {
        this.verifyChecksum = verifyChecksum;
        this.coalesceGap = coalesceGap;
        this.bufferSize = bufferSize;
        this.parallelism = parallelism;
        this.indexCacheBytes = indexCacheBytes;
        this.goesOn = goesOn;
    }

    /** The same, but each entry's CRC32 is checked. */
    public BlobReadOptions withVerifyChecksum() {
        return new BlobReadOptions(
                true, coalesceGap, bufferSize, parallelism, indexCacheBytes, goesOn);
    }

    /**
     * The same, but no read continues where another one of the file has ended, see {@link #goesOn}.
     */
    public BlobReadOptions forSingleRows() {
        return new BlobReadOptions(
                verifyChecksum, coalesceGap, bufferSize, parallelism, indexCacheBytes, false);
    }

    /**
     * Whether the bytes between the end of the read before and the next entry may be read, as those
     * between two entries, so that a stream goes on. True where files are read from their start to
     * their end.
     */
    public boolean goesOn() {
        return goesOn;
    }

    /** Whether an entry's CRC32 is checked before its bytes are handed out. */
    public boolean verifyChecksum() {
        return verifyChecksum;
    }

    /** Maximum number of bytes between two entries of one file that are read to save a request. */
    public int coalesceGap() {
        return coalesceGap;
    }

    /** Maximum number of bytes that are read ahead of the current row. */
    public int bufferSize() {
        return bufferSize;
    }

    /** Maximum number of bytes of the indexes that a reader of single rows keeps. */
    public long indexCacheBytes() {
        return indexCacheBytes;
    }

    /** Maximum number of concurrent requests. */
    public int parallelism() {
        return parallelism;
    }
}
