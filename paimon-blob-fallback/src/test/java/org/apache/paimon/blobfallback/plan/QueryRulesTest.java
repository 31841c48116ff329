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

import static org.apache.paimon.blobfallback.testtable.LayeredTable.string;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.blobfallback.testtable.BlobLayer;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.blobfallback.testtable.TableRows;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.catalog.TableQueryAuthResult;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.predicate.FieldRef;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.predicate.UpperTransform;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.CatalogEnvironment;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.TableRead;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.utils.JsonSerdeUtil;
import org.apache.paimon.utils.Range;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables whose catalog says which rows a query sees and which columns are masked. */
class QueryRulesTest {

    private static final String UPPER_NAME =
            JsonSerdeUtil.toFlatJson(
                    new UpperTransform(List.of(new FieldRef(1, "name", DataTypes.STRING()))));

    @TempDir private java.nio.file.Path folder;

    private LayeredTable layered;
    private PredicateBuilder where;

    @BeforeEach
    void createTable() throws Exception {
        layered = LayeredTable.create(LocalFileIO.create(), folder);
        layered.append(0, 2).append(3, 5).append(6, 8);
        layered.layer("pic").file(3, BlobLayer.PLACEHOLDER, "newer", "newer5").commit();
        where = new PredicateBuilder(layered.stock().rowType());
    }

    @Test
    void rowRangesHoldBesideARuleOfRows() throws Exception {
        ReadBuilder read =
                with(where.greaterOrEqual(0, 4))
                        .newReadBuilder()
                        .withProjection(new int[] {0, 2})
                        .withRowRanges(List.of(new Range(3, 4), new Range(8, 8)));

        assertThat(rows(read)).containsExactly("4 newer", "8 pic8");
    }

    @Test
    void aLimitCountsNoRowThatARuleLeavesOut() throws Exception {
        ReadBuilder read =
                with(where.greaterOrEqual(0, 5))
                        .newReadBuilder()
                        .withProjection(new int[] {0, 2})
                        .withLimit(2);

        assertThat(rows(read)).contains("5 newer5", "6 pic6");
    }

    @Test
    void aRuleOnAColumnThatIsNotReadIsDecidedOnItsValues() throws Exception {
        ReadBuilder read =
                with(where.between(0, 4, 6)).newReadBuilder().withProjection(new int[] {2});

        List<String> pics = new ArrayList<>();
        try (RecordReader<InternalRow> reader =
                read.newRead().createReader(read.newScan().plan())) {
            reader.forEachRemaining(row -> pics.add(text(row, 0)));
        }
        assertThat(pics).containsExactly("newer", "newer5", "pic6");
    }

    @Test
    void aFilterOnAMaskedColumnMeansTheMask() throws Exception {
        FileStoreTable masked = with(null, Map.of("name", UPPER_NAME));

        assertThat(rows(named(masked, "NAME4"))).containsExactly("4 newer");
        assertThat(rows(named(masked, "name4"))).isEmpty();
    }

    @Test
    void theRestOfAFilterStillLeavesOutFiles() throws Exception {
        FileStoreTable masked = with(null, Map.of("name", UPPER_NAME));
        ReadBuilder read =
                masked.newReadBuilder()
                        .withProjection(new int[] {0, 2, 1})
                        .withFilter(
                                PredicateBuilder.and(
                                        where.greaterThan(0, 6),
                                        where.notEqual(1, string("NAME7"))));

        assertThat(read.newScan().plan().splits()).hasSize(1);
        assertThat(rows(read)).containsExactly("8 pic8");
    }

    @Test
    void aFilterOfAStreamMeansTheMask() throws Exception {
        FileStoreTable masked = with(null, Map.of("name", UPPER_NAME));
        ReadBuilder read = named(masked, "NAME4");

        List<String> rows = new ArrayList<>();
        try (RecordReader<InternalRow> reader =
                read.newRead().executeFilter().createReader(read.newStreamScan().plan())) {
            reader.forEachRemaining(row -> rows.add(row.getInt(0) + " " + text(row, 1)));
        }
        assertThat(rows).containsExactly("4 newer");
        // The rest of a filter still leaves out files, and rows whose blobs are not read.
        ReadBuilder byId = masked.newReadBuilder().withFilter(where.greaterThan(0, 6));
        assertThat(ids(byId)).containsExactly(7, 8);
    }

