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

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.blobfallback.tests.bridge.ObjectStore;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStoreContext;
import org.jclouds.blobstore.domain.StorageMetadata;
import org.jclouds.blobstore.options.ListContainerOptions;

/** A real S3 server over blobs in memory. */
public final class S3Server implements ObjectStore {

    private static final String BUCKET = "bucket";
    private static final String ACCESS_KEY = "access";
    private static final String SECRET_KEY = "secret";

    private BlobStoreContext context;
    private CountingBlobStore blobs;
    private S3Proxy server;

    @Override
    public Map<String, String> start() throws Exception {
        context =
                ContextBuilder.newBuilder("transient")
                        .credentials(ACCESS_KEY, SECRET_KEY)
                        .build(BlobStoreContext.class);
        blobs = new CountingBlobStore(context.getBlobStore());
        blobs.createContainerInLocation(null, BUCKET);
        server =
                S3Proxy.builder()
                        .blobStore(blobs)
                        .endpoint(URI.create("http://127.0.0.1:0"))
                        .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, ACCESS_KEY, SECRET_KEY)
                        .build();
        server.start();
        Map<String, String> options = new TreeMap<>();
        options.put("warehouse", "s3://" + BUCKET + "/warehouse");
        options.put("s3.endpoint", "http://127.0.0.1:" + server.getPort());
        options.put("s3.access-key", ACCESS_KEY);
        options.put("s3.secret-key", SECRET_KEY);
        options.put("s3.path.style.access", "true");
        return options;
    }

    @Override
    public void reset() {
        blobs.reset();
    }

    @Override
    public List<Get> gets() {
        return blobs.gets();
    }

    @Override
    public int heads() {
        return blobs.heads();
    }

    @Override
    public List<String> keys() {
        return blobs.list(BUCKET, ListContainerOptions.Builder.recursive()).stream()
                .map(StorageMetadata::getName)
                .sorted()
                .toList();
    }

    @Override
    public void close() throws IOException {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IOException("The S3 server does not stop.", e);
        } finally {
            context.close();
        }
    }
}
