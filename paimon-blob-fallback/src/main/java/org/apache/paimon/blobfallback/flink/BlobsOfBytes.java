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

package org.apache.paimon.blobfallback.flink;

import java.io.Serializable;
import javax.annotation.Nullable;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.utils.UriReaderFactory;

/** Makes blobs of bytes as the host's writes do: those of a descriptor stand for what it names. */
final class BlobsOfBytes implements Serializable {

    /** The type of bytes, some of which may be null, one behind the other. */
    static final TypeInformation<byte[][]> TYPE =
            Types.OBJECT_ARRAY(PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

    private static final long serialVersionUID = 1L;

    private final UriReaderFactory files;

    private transient long length;

    /**
     * @param files opens what descriptors name
     */
    BlobsOfBytes(UriReaderFactory files) {
        this.files = files;
    }

    @Nullable
    Blob blob(@Nullable byte[] bytes) {
        if (bytes == null) {
            return null;
        }
        if (!BlobDescriptor.isBlobDescriptor(bytes)) {
            length += bytes.length;
            return Blob.fromData(bytes);
        }
        BlobDescriptor descriptor = BlobDescriptor.deserialize(bytes);
        // A descriptor may leave its length open.
        length += Math.max(0, descriptor.length());
        return Blob.fromDescriptor(files.create(descriptor.uri()), descriptor);
    }

    /** A blob, or null, for each of some bytes. */
    Blob[] blobs(byte[][] bytes) {
        Blob[] blobs = new Blob[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            blobs[i] = blob(bytes[i]);
        }
        return blobs;
    }

    /** Bytes of the blobs that were made so far, as far as descriptors say theirs. */
    long length() {
        return length;
    }

    /** How many bytes there are in all. */
    static long length(byte[][] bytes) {
        long length = 0;
        for (byte[] element : bytes) {
            length += element == null ? 0 : element.length;
        }
        return length;
    }
}
