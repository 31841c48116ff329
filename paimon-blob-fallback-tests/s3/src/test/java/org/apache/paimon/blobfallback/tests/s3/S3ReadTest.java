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

import java.util.Comparator;
import java.util.List;
import org.apache.paimon.blobfallback.tests.bridge.DataFile;
import org.apache.paimon.blobfallback.tests.bridge.Descriptor;
import org.apache.paimon.blobfallback.tests.bridge.ObjectStore.Get;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.UriReader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What reads of partially updated blobs return and cost on S3, as the server sees it. */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
class S3ReadTest {

    @RegisterExtension static final Bucket BUCKET = new Bucket();

    private static final Gallery GALLERY = new Gallery("db.gallery");

    /** One of each file: three of pictures, two of documents. */
    private static final int INDEX_REQUESTS = 5;

    /** Of the old pictures each that is kept lies alone; what else wins is one run a file. */
    private static final int RUNS = Gallery.ROWS / Gallery.KEPT - 1 + 4;

    /** What an S3 stream asks for at the least, whatever is read of it. */
    private static final long MIN_REQUEST_LENGTH = 64 << 10;

    /** Name of the oldest file of pictures. */
    private static String oldPictures;

    @BeforeAll
    static void write() throws Exception {
        try (PaimonWriter writer = BUCKET.paimon2Writer()) {
            GALLERY.write(writer);
            int pictures = writer.columnIds(GALLERY.table()).get("pic");
            oldPictures =
                    writer.dataFiles(GALLERY.table()).stream()
                            .filter(file -> file.isBlob() && file.columnIds().contains(pictures))
                            .min(Comparator.comparingLong(DataFile::maxSequenceNumber))
                            .orElseThrow()
                            .name();
        }
    }

    /** R2: each index once, each run of winners once, and not what lies between them. */
    @ParameterizedTest
    @ValueSource(strings = {"1", "8"})
    void aReadMakesOneRequestForEachRunOfWinners(String parallelism) throws Exception {
        try (PaimonReader reader = BUCKET.pluginReader("s3.experimental.input.fadvise", "random")) {
            assertReads(
                    reader,
                    ReadRequest.all(GALLERY.table())
                            .with("blob-fallback.read.parallelism", parallelism));
        }

        List<Get> gets = blobGets();
        assertThat(gets).hasSize(INDEX_REQUESTS + RUNS);
        assertThat(gets.stream().mapToLong(Get::sent).sum())
                .isLessThan(gets.size() * MIN_REQUEST_LENGTH);
    }

    /** Streams that expect to be read in order ask for all to the file's end, and hang up. */
    @Test
    void aReadMakesNoMoreRequestsWithTheDefaultsOfTheFileSystem() throws Exception {
        try (PaimonReader reader = BUCKET.pluginReader()) {
            assertReads(reader, ReadRequest.all(GALLERY.table()));
        }

        assertThat(blobGets()).hasSizeLessThanOrEqualTo(INDEX_REQUESTS + RUNS);
    }

    /** R7: the indexes, and nothing else. */
    @Test
    void descriptorsCostTheIndexes() throws Exception {
        List<List<Object>> rows;
        try (PaimonReader reader = BUCKET.pluginReader()) {
            BUCKET.store().reset();
            rows = reader.read(ReadRequest.all(GALLERY.table()).with("blob-as-descriptor", "true"));
        }

        assertThat(blobGets()).hasSize(INDEX_REQUESTS);
        try (Catalog catalog = BUCKET.pluginCatalog()) {
            FileStoreTable table =
                    (FileStoreTable) catalog.getTable(Identifier.fromString(GALLERY.table()));
            for (int id : List.of(0, 3, 9, 10, 16, 17, 199)) {
                assertThat(data(table, rows.get(id).get(1))).isEqualTo(GALLERY.row(id).get(1));
                assertThat(data(table, rows.get(id).get(2))).isEqualTo(GALLERY.row(id).get(2));
            }
        }
    }

    /** R6: of a file that decides none of the rows nothing is read but its index. */
    @Test
    void rowRangesReadTheFilesThatDecideThem() throws Exception {
        List<List<Object>> rows;
        try (PaimonReader reader = BUCKET.pluginReader()) {
            BUCKET.store().reset();
            rows =
                    reader.read(
                            ReadRequest.all(GALLERY.table())
                                    .columns("doc", "_ROW_ID", "pic")
                                    .range(16, 17)
                                    .range(190, 190));
        }

        assertThat(rows).hasSize(3);
        List<Integer> ids = List.of(16, 17, 190);
        for (int i = 0; i < 3; i++) {
            List<Object> expected = GALLERY.row(ids.get(i));
            assertThat(rows.get(i))
                    .containsExactly(expected.get(2), (long) ids.get(i), expected.get(1));
        }
        // Several layers are asked for their indexes at once, so all of them are.
        assertThat(blobGets()).hasSize(INDEX_REQUESTS + 4);
        assertThat(blobGets()).filteredOn(get -> get.key().endsWith(oldPictures)).hasSize(1);
    }

    private static void assertReads(PaimonReader reader, ReadRequest request) throws Exception {
        BUCKET.store().reset();
        GALLERY.assertHolds(reader.read(request));
    }

    private static List<Get> blobGets() {
        return BUCKET.store().gets().stream().filter(Get::isBlob).toList();
    }

    private static byte[] data(FileStoreTable table, Object value) {
        if (value == null) {
            return null;
        }
        Descriptor descriptor = (Descriptor) value;
        return Blob.fromDescriptor(
                        UriReader.fromFile(table.fileIO()),
                        new BlobDescriptor(
                                descriptor.uri(), descriptor.offset(), descriptor.length()))
                .toData();
    }
}
