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

package org.apache.paimon.blobfallback.tests.s3;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.paimon.blobfallback.tests.bridge.ObjectStore.Get;
import org.jclouds.blobstore.BlobStore;
import org.jclouds.blobstore.domain.Blob;
import org.jclouds.blobstore.domain.BlobMetadata;
import org.jclouds.blobstore.domain.internal.BlobImpl;
import org.jclouds.blobstore.options.GetOptions;
import org.jclouds.blobstore.util.ForwardingBlobStore;
import org.jclouds.io.payloads.DelegatingPayload;

/** Records which bytes of which object the server requests. */
final class CountingBlobStore extends ForwardingBlobStore {

    private final List<Request> requests = new ArrayList<>();
    private final AtomicInteger heads = new AtomicInteger();

    CountingBlobStore(BlobStore blobs) {
        super(blobs);
    }

    void reset() {
        synchronized (requests) {
            requests.clear();
        }
        heads.set(0);
    }

    List<Get> gets() {
        synchronized (requests) {
            return requests.stream().map(Request::get).toList();
        }
    }

    int heads() {
        return heads.get();
    }

    @Override
    public BlobMetadata blobMetadata(String container, String name) {
        heads.incrementAndGet();
        return super.blobMetadata(container, name);
    }

    @Override
    public Blob getBlob(String container, String name) {
        return getBlob(container, name, GetOptions.NONE);
    }

    @Override
    public Blob getBlob(String container, String name, GetOptions options) {
        Blob blob = super.getBlob(container, name, options);
        if (blob == null) {
            return null;
        }
        long length = blob.getMetadata().getContentMetadata().getContentLength();
        Request request = new Request(name, firstByte(options), length);
        synchronized (requests) {
            requests.add(request);
        }
        // A blob closes its payload when it gets another, so the counting one needs a new blob.
        Blob counting = new BlobImpl(blob.getMetadata());
        counting.setAllHeaders(blob.getAllHeaders());
        counting.setPayload(
                new DelegatingPayload(blob.getPayload()) {
                    @Override
                    public InputStream openStream() throws IOException {
                        return new CountingStream(super.openStream(), request.sent);
                    }
                });
        return counting;
    }

    /** Where the server's answer begins in the object. */
    private static long firstByte(GetOptions options) {
        // The server itself refuses more than one range.
        return options.getRanges().stream()
                .map(range -> Long.parseLong(range.substring(0, range.indexOf('-'))))
                .findFirst()
                .orElse(0L);
    }

    private record Request(String key, long from, long length, AtomicLong sent) {

        private Request(String key, long from, long length) {
            this(key, from, length, new AtomicLong());
        }

        private Get get() {
            return new Get(key, from, length, sent.get());
        }
    }

    private static final class CountingStream extends FilterInputStream {

        private final AtomicLong sent;

        private CountingStream(InputStream in, AtomicLong sent) {
            super(in);
            this.sent = sent;
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            if (value >= 0) {
                sent.incrementAndGet();
            }
            return value;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = super.read(bytes, offset, length);
            if (read > 0) {
                sent.addAndGet(read);
            }
            return read;
        }
    }
}
