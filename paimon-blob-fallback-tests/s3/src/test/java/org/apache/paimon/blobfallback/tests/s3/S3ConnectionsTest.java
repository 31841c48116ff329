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
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.paimon.blobfallback.tests.bridge.BlobFile;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.Placeholder;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Reads share the connections that the file system has for all streams of the process. */
class S3ConnectionsTest {

    @RegisterExtension static final Bucket BUCKET = new Bucket();

    private static final String TABLE = "connections.t";
    private static final int LAYERS = 24;
    private static final int ROWS = 4 * LAYERS;
    private static final int READS = 3;

    /** Fewer than the files of one column. */
    private static final String CONNECTIONS = "20";

    /** Each layer decides each 24th row, so all files are read in turn. */
    @BeforeAll
    static void write() throws Exception {
        List<List<Object>> rows = new ArrayList<>();
        for (int id = 0; id < ROWS; id++) {
            rows.add(Arrays.asList(id, value("a", 0, id), value("b", 0, id)));
        }
        List<BlobFile> files = new ArrayList<>();
        for (int layer = 1; layer < LAYERS; layer++) {
            for (String column : List.of("a", "b")) {
                List<Object> entries = new ArrayList<>();
                for (int id = 0; id < ROWS; id++) {
                    entries.add(
                            id % LAYERS == layer
                                    ? value(column, layer, id)
                                    : Placeholder.UNTOUCHED);
                }
                files.add(new BlobFile(column, 0, 100 + layer, entries));
            }
        }
        try (PaimonWriter writer = BUCKET.paimon2Writer()) {
            writer.createTable(TABLE, TableDefinition.of("id", "INT", "a", "BLOB", "b", "BLOB"));
            writer.append(TABLE, rows);
            writer.commitBlobFiles(TABLE, files, List.of());
        }
    }

    /** R2, with streams that nobody reads at the moment giving way to those that are needed. */
    @Test
    void manyLayersAreReadWithFewConnections() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(READS);
        try (PaimonReader reader = BUCKET.pluginReader("s3.connection.maximum", CONNECTIONS)) {
            List<Future<List<List<Object>>>> reads = new ArrayList<>();
            for (int i = 0; i < READS; i++) {
                reads.add(threads.submit(() -> reader.read(ReadRequest.all(TABLE))));
            }
            for (Future<List<List<Object>>> read : reads) {
                assertHolds(assertTimeoutPreemptively(Duration.ofSeconds(300), () -> read.get()));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void assertHolds(List<List<Object>> rows) {
        assertThat(rows).hasSize(ROWS);
        for (int id = 0; id < ROWS; id++) {
            List<Object> row = rows.get(id);
            assertThat(row.get(0)).isEqualTo(id);
            assertThat((byte[]) row.get(1)).isEqualTo(value("a", id % LAYERS, id));
            assertThat((byte[]) row.get(2)).isEqualTo(value("b", id % LAYERS, id));
        }
    }

    private static byte[] value(String column, int layer, int id) {
        return Gallery.bytes((column + layer + "." + id + " ").repeat(100));
    }
}
