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
import org.apache.paimon.data.InternalRow;

/** Writes a BLOB: the payload is the blob's bytes. */
final class BlobPayloadWriter implements PayloadWriter {

    private final boolean sentinelIsPlaceholder;

    BlobPayloadWriter(boolean sentinelIsPlaceholder) {
        this.sentinelIsPlaceholder = sentinelIsPlaceholder;
    }

    @Override
    public boolean isPlaceholder(InternalRow row) {
        return PayloadWriter.isPlaceholder(row.getBlob(0), sentinelIsPlaceholder);
    }

    @Override
    public boolean write(InternalRow row, EntryOutput out, BlobSink sink) throws IOException {
        long position = out.position();
        return sink.accept(position, out.copy(row.getBlob(0)));
    }
}
