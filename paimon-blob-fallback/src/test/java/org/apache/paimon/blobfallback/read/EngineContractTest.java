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

package org.apache.paimon.blobfallback.read;

import static org.apache.paimon.blobfallback.testtable.BlobLayer.PLACEHOLDER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.blobfallback.testtable.IndexOnlyBlobFile;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.FileRecordIterator;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What engines of the host ask readers and values for, besides the rows. */
class EngineContractTest {

    private final CountingFileIO fileIO = CountingFileIO.vectored();

    @TempDir java.nio.file.Path folder;

    @AfterEach
    void everyStreamIsClosed() {
        fileIO.assertNothingOpen();
    }

    /** Spark's metadata columns take path and position from the iterator. */
    @Test
    void rowsOfASingleFileComeWithPathAndPositionAsTheHostsDo() throws Exception {
        LayeredTable layers = LayeredTable.create(fileIO, folder);
        layers.appendWithoutBlobs(0, 3);
        // Two groups of a blob file each, where only the column is read.
        layers.layer("pic").file(0, "a", null).file(2, "c", "d").commit();

        for (List<String> columns :
                List.of(
                        List.of("pic"),
                        List.of("pic", "_ROW_ID"),
                        List.of("id"),
                        List.of("id", "doc"),
                        List.of("doc", "name", "_ROW_ID"))) {
            List<String> ofHost = places(layers.stock(), layers.stock(), columns);
            assertThat(places(layers.table(), layers.stock(), columns))
                    .as("%s", columns)
                    .isEqualTo(ofHost)
                    .hasSize(4);
        }
        assertThat(places(layers.table(), layers.stock(), List.of("pic")))
                .satisfiesExactly(
                        place -> assertThat(place).endsWith(".blob 0"),
                        place -> assertThat(place).endsWith(".blob 1"),
                        place -> assertThat(place).endsWith(".blob 0"),
                        place -> assertThat(place).endsWith(".blob 1"));
    }

    /** Neither this Paimon nor 2.0 names a file for a row that comes from several files. */
    @Test
    void rowsOfSeveralFilesComeWithoutAPlaceAsTheHostsDo() throws Exception {
        LayeredTable layers = LayeredTable.create(fileIO, folder);
        layers.appendWithoutBlobs(0, 1);
        layers.layer("pic").file(0, "a", "b").commit();
        layers.layer("pic").file(0, PLACEHOLDER, "new").commit();
        ReadBuilder read = builder(layers.table(), List.of("pic"));
        try (RecordReader<InternalRow> reader =
                read.newRead().createReader(read.newScan().plan())) {
            RecordReader.RecordIterator<InternalRow> batch = reader.readBatch();
            assertThat(batch).isNotInstanceOf(FileRecordIterator.class);
            assertThat(batch.next().getBlob(0).toData()).isEqualTo("a".getBytes());
        }
    }

    /** R14: what does not fit into an array is said by row, column, file and length. */
    @Test
    void bytesOfABlobThatIsTooLongAreRefusedByName() throws Exception {
        LayeredTable layers = LayeredTable.create(fileIO, folder);
        layers.appendWithoutBlobs(0, 2);
        long length = (3L << 30) + 7;
        IndexOnlyBlobFile file =
                IndexOnlyBlobFile.write(layers.stock(), 0, 3, rowId -> rowId == 1 ? length : -1);
        layers.layer("pic").file(file.meta(layers.stock(), "pic", 7)).commit();
        ReadBuilder read = builder(layers.table(), List.of("id", "pic"));
        List<InternalRow> rows = new ArrayList<>();
        try (RecordReader<InternalRow> reader =
                read.newRead().createReader(read.newScan().plan())) {
            reader.forEachRemaining(
                    row -> {
                        if (!row.isNullAt(1)) {
                            assertThatThrownBy(() -> row.getBlob(1).toData())
                                    .isInstanceOf(IllegalStateException.class)
                                    .hasMessageContaining("The blob of " + length + " bytes at")
                                    .hasMessageContaining("position 4 of file ")
                                    .hasMessageContaining(file.name())
                                    .hasMessageContaining("(row id 1, column pic of table ")
                                    .hasMessageContaining("Set the option 'blob-as-descriptor' =");
                            assertThat(row.getBlob(1).toDescriptor().length()).isEqualTo(length);
                            rows.add(row);
                        }
                    });
        }
        assertThat(rows).hasSize(1);
    }

    /** Path and position of each row of the stock table's plan, by the given table's reader. */
    private static List<String> places(
            FileStoreTable table, FileStoreTable planned, List<String> columns) throws Exception {
        List<String> places = new ArrayList<>();
        for (Split split : builder(planned, columns).newScan().plan().splits()) {
            try (RecordReader<InternalRow> reader =
                    builder(table, columns).newRead().createReader(split)) {
                for (RecordReader.RecordIterator<InternalRow> batch = reader.readBatch();
                        batch != null;
                        batch = reader.readBatch()) {
                    assertThat(batch).isInstanceOf(FileRecordIterator.class);
                    FileRecordIterator<InternalRow> rows = (FileRecordIterator<InternalRow>) batch;
                    while (rows.next() != null) {
                        places.add(rows.filePath() + " " + rows.returnedPosition());
                    }
                    batch.releaseBatch();
                }
            }
        }
        return places;
    }

    private static ReadBuilder builder(FileStoreTable table, List<String> columns) {
        return table.newReadBuilder()
                .withReadType(
                        SpecialFields.rowTypeWithRowTracking(table.rowType()).project(columns));
    }
}
