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

package org.apache.paimon.blobfallback.engine;

import java.io.Serializable;
import javax.annotation.Nullable;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.fs.Path;
import org.apache.paimon.utils.UriReader;
import org.apache.paimon.utils.UriReaderFactory;

/**
 * Makes blobs from bytes as the host's writes do: bytes of a descriptor stand for what it names.
 */
public final class BlobsOfBytes implements Serializable {

    private static final long serialVersionUID = 1L;

    private final UriReaderFactory files;

    private transient long length;

    /**
     * @param files opens what descriptors name
     */
    public BlobsOfBytes(UriReaderFactory files) {
        this.files = files;
    }

    /**
     * A blob of bytes, or of what they name if they are a descriptor; null for null.
     *
     * @throws IllegalArgumentException if they are a descriptor whose path or address is not valid
     */
    @Nullable
    public Blob blob(@Nullable byte[] bytes) {
        if (bytes == null) {
            return null;
        }
        if (!BlobDescriptor.isBlobDescriptor(bytes)) {
            length += bytes.length;
            return Blob.fromData(bytes);
        }
        BlobDescriptor descriptor = BlobDescriptor.deserialize(bytes);
        // A descriptor may have no length.
        length += Math.max(0, descriptor.length());
        return Blob.fromDescriptor(reader(descriptor.uri()), descriptor);
    }

    /**
     * The reader of what a descriptor names. The host chooses it by scheme and authority, and
     * requires an address with escaped special characters. Paths of files in the host's descriptors
     * are not escaped, and its reader of files takes them unescaped.
     */
    private UriReader reader(String uri) {
        try {
            return files.create(isUrl(uri) ? uri : new Path(uri).toUri().toString());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    String.format(
                            "A descriptor names %s, which is not a %s.",
                            // The rest may hold a password.
                            uri.split("\\?", 2)[0], isUrl(uri) ? "URL" : "path of a file"),
                    e);
        }
    }

    private static boolean isUrl(String uri) {
        return uri.startsWith("http://") || uri.startsWith("https://");
    }

    /** A blob, or null, for each array of bytes. */
    public Blob[] blobs(byte[][] bytes) {
        Blob[] blobs = new Blob[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            blobs[i] = blob(bytes[i]);
        }
        return blobs;
    }

    /** Total bytes of the blobs made so far; descriptors without a length count nothing. */
    public long length() {
        return length;
    }

    /** Total number of bytes. */
    public static long length(byte[][] bytes) {
        long length = 0;
        for (byte[] element : bytes) {
            length += element == null ? 0 : element.length;
        }
        return length;
    }
}
