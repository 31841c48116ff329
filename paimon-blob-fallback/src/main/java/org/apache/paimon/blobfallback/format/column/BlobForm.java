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

import javax.annotation.Nullable;

/** What of a row's blobs is handed out. */
public final class BlobForm {

    /** All bytes of each blob. */
    public static final BlobForm BYTES = new BlobForm(false, null);

    /** The place of each blob; no bytes are read before somebody asks a blob for them. */
    public static final BlobForm DESCRIPTORS = new BlobForm(true, null);

    private final boolean descriptors;
    @Nullable private final Part part;

    private BlobForm(boolean descriptors, @Nullable Part part) {
        this.descriptors = descriptors;
        this.part = part;
    }

    /** Blobs as descriptors, or as their bytes. */
    public static BlobForm of(boolean asDescriptor) {
        return asDescriptor ? DESCRIPTORS : BYTES;
    }

    /**
     * The bytes of a part of each blob, which nothing is checked of. It is shorter where the blob
     * ends before the part does, and empty where the blob ends before the part starts.
     *
     * @param offset in the blob, in bytes, from 0
     * @param length in bytes
     */
    public static BlobForm part(long offset, int length) {
        return new BlobForm(false, new Part(offset, length));
    }

    boolean isDescriptors() {
        return descriptors;
    }

    /** Null for the whole. */
    @Nullable
    Part part() {
        return part;
    }

    /** Some bytes of a blob. */
    static final class Part {

        final long offset;
        final int length;

        private Part(long offset, int length) {
            this.offset = offset;
            this.length = length;
        }
    }
}
