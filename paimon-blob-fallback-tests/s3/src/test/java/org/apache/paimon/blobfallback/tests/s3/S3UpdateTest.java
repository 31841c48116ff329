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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.tests.bridge.ObjectStore.Get;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.update.BlobFlatten;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.Blob;
import org.apache.paimon.table.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Updates and flattens of tables on S3 that Paimon 2.0 wrote. */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
class S3UpdateTest {

    @RegisterExtension static final Bucket BUCKET = new Bucket();

    /** Of pictures and documents, after an update. A flatten reads each index twice. */
    private static final int FILES = 4 + 3;

    /** Of the old pictures each that is kept lies alone; what else wins is one run a file. */
    private static final int RUNS = Gallery.ROWS / Gallery.KEPT - 2 + FILES - 1;

    private Gallery gallery;
    private Catalog catalog;
    private Table table;

    @BeforeEach
    void write() throws Exception {
        gallery = new Gallery("updates.t" + System.nanoTime());
        try (PaimonWriter writer = BUCKET.paimon2Writer()) {
            gallery.write(writer);
        }
        catalog = BUCKET.pluginCatalog();
        table = catalog.getTable(Identifier.fromString(gallery.table()));
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    /** W3 and W6: Paimon 2.0 reads an update, and the stock host what is flattened after it. */
    @Test
    void updatesAndFlattensAreReadByOthers() throws Exception {
        BUCKET.store().reset();
        try (BlobUpdate update =
                BlobFallback.newUpdateBuilder(table).withColumns("pic", "doc").newUpdate()) {
            update.set(8L, "pic", Gallery.bytes("by the plugin"));
            update.setNull(16L, "pic");
            update.set(10L, "doc", Gallery.bytes("doc by the plugin"));
            update.commit();
        }
        // An update needs to know nothing of the blobs that are there.
        assertThat(blobGets()).isZero();
        gallery.set(8, "pic", Gallery.bytes("by the plugin"));
        gallery.set(16, "pic", null);
        gallery.set(10, "doc", Gallery.bytes("doc by the plugin"));
        try (PaimonReader plugin = BUCKET.pluginReader();
                PaimonReader paimon2 = BUCKET.paimon2Reader()) {
            assertReads(plugin);
            assertReads(paimon2);

            BUCKET.store().reset();
            try (BlobFlatten flatten = BlobFallback.newFlattenBuilder(table).newFlatten()) {
                assertThat(flatten.run()).hasSize(2);
            }
            assertThat(blobGets()).isLessThanOrEqualTo(FILES + RUNS);

            assertReads(plugin);
            assertReads(paimon2);
        }
        try (PaimonRuntime host = Bucket.stockHost();
                PaimonReader stock = host.find(PaimonReader.class)) {
            stock.open(BUCKET.options("cache-enabled", "false"));
            assertReads(stock);
        }
    }

    /** W4: an update that fails leaves no object. */
    @Test
    void anUpdateThatFailsLeavesNothing() throws Exception {
        List<String> before = BUCKET.store().keys();
        try (BlobUpdate update =
                BlobFallback.newUpdateBuilder(table).withColumns("pic", "doc").newUpdate()) {
            update.set(1L, "pic", new byte[10_000]);
            update.set(
                    2L,
                    "doc",
                    Blob.fromInputStream(
                            () -> {
                                throw new UncheckedIOException(new IOException("lost"));
                            }));
            assertThatThrownBy(update::commit).hasStackTraceContaining("lost");
        }
        assertThat(BUCKET.store().keys()).isEqualTo(before);
    }

    private static long blobGets() {
        return BUCKET.store().gets().stream().filter(Get::isBlob).count();
    }

    private void assertReads(PaimonReader reader) throws Exception {
        gallery.assertHolds(reader.read(ReadRequest.all(gallery.table())));
    }
}
