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

import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.utils.UriReader;

/** Blobs of one file that are returned without their bytes. */
public final class BlobReferences {

    private final String uri;
    private final UriReader reader;

    BlobReferences(FileIO fileIO, Path path) {
        this.uri = path.toString();
        this.reader = UriReader.fromFile(fileIO);
    }

    /**
     * A blob of the file; the file is not opened before its bytes are read.
     *
     * @param offset of its first byte in the file
     * @param length in bytes
     */
    public Blob at(long offset, long length) {
        BlobDescriptor descriptor = new BlobDescriptor(uri, offset, length);
        return length > BlobFileLayout.MAX_ARRAY_LENGTH
                ? new LongBlob(reader, descriptor)
                : Blob.fromDescriptor(reader, descriptor);
    }
}
