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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.serve.BlobReader;
import org.apache.paimon.blobfallback.serve.BlobRow;
import org.apache.paimon.blobfallback.tests.bridge.ObjectStore.Get;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** R26: single rows on S3, what they cost as the server sees it, and for many threads at once. */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
class S3SingleRowsTest {

    @RegisterExtension static final Bucket BUCKET = new Bucket();

    private static final Gallery GALLERY = new Gallery("db.single_rows");
    private static final int THREADS = 16;
    private static final int CALLS = 40;

    /** One for each thread and each request of the reader, and as many that nobody reads. */
    private static final String CONNECTIONS = String.valueOf(THREADS + 8 + 16);

    @BeforeAll
    static void write() throws Exception {
        try (PaimonWriter writer = BUCKET.paimon2Writer()) {
            GALLERY.write(writer);
        }
    }

    @Test
    void aWarmRowIsOneRequest() throws Exception {
        try (Catalog catalog = catalog();
                BlobReader reader = reader(catalog, "pic")) {
            reader.read(8, 9, 16);
            BUCKET.store().reset();

            assertHolds(reader.read(24), "pic");

            assertThat(BUCKET.store().gets().stream().filter(Get::isBlob)).hasSize(1);
        }
    }

    @Test
    void manyThreadsShareOneReaderAndFewConnections() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (Catalog catalog = catalog();
                BlobReader reader = reader(catalog, "pic", "doc")) {
            List<Future<Void>> calls = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                Random random = new Random(thread);
                calls.add(
                        threads.submit(
                                () -> {
                                    for (int call = 0; call < CALLS; call++) {
                                        long[] rowIds = random.longs(5, 0, Gallery.ROWS).toArray();
                                        assertHolds(reader.read(rowIds), "pic", "doc");
                                    }
                                    return null;
                                }));
            }
            for (Future<Void> call : calls) {
                call.get(300, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void assertHolds(List<BlobRow> rows, String... columns) {
        for (BlobRow row : rows) {
            for (String column : columns) {
                byte[] expected =
                        (byte[]) GALLERY.row((int) row.rowId()).get(column.equals("pic") ? 1 : 2);
                byte[] read = row.isNull(column) ? null : row.getBlob(column).toData();
                assertThat(read).as("row %s, %s", row.rowId(), column).isEqualTo(expected);
            }
        }
    }

    private static BlobReader reader(Catalog catalog, String... columns) throws Exception {
        return BlobFallback.newBlobReader(catalog.getTable(Identifier.fromString(GALLERY.table())))
                .withColumns(columns)
                .newReader();
    }

    private static Catalog catalog() {
        Map<String, String> options = BUCKET.options("s3.connection.maximum", CONNECTIONS);
        return CatalogFactory.createCatalog(CatalogContext.create(Options.fromMap(options)));
    }
}
