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

import static org.apache.paimon.utils.Preconditions.checkArgument;
import static org.apache.paimon.utils.StreamUtils.intToLittleEndian;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.paimon.blobfallback.format.BlobPlaceholder;
import org.apache.paimon.blobfallback.format.entry.BlobEntries;
import org.apache.paimon.blobfallback.format.entry.BlobEntry;
import org.apache.paimon.blobfallback.format.entry.EntryOutput;
import org.apache.paimon.blobfallback.format.index.BlobIndexEncoder;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalRow;

/** An ARRAY&lt;BLOB&gt; column, as {@link CollectionLayout} describes its payloads. */
final class ArrayColumn extends BlobColumnType {

    static final ArrayColumn INSTANCE = new ArrayColumn();

    private static final byte[] MAGIC = intToLittleEndian(CollectionLayout.ARRAY_MAGIC);

    private ArrayColumn() {}

    @Override
    Object decode(BlobEntries entries, int row, byte[] payload) throws IOException {
        return read(new LoadedPayload(entries.get(row), payload), false);
    }

    @Override
    Object describe(BlobEntry entry, boolean asDescriptor) throws IOException {
        return read(new StoredPayload(entry), asDescriptor);
    }

    private static BlobArray read(Payload payload, boolean asDescriptor) throws IOException {
        return BlobArray.of(
                payload, CollectionLayout.HEADER_LENGTH, lengths(payload), asDescriptor);
    }

    /** The checked lengths of the elements. */
    private static long[] lengths(Payload payload) throws IOException {
        CollectionReader reader =
                new CollectionReader(payload, "an array", CollectionLayout.ARRAY_MAGIC, 1);
        reader.checkEnd(reader.end(0, "element", CollectionLayout.HEADER_LENGTH));
        return reader.lengths(0);
    }

    @Override
    public void check(Payload payload, Consumer<IOException> faults) throws IOException {
        lengths(payload);
    }

    @Override
    public Object placeholder() {
        return new BlobArray(new Object[] {BlobPlaceholder.INSTANCE}, false);
    }

    @Override
    public boolean isPlaceholder(InternalRow row, boolean bySentinel) {
        return isPlaceholder(row.getArray(0), bySentinel);
    }

    /** Whether an array of blobs stands for a placeholder. */
    static boolean isPlaceholder(InternalArray blobs, boolean bySentinel) {
        return blobs.size() == 1
                && !blobs.isNullAt(0)
                && isPlaceholder(blobs.getBlob(0), bySentinel);
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

    /** Writes the blobs of an array one after the other and collects their lengths. */
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
