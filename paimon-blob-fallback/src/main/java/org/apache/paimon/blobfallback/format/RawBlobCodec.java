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

import org.apache.paimon.data.Blob;

/** A BLOB column: the payload is the blob. */
final class RawBlobCodec implements BlobElementCodec {

    static final RawBlobCodec INSTANCE = new RawBlobCodec();

    private RawBlobCodec() {}

    @Override
    public Object decode(BlobEntries entries, int row, byte[] payload) {
        return Blob.fromData(payload);
    }

    @Override
    public Object describe(BlobEntry entry, boolean asDescriptor, OpenBlobFiles openFiles) {
        return BlobElementCodec.reference(entry, entry.payloadOffset(), entry.payloadLength());
    }

    @Override
    public Object placeholder() {
        return BlobPlaceholder.INSTANCE;
    }
}
