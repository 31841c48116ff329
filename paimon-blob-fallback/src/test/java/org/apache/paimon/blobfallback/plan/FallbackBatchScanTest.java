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
import static org.apache.paimon.blobfallback.testtable.LayeredTable.string;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.predicate.FieldRef;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.predicate.SortValue;
import org.apache.paimon.predicate.TopN;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.Range;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a batch scan makes of row ids in filters, limits, sort orders and shards. */
class FallbackBatchScanTest {

    @TempDir private java.nio.file.Path folder;

    private LayeredTable table;
    private RowType type;
    private PredicateBuilder filters;
    private int rowId;

    @BeforeEach
    void createTable() throws Exception {
        table = LayeredTable.create(LocalFileIO.create(), folder);
        table.append(0, 2).append(3, 5).append(6, 8);
        type = SpecialFields.rowTypeWithRowTracking(table.table().rowType());
        filters = new PredicateBuilder(type);
        rowId = type.getFieldIndex(SpecialFields.ROW_ID.name());
    }

    @Test
    void aRowIdOrAValueFindsTheRowsOfBoth() throws Exception {
        Predicate filter = PredicateBuilder.or(filters.equal(rowId, 1L), filters.equal(0, 7));

        assertThat(ids(read().withFilter(filter))).contains(1, 7);
    }

    @Test
    void aRowIdAndAValueFindTheRowsOfTheFilesOfBoth() throws Exception {
        Predicate filter = PredicateBuilder.and(filters.equal(rowId, 4L), filters.lessThan(0, 7));

        assertThat(ids(read().withFilter(filter))).containsExactly(4);
        assertThat(ids(read().withFilter(PredicateBuilder.and(filter, filters.equal(0, 8)))))
                .isEmpty();
    }

    @Test
    void rowIdsMayComeInAnyOrderTwiceAndAsNull() throws Exception {
        Predicate descending = filters.in(rowId, Arrays.<Object>asList(7L, 4L, 4L, 1L, null));
        Predicate ascending = filters.in(rowId, List.of(1L, 2L, 7L));

        assertThat(ids(read().withFilter(descending))).containsExactly(1, 4, 7);
        assertThat(ids(read().withFilter(PredicateBuilder.and(descending, ascending))))
                .containsExactly(1, 7);
        assertThat(ids(read().withFilter(filters.between(rowId, 5L, 3L)))).isEmpty();
    }

    @Test
    void rowIdsOfAFilterHoldBesideRowRanges() throws Exception {
        Predicate filter = filters.in(rowId, List.of(1L, 4L, 7L));

        assertThat(
                        ids(
                                read().withFilter(filter)
                                        .withRowRanges(List.of(new Range(3, 4), new Range(8, 8)))))
                .containsExactly(4);
    }

    @Test
    void aLimitBesideAFilterOnRowIdsLeavesOutNoRow() throws Exception {
        Predicate filter = filters.greaterThan(rowId, 6L);

        assertThat(ids(read().withFilter(filter).withLimit(2))).contains(7, 8);
    }

    @Test
    void aLimitCountsTheRowsOfEachRangeThatABlobFileJoins() throws Exception {
        table.layer("pic").file(2, "p2", PLACEHOLDER, PLACEHOLDER, "p5", "p6").commit();

        for (int limit = 1; limit <= 9; limit++) {
            assertThat(ids(read().withLimit(limit)))
                    .as("%s rows", limit)
                    .hasSizeGreaterThanOrEqualTo(limit);
        }
    }

    @Test
    void aLimitIsReachedAcrossManifestsWhoseGroupsAreJoined() throws Exception {
        table.appendWithoutBlobs(9, 9);
        table.layer("pic").file(0, PLACEHOLDER).commit();
        table.layer("doc").file(0, "a", "b", "c", "d", "e", "f", "g", "h", "i", "j").commit();

        assertThat(ids(read().withLimit(10))).hasSize(10);
    }

    /** All groups are in one manifest. */
    @Test
    void aLimitPlansNoMoreGroupsThanHoldItsRows() throws Exception {
        table.alter(SchemaChange.setOption("manifest.merge-min-count", "2"));
        for (int first = 9; first < 60; first += 3) {
            table.append(first, first + 2);
        }
        table.layer("pic").file(2, "p2", PLACEHOLDER, PLACEHOLDER, "p5", "p6").commit();
        assertThat(dataFiles(read())).isEqualTo(20 * 3 + 1);

        // Three groups that a blob file joins, with a normal file and two blob files each.
        assertThat(dataFiles(read().withLimit(1))).isEqualTo(3 * 3 + 1);
        assertThat(dataFiles(read().withLimit(9))).isEqualTo(3 * 3 + 1);
        assertThat(dataFiles(read().withLimit(10))).isEqualTo(4 * 3 + 1);
    }

    private static int dataFiles(ReadBuilder read) {
        return read.newScan().plan().splits().stream()
                .mapToInt(split -> ((DataSplit) split).dataFiles().size())
                .sum();
    }

    @Test
    void aSortOrderLeavesOutNoFile() throws Exception {
        table.rewrite("name", 0, string("z0"), string("z1"), string("z2"));
        TopN top =
                new TopN(
                        new FieldRef(1, "name", DataTypes.STRING()),
                        SortValue.SortDirection.ASCENDING,
                        SortValue.NullOrdering.NULLS_LAST,
                        1);
        table.alter(SchemaChange.setOption("metadata.stats-mode", "none"));
        table.rewrite("name", 3, string("a3"), string("a4"), string("a5"));

        assertThat(ids(read().withTopN(top))).contains(3);
    }

    @Test
    void theShardsOfAReadHoldItsRowRanges() throws Exception {
        List<Integer> ids = new ArrayList<>();
        for (int shard = 0; shard < 2; shard++) {
            ids.addAll(ids(read().withRowRanges(List.of(new Range(4, 6))).withShard(shard, 2)));
        }

        assertThat(ids).containsExactly(4, 5, 6);
    }

    private ReadBuilder read() {
        return table.table().newReadBuilder().withReadType(type);
    }

    private static List<Integer> ids(ReadBuilder read) throws Exception {
        List<Integer> ids = new ArrayList<>();
        try (RecordReader<InternalRow> reader =
                read.newRead().createReader(read.newScan().plan())) {
            reader.forEachRemaining(row -> ids.add(row.getInt(0)));
        }
        return ids;
    }
}
