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

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.paimon.blobfallback.format.BlobPlaceholder;
import org.apache.paimon.blobfallback.format.entry.BlobEntries;
import org.apache.paimon.blobfallback.format.entry.BlobEntry;
import org.apache.paimon.blobfallback.format.entry.EntryOutput;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.InternalRow;

/** A BLOB column: the payload is the blob. */
final class RawColumn extends BlobColumnType {

    static final RawColumn INSTANCE = new RawColumn();

    private RawColumn() {}

    @Override
    Object decode(BlobEntries entries, int row, byte[] payload) {
        return Blob.fromData(payload);
    }

    @Override
    Object describe(BlobEntry entry, boolean asDescriptor) {
        return entry.file().references().at(entry.payloadOffset(), entry.payloadLength());
    }

    /** Any bytes are a blob. */
    @Override
    public void check(Payload payload, Consumer<IOException> faults) {}

    @Override
    public Object placeholder() {
        return BlobPlaceholder.INSTANCE;
    }

    @Override
    public boolean isPlaceholder(InternalRow row, boolean bySentinel) {
        return isPlaceholder(row.getBlob(0), bySentinel);
    }

    @Override
    public boolean write(InternalRow row, EntryOutput out, BlobSink sink) throws IOException {
        long position = out.position();
        return sink.accept(position, out.copy(row.getBlob(0)));
    }
}
