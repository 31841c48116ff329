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
import org.apache.paimon.blobfallback.BlobFallbackOptions;
import org.apache.paimon.options.Options;

/** How entries are read from blob files: the read options of a table, parsed once. */
public final class BlobReadOptions implements Serializable {

    private static final long serialVersionUID = 1L;

    private final boolean verifyChecksum;
    private final int coalesceGap;
    private final int bufferSize;
    private final int parallelism;

    /**
     * @param options of the table
     * @throws IllegalArgumentException if a value is not of the option's kind or out of its range
     */
    public BlobReadOptions(Options options) {
        this.verifyChecksum = options.get(BlobFallbackOptions.VERIFY_CHECKSUM);
        this.coalesceGap =
                BlobFallbackOptions.bytes(options, BlobFallbackOptions.READ_COALESCE_GAP, 0);
        this.bufferSize =
                BlobFallbackOptions.bytes(options, BlobFallbackOptions.READ_BUFFER_SIZE, 1);
        this.parallelism = BlobFallbackOptions.readParallelism(options);
    }

    private BlobReadOptions(
            boolean verifyChecksum, int coalesceGap, int bufferSize, int parallelism) {
        this.verifyChecksum = verifyChecksum;
        this.coalesceGap = coalesceGap;
        this.bufferSize = bufferSize;
        this.parallelism = parallelism;
    }

    /** The same, but each entry's CRC32 is checked. */
    public BlobReadOptions withVerifyChecksum() {
        return new BlobReadOptions(true, coalesceGap, bufferSize, parallelism);
    }

    /** Whether an entry's CRC32 is checked before its bytes are handed out. */
    public boolean verifyChecksum() {
        return verifyChecksum;
    }

    /** Most bytes between two entries of one file that are read along to save a request. */
    public int coalesceGap() {
        return coalesceGap;
    }

    /** Most bytes that are read ahead of the rows that are handed out. */
    public int bufferSize() {
        return bufferSize;
    }

    /** Most requests that are under way at once. */
    public int parallelism() {
        return parallelism;
    }
}
