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

package org.apache.paimon.blobfallback.plan;

import static org.apache.paimon.blobfallback.testtable.BlobLayer.PLACEHOLDER;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.layers.PlannedRows;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.blobfallback.testtable.BlobLayer;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.blobfallback.testtable.TableRows;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.TableRead;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.InstantiationUtil;
import org.apache.paimon.utils.Range;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups whose blobs are more than the split size are planned as several splits. */
class CutGroupsTest {

    /** Bytes of a blob's entry. */
    private static final int ENTRY = 100;

    private static final String BLOB = "x".repeat(ENTRY - 16);

    @TempDir private java.nio.file.Path folder;

    private final CountingFileIO fileIO = CountingFileIO.vectored();

    private LayeredTable tableOf(int rows) throws Exception {
        LayeredTable table = LayeredTable.create(fileIO, folder).appendWithoutBlobs(0, rows - 1);
        return table.layer("pic").file(0, Collections.nCopies(rows, BLOB).toArray()).commit();
    }

    private static Table withSplitsOf(Table table, String size) {
        return table.copy(
                Map.of(
                        CoreOptions.SOURCE_SPLIT_TARGET_SIZE.key(),
                        size,
                        CoreOptions.SOURCE_SPLIT_OPEN_FILE_COST.key(),
                        "0 b"));
    }

    private static ReadBuilder read(Table table, String... columns) {
        RowType type = table.rowType().project(columns);
        return table.newReadBuilder().withReadType(type);
    }

    private static List<Split> plan(ReadBuilder builder) {
        return builder.newScan().plan().splits();
    }

    private static List<Range> rows(List<Split> splits) {
        List<Range> rows = new ArrayList<>();
        for (Split split : splits) {
            rows.addAll(PlannedRows.of((DataSplit) split));
        }
        return rows;
    }

    @Test
    void aLargeGroupIsCutIntoRangesOfTheSplitSize() throws Exception {
        Table table = withSplitsOf(tableOf(100).table(), "1000 b");

        List<Split> splits = plan(read(table, "id", "pic"));

        assertThat(rows(splits)).hasSize(10).startsWith(new Range(0, 9), new Range(10, 19));
        assertThat(splits).allSatisfy(split -> assertThat(split.rowCount()).isEqualTo(10));
        assertThat(splits.stream().mapToLong(Split::rowCount).sum()).isEqualTo(100);
        assertThat(splits.stream().mapToLong(split -> split.mergedRowCount().getAsLong()).sum())
                .isEqualTo(100);
    }

    @Test
    void eachPartReadsItsOwnBlobs() throws Exception {
        LayeredTable layered = tableOf(100);
        Table table =
                withSplitsOf(layered.table(), "1000 b")
                        .copy(Map.of("blob-fallback.read.coalesce-gap", "0 b"));
        ReadBuilder builder = read(table, "pic");
        TableRead read = builder.newRead();
        List<Split> splits = plan(builder);
        long indexBytes = layered.blobFiles("pic").get(0).fileSize() - 100 * ENTRY;

        for (Split split : splits) {
            fileIO.reset();
            List<Object> blobs = new ArrayList<>();
            try (RecordReader<InternalRow> reader = read.createReader(split)) {
                reader.forEachRemaining(row -> blobs.add(row.getBlob(0).toData().length));
            }
            assertThat(blobs).hasSize((int) split.rowCount()).containsOnly(BLOB.length());
            assertThat(fileIO.bytesRead(".blob"))
                    .isBetween(
                            split.rowCount() * ENTRY + indexBytes,
                            // The tail that is read first may be a 32nd longer than the index.
                            split.rowCount() * ENTRY + indexBytes * 33 / 32);
        }
    }

    @Test
    void aPartKeepsItsRowsWhenItIsSentToATask() throws Exception {
        List<Split> splits = plan(read(withSplitsOf(tableOf(100).table(), "1000 b"), "pic"));

        List<Split> sent = new ArrayList<>();
        for (Split split : splits) {
            sent.add(InstantiationUtil.clone(split));
        }

        assertThat(rows(sent)).isEqualTo(rows(splits));
        assertThat(sent).isEqualTo(splits);
        assertThat(new HashSet<>(sent)).hasSize(10).isEqualTo(new HashSet<>(splits));
        // Spark repacks the files of splits that say so.
        assertThat(splits).noneMatch(split -> ((DataSplit) split).rawConvertible());
    }

    @Test
    void aPartHasAtLeastTheBytesThatOpeningItsFilesCosts() throws Exception {
        FileStoreTable table = tableOf(100).table();
        Table costly =
                table.copy(
                        Map.of(
                                CoreOptions.SOURCE_SPLIT_TARGET_SIZE.key(), "1000 b",
                                CoreOptions.SOURCE_SPLIT_OPEN_FILE_COST.key(), "2500 b"));

        // A normal file and a blob file.
        assertThat(plan(read(costly, "id", "pic"))).hasSize(3);
        assertThat(plan(read(withSplitsOf(table, "0 b"), "pic"))).hasSizeLessThanOrEqualTo(100);
    }

