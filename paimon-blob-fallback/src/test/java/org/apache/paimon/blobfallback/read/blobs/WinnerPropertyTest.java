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

package org.apache.paimon.blobfallback.read.blobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.format.BlobPlaceholder;
import org.apache.paimon.blobfallback.format.column.BlobColumnType;
import org.apache.paimon.blobfallback.format.file.BlobFileWriter;
import org.apache.paimon.blobfallback.format.io.BlobReadMetrics;
import org.apache.paimon.blobfallback.format.io.BlobReadOptions;
import org.apache.paimon.blobfallback.layers.Bunch;
import org.apache.paimon.blobfallback.read.rows.RowSelection;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.options.Options;
import org.apache.paimon.stats.SimpleStats;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.Range;

/** Layers and their winners, compared with a model that evaluates each row alone (R1 to R6). */
class WinnerPropertyTest {

    private static final RowType TYPE =
            RowType.of(new DataType[] {DataTypes.BLOB()}, new String[] {"pic"});

    private static final int ROWS = 24;
    private static final long FIRST_ROW_ID = 1000;

    /** The entry of a layer for a row. */
    private enum Entry {
        GAP,
        PLACEHOLDER,
        NULL,
        DATA
    }

    private final CountingFileIO fileIO = CountingFileIO.vectored();

    private java.nio.file.Path folder;

    @BeforeProperty
    void createFolder() throws IOException {
        folder = Files.createTempDirectory("winners");
    }

    @AfterProperty
    void deleteFolder() throws IOException {
        deleteFiles();
        Files.delete(folder);
    }

    /** Layers, oldest first; each has an entry for each row. */
    @Provide
    Arbitrary<List<List<Entry>>> layers() {
        Arbitrary<List<Entry>> row = Arbitraries.of(Entry.class).list().ofSize(ROWS);
        // Runs of one kind, as updates leave them.
        Arbitrary<List<Entry>> runs =
                Combinators.combine(
                                Arbitraries.of(Entry.class).list().ofSize(4),
                                Arbitraries.integers().between(1, ROWS - 1).list().ofSize(3))
                        .as(
                                (kinds, ends) -> {
                                    List<Integer> sorted = new ArrayList<>(ends);
                                    Collections.sort(sorted);
                                    List<Entry> entries = new ArrayList<>();
                                    for (int i = 0; i < ROWS; i++) {
                                        int at = i;
                                        entries.add(
                                                kinds.get(
                                                        (int)
                                                                sorted.stream()
                                                                        .filter(end -> end <= at)
                                                                        .count()));
                                    }
                                    return entries;
                                });
        return Arbitraries.oneOf(row, runs).list().ofMinSize(1).ofMaxSize(5);
    }

    @Provide
    Arbitrary<List<Range>> ranges() {
        return Combinators.combine(
                        Arbitraries.longs().between(FIRST_ROW_ID - 2, FIRST_ROW_ID + ROWS + 2),
                        Arbitraries.longs().between(0, 9))
                .as((from, length) -> new Range(from, from + length))
                .list()
                .ofMaxSize(4);
    }

    @Property(tries = 250)
    void eachRowHasTheNewestEntryThatIsNeitherPlaceholderNorGap(
            @ForAll("layers") List<List<Entry>> layers,
            @ForAll("ranges") List<Range> ranges,
            @ForAll boolean all,
            @ForAll boolean descriptors,
            @ForAll Random random)
            throws IOException {
        Bunch bunch =
                new Bunch(0, new Range(FIRST_ROW_ID, FIRST_ROW_ID + ROWS - 1), new ArrayList<>());
        for (int layer = 0; layer < layers.size(); layer++) {
            write(layer, layers.get(layer), bunch);
        }
        Collections.shuffle(bunch.files(), random);
        RowSelection selection =
                RowSelection.of(
                        new Range(FIRST_ROW_ID, FIRST_ROW_ID + ROWS - 1), all ? null : ranges);

        List<List<Object>> expected = new ArrayList<>();
        for (int row = 0; row < ROWS; row++) {
            long rowId = FIRST_ROW_ID + row;
            if (all || ranges.stream().anyMatch(r -> r.from <= rowId && rowId <= r.to)) {
                expected.add(winner(layers, row));
            }
        }
        assertThat(read(bunch, selection, descriptors)).isEqualTo(expected);
        fileIO.assertNothingOpen();
        deleteFiles();
    }

