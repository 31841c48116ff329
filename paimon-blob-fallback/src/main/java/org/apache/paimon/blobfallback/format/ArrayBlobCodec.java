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

import java.io.IOException;

/** An ARRAY&lt;BLOB&gt; column, as {@link CollectionLayout} describes its payloads. */
final class ArrayBlobCodec implements BlobElementCodec {

    static final ArrayBlobCodec INSTANCE = new ArrayBlobCodec();

    private ArrayBlobCodec() {}

    @Override
    public Object decode(BlobEntries entries, int row, byte[] payload) throws IOException {
        return read(new LoadedPayload(entries.get(row), payload), false);
    }

    @Override
    public Object describe(BlobEntry entry, boolean asDescriptor, OpenBlobFiles openFiles)
            throws IOException {
        return read(new StoredPayload(entry, openFiles), asDescriptor);
    }

    @Override
    public Object placeholder() {
        return new BlobArray(new Object[] {BlobPlaceholder.INSTANCE}, false);
    }

    private static BlobArray read(Payload payload, boolean asDescriptor) throws IOException {
        CollectionReader reader =
                new CollectionReader(payload, "an array", CollectionLayout.ARRAY_MAGIC, 1);
        reader.checkEnd(reader.end(0, "element", CollectionLayout.HEADER_LENGTH));
        return BlobArray.of(
                payload, CollectionLayout.HEADER_LENGTH, reader.lengths(0), asDescriptor);
    }
}
