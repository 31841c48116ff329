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

package org.apache.paimon.blobfallback.tests.reader;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.serve.BlobReader;
import org.apache.paimon.blobfallback.serve.BlobRow;
import org.apache.paimon.blobfallback.tests.bridge.PaimonScanner.Scan;
import org.apache.paimon.blobfallback.tests.bridge.RowServer;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BlobDescriptor;

/** Serves rows through the plugin's Java API, which the class path must have. */
public final class PluginRowServer extends HostCatalogClient implements RowServer {

    private BlobReader reader;
    private String column;

    @Override
    public void serve(String table, String columnName) throws Exception {
        closeReader();
        column = columnName;
        reader =
                BlobFallback.newBlobReader(catalog().getTable(Identifier.fromString(table)))
                        .withColumns(column)
                        .newReader();
    }

    @Override
    public Scan read(long[] rowIds) throws Exception {
        return scan(reader.read(rowIds));
    }

    @Override
    public Scan readEach(long[] rowIds) throws Exception {
        long blobs = 0;
        long bytes = 0;
        for (long rowId : rowIds) {
            Scan one = scan(reader.read(rowId));
            blobs += one.blobs();
            bytes += one.blobBytes();
        }
        return new Scan(rowIds.length, blobs, bytes);
    }

    private Scan scan(List<BlobRow> rows) {
        long blobs = 0;
        long bytes = 0;
        for (BlobRow row : rows) {
            if (!row.isNull(column)) {
                blobs++;
                bytes += row.getBlob(column).toData().length;
            }
        }
        return new Scan(rows.size(), blobs, bytes);
    }

    @Override
    public Reads positionsOf(long[] rowIds) throws Exception {
        List<BlobDescriptor> blobs = new ArrayList<>();
        for (BlobRow row : reader.describe(rowIds)) {
            blobs.add(row.getBlob(column).toDescriptor());
        }
        Map<String, FileChannel> files = new HashMap<>();
        for (BlobDescriptor blob : blobs) {
            if (!files.containsKey(blob.uri())) {
                String path = new org.apache.paimon.fs.Path(blob.uri()).toUri().getPath();
                files.put(blob.uri(), FileChannel.open(Path.of(path)));
            }
        }
        return new Reads() {
            @Override
            public Scan read() throws IOException {
                long bytes = 0;
                for (BlobDescriptor blob : blobs) {
                    ByteBuffer data = ByteBuffer.wrap(new byte[(int) blob.length()]);
                    bytes += files.get(blob.uri()).read(data, blob.offset());
                }
                return new Scan(blobs.size(), blobs.size(), bytes);
            }

            @Override
            public void close() throws IOException {
                for (FileChannel file : files.values()) {
                    file.close();
                }
            }
        };
    }

    private void closeReader() throws IOException {
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }

    @Override
    public void close() throws IOException {
        closeReader();
        super.close();
    }
}
