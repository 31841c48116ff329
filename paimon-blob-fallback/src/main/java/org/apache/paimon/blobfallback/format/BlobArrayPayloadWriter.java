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

import static org.apache.paimon.utils.Preconditions.checkArgument;
import static org.apache.paimon.utils.StreamUtils.intToLittleEndian;

import java.io.IOException;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.types.ArrayType;
import org.apache.paimon.types.DataTypeRoot;

/**
 * Writes an ARRAY&lt;BLOB&gt; as {@link CollectionLayout} describes it.
 *
 * <p>An array of one element that is a placeholder is a placeholder itself; among other elements
 * there is none.
 */
final class BlobArrayPayloadWriter implements PayloadWriter {

    private static final byte[] MAGIC = intToLittleEndian(CollectionLayout.ARRAY_MAGIC);

    private final boolean sentinelIsPlaceholder;

    BlobArrayPayloadWriter(ArrayType type, boolean sentinelIsPlaceholder) {
        checkArgument(
                type.getElementType().is(DataTypeRoot.BLOB),
                "A blob file holds arrays of blobs, not %s.",
                type);
        this.sentinelIsPlaceholder = sentinelIsPlaceholder;
    }

    @Override
    public boolean isPlaceholder(InternalRow row) {
        InternalArray array = row.getArray(0);
        return array.size() == 1
                && !array.isNullAt(0)
                && PayloadWriter.isPlaceholder(array.getBlob(0), sentinelIsPlaceholder);
    }

    @Override
    public boolean write(InternalRow row, EntryOutput out, BlobSink sink) throws IOException {
        InternalArray array = row.getArray(0);
        out.write(MAGIC);
        out.write(new byte[] {CollectionLayout.VERSION});
        out.write(intToLittleEndian(array.size()));
        BlobIndexEncoder lengths = new BlobIndexEncoder();
        boolean flush = writeBlobs(array, out, sink, lengths);
        byte[] encodedLengths = lengths.toByteArray();
        out.write(encodedLengths);
        out.write(intToLittleEndian(encodedLengths.length));
        return flush;
    }

    /** Writes the blobs of an array one behind the other and collects their lengths. */
    static boolean writeBlobs(
            InternalArray blobs, EntryOutput out, BlobSink sink, BlobIndexEncoder lengths)
            throws IOException {
        boolean flush = false;
        for (int i = 0; i < blobs.size(); i++) {
            Blob blob = blobs.isNullAt(i) ? null : blobs.getBlob(i);
            if (blob == null) {
                lengths.add(CollectionLayout.NULL_LENGTH);
                continue;
            }
            checkArgument(
                    blob != BlobPlaceholder.INSTANCE,
                    "Element %s of %s is a placeholder: expected a blob or null.",
                    i,
                    blobs.size());
            long position = out.position();
            long length = out.copy(blob);
            lengths.add(length);
            flush |= sink.accept(position, length);
        }
        return flush;
    }
}