    private static List<Object> winner(List<List<Entry>> layers, int row) {
        for (int layer = layers.size() - 1; layer >= 0; layer--) {
            switch (layers.get(layer).get(row)) {
                case DATA:
                    return Arrays.asList(value(layer, row), FIRST_ROW_ID + row, 1L + layer);
                case NULL:
                    return Arrays.asList(null, FIRST_ROW_ID + row, 1L + layer);
                default:
            }
        }
        return Arrays.asList(null, FIRST_ROW_ID + row, -1L);
    }

    /** A file for each range of rows without a gap. */
    private void write(int layer, List<Entry> entries, Bunch bunch) throws IOException {
        int row = 0;
        while (row < ROWS) {
            if (entries.get(row) == Entry.GAP) {
                row++;
                continue;
            }
            int first = row;
            Path path = new Path(folder.resolve(layer + "-" + first + ".blob").toUri());
            try (PositionOutputStream out = fileIO.newOutputStream(path, true);
                    BlobFileWriter writer = new BlobFileWriter(out, TYPE, null, false)) {
                for (; row < ROWS && entries.get(row) != Entry.GAP; row++) {
                    Blob blob =
                            switch (entries.get(row)) {
                                case PLACEHOLDER -> BlobPlaceholder.INSTANCE;
                                case NULL -> null;
                                default ->
                                        Blob.fromData(
                                                value(layer, row).getBytes(StandardCharsets.UTF_8));
                            };
                    writer.addElement(GenericRow.of(blob));
                }
            }
            bunch.files()
                    .add(
                            DataFileMeta.forAppend(
                                    path.getName(),
                                    fileIO.getFileSize(path),
                                    row - first,
                                    SimpleStats.EMPTY_STATS,
                                    1L + layer,
                                    1L + layer,
                                    0,
                                    Collections.emptyList(),
                                    null,
                                    FileSource.APPEND,
                                    null,
                                    null,
                                    FIRST_ROW_ID + first,
                                    List.of("pic")));
        }
    }

    private List<List<Object>> read(Bunch bunch, RowSelection selection, boolean descriptors)
            throws IOException {
        Options options = new Options();
        FileFaults faults = new FileFaults(new CoreOptions(options));
        DataFilePathFactory paths =
                new DataFilePathFactory(
                        new Path(folder.toUri()), "avro", "data-", "changelog-", false, null, null);
        List<List<Object>> rows = new ArrayList<>();
        try (BlobColumnReader reader =
                new BlobColumnReader(
                        BlobLayers.of(
                                bunch, selection, fileIO, paths, faults, new BlobReadMetrics(), 8),
                        selection,
                        new BlobRowLayout(new GenericRow(3), 0, 1, 2),
                        "column pic",
                        BlobColumnType.of(DataTypes.BLOB()),
                        descriptors,
                        new BlobReadOptions(options),
                        faults)) {
            reader.forEachRemaining(row -> rows.add(plain(row)));
        }
        return rows;
    }

    private static List<Object> plain(InternalRow row) {
        return Arrays.asList(
                row.isNullAt(0)
                        ? null
                        : new String(row.getBlob(0).toData(), StandardCharsets.UTF_8),
                row.getLong(1),
                row.getLong(2));
    }

    private static String value(int layer, int row) {
        return "v".repeat(row % 5) + layer + "." + row;
    }

    private void deleteFiles() throws IOException {
        try (var files = Files.newDirectoryStream(folder)) {
            for (java.nio.file.Path file : files) {
                Files.delete(file);
            }
        }
    }
}