    private static List<Integer> ids(ReadBuilder read) throws Exception {
        List<Integer> ids = new ArrayList<>();
        try (RecordReader<InternalRow> reader =
                read.newRead().createReader(read.newStreamScan().plan())) {
            reader.forEachRemaining(row -> ids.add(row.getInt(0)));
        }
        return ids;
    }

    /** The host hands out the columns of the rule from the second split on. */
    @Test
    void theRowsOfEachSplitHaveTheColumnsOfTheRead() throws Exception {
        ReadBuilder read =
                with(where.between(0, 4, 6)).newReadBuilder().withProjection(new int[] {2});
        TableRead rows = read.newRead();
        List<Split> splits = read.newScan().plan().splits();

        for (int i = 0; i < 2; i++) {
            List<Integer> columns = new ArrayList<>();
            try (RecordReader<InternalRow> reader = rows.createReader(splits)) {
                reader.forEachRemaining(row -> columns.add(row.getFieldCount()));
            }
            assertThat(columns).containsExactly(1, 1, 1);
        }
    }

    /** They tell of files, as {@code $files} does, and hand out no value of a row. */
    @Test
    void whatLooksAtFilesSeesThoseOfAllRows() throws Exception {
        FileStoreTable ruled = with(where.equal(0, 4));

        assertThat(BlobFallback.verify(ruled).fileCount()).isEqualTo(7);
        assertThat(BlobFallback.drawLayers(ruled, "pic", 4)).contains("|.DD|", "|Ddd|");
        assertThat(TableRows.of(BlobFallback.layers(ruled)).rows())
                .hasSize(7)
                .isEqualTo(TableRows.of(BlobFallback.layers(layered.table())).rows());
    }

    private ReadBuilder named(FileStoreTable table, String name) {
        return table.newReadBuilder()
                .withProjection(new int[] {0, 2, 1})
                .withFilter(where.equal(1, string(name)));
    }

    private FileStoreTable with(Predicate rowsToSee) {
        return with(List.of(JsonSerdeUtil.toFlatJson(rowsToSee)), null);
    }

    private FileStoreTable with(List<String> rowsToSee, Map<String, String> masks) {
        TableQueryAuthResult rules = new TableQueryAuthResult(rowsToSee, masks);
        CatalogEnvironment environment =
                new CatalogEnvironment(
                        Identifier.create("db", "t"),
                        null,
                        () -> catalog(rules),
                        null,
                        null,
                        null,
                        false,
                        false);
        FileStoreTable stock = layered.stock();
        return BlobFallback.wrap(
                        FileStoreTableFactory.create(
                                stock.fileIO(), stock.location(), stock.schema(), environment))
                .copy(
                        Map.of(
                                BlobFallbackOptions.ENABLED.key(),
                                "true",
                                "query-auth.enabled",
                                "true"));
    }

    /** A catalog that knows the rules of a query and nothing else. */
    private static Catalog catalog(TableQueryAuthResult rules) {
        return (Catalog)
                Proxy.newProxyInstance(
                        Catalog.class.getClassLoader(),
                        new Class<?>[] {Catalog.class},
                        (proxy, method, arguments) -> {
                            switch (method.getName()) {
                                case "authTableQuery":
                                    return rules;
                                case "close":
                                    return null;
                                default:
                                    throw new UnsupportedOperationException(method.getName());
                            }
                        });
    }

    /** Id and picture of the rows that pass, with the filter applied again as engines do. */
    private static List<String> rows(ReadBuilder read) throws Exception {
        List<String> rows = new ArrayList<>();
        try (RecordReader<InternalRow> reader =
                read.newRead().executeFilter().createReader(read.newScan().plan())) {
            reader.forEachRemaining(row -> rows.add(row.getInt(0) + " " + text(row, 1)));
        }
        return rows;
    }

    private static String text(InternalRow row, int column) {
        return new String(row.getBlob(column).toData(), StandardCharsets.UTF_8);
    }
}
