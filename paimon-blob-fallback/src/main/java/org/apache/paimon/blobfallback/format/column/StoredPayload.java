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
import org.apache.paimon.blobfallback.format.entry.BlobEntry;
import org.apache.paimon.data.Blob;

/** A payload that stays in its file; its blobs are references to places there. */
public final class StoredPayload extends Payload {

    public StoredPayload(BlobEntry entry) {
        super(entry);
    }

    @Override
    byte[] read(long position, int length) throws IOException {
        return entry().file().read(entry().payloadOffset() + position, length);
    }

    @Override
    Blob blob(long position, long length) {
        return entry().file().references().at(entry().payloadOffset() + position, length);
    }
}
