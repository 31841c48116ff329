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

package org.apache.paimon.blobfallback.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.testio.CapturedLog;
import org.apache.paimon.blobfallback.testtable.BlobLayer;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.blobfallback.testtable.TableRows;
import org.apache.paimon.blobfallback.update.BlobFlatten;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table is named in the log when it is first read, and that is all. */
class FirstUseTest {

    @TempDir private Path folder;

    @Test
    void aTableIsNamedOncePerJvm() {
        String first = "file:/first-" + UUID.randomUUID();
        String second = "file:/second-" + UUID.randomUUID();

        assertThat(FirstUse.isFirst(first)).isTrue();
        assertThat(FirstUse.isFirst(second)).isTrue();
        assertThat(FirstUse.isFirst(first)).isFalse();
        assertThat(FirstUse.isFirst(second)).isFalse();
    }

    @Test
    void readsAndWritesOfManyFilesAndRowsAreOneLine() throws Exception {
        LayeredTable layered = LayeredTable.create(LocalFileIO.create(), folder);
        for (int group = 0; group < 4; group++) {
            layered.append(3 * group, 3 * group + 2);
        }
        for (int layer = 0; layer < 4; layer++) {
            layered.layer("pic").file(0, "new", BlobLayer.PLACEHOLDER, null).commit();
        }
        FileStoreTable table = layered.table();

        String log =
                CapturedLog.of(
                        "info",
                        () -> {
                            assertThat(TableRows.of(table).rows()).hasSize(12);
                            assertThat(TableRows.of(table.copy(Map.of("a", "b"))).rows())
                                    .hasSize(12);
                            assertThat(TableRows.of(BlobFallback.layers(table)).rows()).hasSize(12);
                            assertThat(BlobFallback.verify(table).faults()).isEmpty();
                            try (BlobUpdate update =
                                    BlobFallback.newUpdateBuilder(table).newUpdate()) {
                                for (long rowId = 0; rowId < 12; rowId++) {
                                    update.setNull(rowId, "doc");
                                }
                                update.commit();
                            }
                            try (BlobFlatten flatten =
                                    BlobFallback.newFlattenBuilder(table).newFlatten()) {
                                flatten.run();
                            }
                        });

        assertThat(log.lines())
                .singleElement()
                .asString()
                .contains("INFO")
                .endsWith(
                        "Table table at "
                                + layered.path()
                                + " is read with the blob fallback: a row's blob comes from the"
                                + " newest layer that holds one.");
    }
}
