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

import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.data.BlobRef;
import org.apache.paimon.utils.UriReader;

/**
 * A blob that is too long for an array. It streams and has a descriptor like others. Asking for its
 * bytes, as engines do that treat blobs as bytes, is an error that says which blob it is and what
 * to do.
 */
public final class LongBlob extends BlobRef {

    @Nullable private String column;
    private long rowId;

    /**
     * @param uriReader opens the file
     * @param descriptor location of the blob
     */
    public LongBlob(UriReader uriReader, BlobDescriptor descriptor) {
        super(uriReader, descriptor);
    }

    /**
     * Tells the blob its place, for the message.
     *
     * @param ofColumn column and table, in words
     * @param ofRow row id of the value that holds the blob
     */
    public void locate(String ofColumn, long ofRow) {
        column = ofColumn;
        rowId = ofRow;
    }

    /**
     * Fails, since no array is long enough.
     *
     * @throws IllegalStateException always; it names row, column, file and length
     */
    @Override
    public byte[] toData() {
        BlobDescriptor descriptor = toDescriptor();
        throw new IllegalStateException(
                String.format(
                        "The blob of %s bytes at position %s of file %s%s is too long for an array,"
                                + " which holds %s bytes at most. Set the option '%s' = 'true' to"
                                + " get descriptors, or read the blob as a stream.",
                        descriptor.length(),
                        descriptor.offset(),
                        descriptor.uri(),
                        column == null ? "" : " (row id " + rowId + ", " + column + ")",
                        BlobFileLayout.MAX_ARRAY_LENGTH,
                        CoreOptions.BLOB_AS_DESCRIPTOR.key()));
    }
}