    @Test
    void onlyAReadOfBlobsIsCut() throws Exception {
        Table table = withSplitsOf(tableOf(100).table(), "1000 b");

        assertThat(plan(read(table, "id", "name"))).hasSize(1);
        assertThat(plan(read(table, "doc"))).hasSize(1);
        assertThat(plan(read(table.copy(Map.of("blob-as-descriptor", "true")), "pic"))).hasSize(1);
        assertThat(plan(read(table.copy(Map.of("blob.split-by-file-size", "false")), "pic")))
                .hasSize(1);
        // What looks for files finds each once.
        assertThat(((FileStoreTable) table).newScan().plan().splits()).hasSize(1);
        assertThat(read(table, "pic").newStreamScan().plan().splits()).hasSize(1);
    }

    /** The host makes splits of its own of those of two branches. */
    @Test
    void groupsOfTwoBranchesAreLeftWhole() throws Exception {
        LayeredTable layered = tableOf(100);
        layered.stock().createTag("start", 2);
        layered.stock().createBranch("other", "start");
        layered.alter(SchemaChange.setOption("scan.fallback-branch", "other"));
        Table pair = withSplitsOf(layered.table(), "1000 b");

        assertThat(plan(read(pair, "pic"))).hasSize(1);
        assertThat(TableRows.of(pair).columns("pic").rows()).hasSize(100);
    }

    @Test
    void groupsThatFitAreLeftWhole() throws Exception {
        LayeredTable table = tableOf(100);
        table.append(100, 109);

        List<Split> splits = plan(read(withSplitsOf(table.table(), "1000 b"), "pic"));

        assertThat(splits).hasSize(11);
        assertThat(splits.get(10)).isNotInstanceOf(PlannedRows.class);
    }

    @Test
    void aLimitAndAFilterFindTheRowsOfAllParts() throws Exception {
        Table table = withSplitsOf(tableOf(100).table(), "1000 b");
        Predicate filter = new PredicateBuilder(table.rowType()).greaterOrEqual(0, 37);
        ReadBuilder builder = read(table, "id", "pic").withFilter(filter);
        List<Integer> ids = new ArrayList<>();

        try (RecordReader<InternalRow> reader =
                builder.newRead().executeFilter().createReader(plan(builder))) {
            reader.forEachRemaining(row -> ids.add(row.getInt(0)));
        }

        assertThat(ids).hasSize(63).startsWith(37).endsWith(99);
        long planned =
                plan(read(table, "id", "pic").withLimit(50)).stream()
                        .mapToLong(Split::rowCount)
                        .sum();
        assertThat(planned).isGreaterThanOrEqualTo(50);
    }

    /** Any layers, files and sizes. */
    @Test
    void partsHoldEachRowOnceAndInOrder() throws Exception {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            LayeredTable table =
                    LayeredTable.create(LocalFileIO.create(), folder.resolve("t" + seed));
            int rows = 0;
            for (int group = random.nextInt(3); group >= 0; group--) {
                int length = 1 + random.nextInt(60);
                table.append(rows, rows + length - 1);
                rows += length;
            }
            for (int layer = random.nextInt(6); layer > 0; layer--) {
                layer(table, random, rows);
            }
            TableRows whole = table.read("id", "pic", "_ROW_ID");
            Map<String, String> options = new HashMap<>();
            options.put(CoreOptions.SOURCE_SPLIT_TARGET_SIZE.key(), random.nextInt(4000) + " b");
            options.put(CoreOptions.SOURCE_SPLIT_OPEN_FILE_COST.key(), random.nextInt(50) + " b");
            Table cut = table.table().copy(options);

            assertThat(TableRows.of(cut).columns("id", "pic", "_ROW_ID").rows())
                    .as("seed " + seed)
                    .isEqualTo(whole.rows());
            long counted = 0;
            for (Split split : plan(read(cut, "id", "pic"))) {
                OptionalLong count = split.mergedRowCount();
                assertThat(count).as("seed " + seed).isPresent();
                counted += count.getAsLong();
            }
            assertThat(counted).as("seed " + seed).isEqualTo(rows);
        }
    }

    private static void layer(LayeredTable table, Random random, int rows) throws Exception {
        BlobLayer layer = table.layer("pic");
        for (int first = random.nextInt(rows); first < rows; ) {
            Object[] values = new Object[1 + random.nextInt(rows - first)];
            for (int i = 0; i < values.length; i++) {
                int kind = random.nextInt(4);
                values[i] =
                        kind == 0 ? null : kind == 1 ? PLACEHOLDER : "y".repeat(random.nextInt(99));
            }
            layer.file(first, values);
            first += values.length + random.nextInt(5);
        }
        layer.commit();
    }
}
