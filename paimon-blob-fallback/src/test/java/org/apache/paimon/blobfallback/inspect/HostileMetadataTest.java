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

package org.apache.paimon.blobfallback.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Collections;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.fs.Path;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.stats.SimpleStats;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.ReadBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Metadata that claims more than the files have needs neither time nor memory for the claim (R13).
 */
class HostileMetadataTest {

    private static final Duration SOON = Duration.ofSeconds(120);

    @TempDir private java.nio.file.Path folder;

    private final CountingFileIO fileIO = CountingFileIO.sequential();

    /**
     * A table whose newer layer is a sound file of four rows, under claims that are not.
     *
     * @param fileSize null for the true size
     */
    private FileStoreTable tableWith(long rowCount, Long fileSize) throws Exception {
        LayeredTable table = LayeredTable.create(fileIO, folder);
        table.append(0, 3);
        table.layer("pic").file(0, "a", "b", "c", "d").commit();
        DataFileMeta honest = table.blobFiles("pic").get(0);
        String name = honest.fileName().replace(".blob", "-claims.blob");
        Path bucket = new Path(table.path(), "bucket-0");
        fileIO.copyFile(new Path(bucket, honest.fileName()), new Path(bucket, name), false);
        DataFileMeta claims =
                DataFileMeta.forAppend(
                        name,
                        fileSize == null ? honest.fileSize() : fileSize,
                        rowCount,
                        SimpleStats.EMPTY_STATS,
                        7,
                        7,
                        honest.schemaId(),
                        Collections.emptyList(),
                        null,
                        FileSource.APPEND,
                        null,
                        null,
                        0L,
                        honest.writeCols());
        return table.layer("pic").file(claims).commit().table();
    }

    @ParameterizedTest
    @CsvSource({
        "1000,",
        "2147483647,",
        "4611686018427387904,",
        "9223372036854775807,",
        "4, 4611686018427387904",
        "4, 9223372036854775807",
        "2147483647, 9223372036854775807",
        "4, 3",
        "4, 0"
    })
    void claimsOfRowsAndBytesAreErrorsThatNameTheFile(long rowCount, Long fileSize)
            throws Exception {
        FileStoreTable table = tableWith(rowCount, fileSize);

        assertTimeoutPreemptively(
                SOON,
                () -> {
                    assertThat(BlobFallback.verify(table).faults())
                            .isNotEmpty()
                            .allSatisfy(fault -> assertThat(fault).contains("claims.blob"));
                    assertThatThrownBy(() -> BlobFallback.drawLayers(table, "pic", 0))
                            .hasMessageContaining("claims.blob");
                    assertThatThrownBy(() -> read(BlobFallback.layers(table)))
                            .hasMessageContaining("claims.blob");
                    assertThatThrownBy(() -> read(table)).hasMessageContaining("claims.blob");
                });
        fileIO.assertNothingOpen();
    }

    @Test
    void theSameFileWithoutClaimsIsSound() throws Exception {
        FileStoreTable table = tableWith(4, null);

        assertThat(BlobFallback.verify(table).faults()).isEmpty();
        read(table);
    }

    private static void read(Table table) throws Exception {
        ReadBuilder builder = table.newReadBuilder();
        builder.newRead().createReader(builder.newScan().plan()).forEachRemaining(row -> {});
    }
}
