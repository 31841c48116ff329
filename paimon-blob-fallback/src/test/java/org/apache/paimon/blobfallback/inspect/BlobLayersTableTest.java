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

import static java.util.Collections.singletonList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.CloseableIterator;
import org.apache.paimon.utils.InstantiationUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The system table {@code $blob_layers}, on files that this plugin has written. */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
class BlobLayersTableTest {

    /** Bytes that an entry takes besides its blob. */
    private static final int OVERHEAD = 16;

    private static final List<String> COUNTS =
            List.of(
                    "column_name",
                    "layer",
                    "first_row_id",
                    "last_row_id",
                    "data_count",
                    "null_count",
                    "placeholder_count",
                    "winner_count",
                    "winner_bytes",
                    "superseded_bytes");

    @TempDir private Path folder;

    private LayeredTable table;

    private LayeredTable create(Map<String, String> options) throws Exception {
        table = new LayeredTable(folder, options);
        return table;
    }

    @AfterEach
    void everyStreamIsClosed() {
        table.fileIO().assertNothingOpen();
    }

    private static Predicate equal(String column, String value) {
        RowType type = BlobLayersTable.ROW_TYPE;
        return new PredicateBuilder(type)
                .equal(type.getFieldIndex(column), BinaryString.fromString(value));
    }

    private static List<List<Object>> rows(Table layers, List<String> columns, Predicate filter)
            throws Exception {
        RowType type = layers.rowType().project(columns);
        ReadBuilder builder = layers.newReadBuilder().withReadType(type).withFilter(filter);
        List<InternalRow.FieldGetter> getters = new ArrayList<>();
        for (int i = 0; i < type.getFieldCount(); i++) {
            getters.add(InternalRow.createFieldGetter(type.getTypeAt(i), i));
        }
        List<List<Object>> rows = new ArrayList<>();
        for (Split split : builder.newScan().plan().splits()) {
            Split sent = InstantiationUtil.clone(split);
            try (CloseableIterator<InternalRow> iterator =
                    builder.newRead().createReader(sent).toCloseableIterator()) {
                while (iterator.hasNext()) {
                    InternalRow row = iterator.next();
                    List<Object> values = new ArrayList<>();
                    for (InternalRow.FieldGetter getter : getters) {
                        Object value = getter.getFieldOrNull(row);
                        values.add(value instanceof BinaryString ? value.toString() : value);
                    }
                    rows.add(values);
                }
            }
        }
        return rows;
    }

    private List<List<Object>> rows(List<String> columns) throws Exception {
        return rows(BlobFallback.layers(table.table()), columns, null);
    }

    @Test
    void eachBlobFileHasARowWithItsLayerItsEntriesAndItsWinners() throws Exception {
        create(Map.of()).append("mon", 6);
        table.update("pic", Map.of(1L, 100, 2L, 200));
        Map<Long, Integer> withNull = new HashMap<>(Map.of(2L, 50));
        withNull.put(3L, null);
        table.update("pic", withNull);

        long old = 10 + OVERHEAD;
        assertThat(rows(COUNTS))
                .containsExactlyInAnyOrder(
                        List.of("pic", 1, 0L, 5L, 1L, 1L, 4L, 2L, 50L + OVERHEAD, 0L),
                        List.of("pic", 2, 0L, 5L, 2L, 0L, 4L, 1L, 100L + OVERHEAD, 200L + OVERHEAD),
                        List.of("pic", 3, 0L, 5L, 6L, 0L, 0L, 3L, 3 * old, 3 * old),
                        List.of("doc", 1, 0L, 5L, 6L, 0L, 0L, 6L, 6L * (20 + OVERHEAD), 0L));
    }

    @Test
    void aRowHasThePartitionTheSequenceNumberAndTheFile() throws Exception {
        create(Map.of()).append("mon", 2);

        List<List<Object>> rows =
                rows(
                        List.of(
                                "partition",
                                "sequence_number",
                                "file_path",
                                "file_size_in_bytes",
                                "column_name"));

        assertThat(rows).hasSize(2);
        for (List<Object> row : rows) {
            Path file = Path.of(URI.create((String) row.get(2)).getPath());
            assertThat(row.get(0)).isEqualTo("day=mon");
            assertThat(row.get(1)).isEqualTo(1L);
            assertThat(file).hasSize((Long) row.get(3)).hasExtension("blob");
        }
    }

    @Test
    void layersAreCountedInEachGroupByItself() throws Exception {
        create(Map.of()).append("mon", 2);
        table.append("mon", 2);
        table.update("pic", Map.of(2L, 7));

        assertThat(rows(List.of("column_name", "first_row_id", "layer")))
                .containsExactlyInAnyOrder(
                        List.of("pic", 0L, 1),
                        List.of("doc", 0L, 1),
                        List.of("pic", 2L, 1),
                        List.of("pic", 2L, 2),
                        List.of("doc", 2L, 1));
    }

    @Test
    void itReadsIndexesOnly() throws Exception {
        create(Map.of()).append("mon", 50);
        table.update("pic", Map.of(1L, 500_000));
        table.fileIO().reset();

        assertThat(rows(COUNTS)).hasSize(3);

        assertThat(table.fileIO().bytesRead(".blob")).isLessThan(3 * 100L);
        assertThat(table.fileIO().openedFiles(".parquet")).isEmpty();
    }

    @Test
    void aFilterOnPartitionAndColumnSparesTheOtherFiles() throws Exception {
        create(Map.of()).append("mon", 3);
        table.append("tue", 3);
        table.update("pic", Map.of(4L, 9));
        Table layers = BlobFallback.layers(table.table());
        List<String> files = List.of("partition", "column_name", "layer");
        table.fileIO().reset();

        assertThat(
                        rows(
                                layers,
                                files,
                                PredicateBuilder.and(
                                        equal("partition", "day=tue"),
                                        equal("column_name", "pic"))))
                .containsExactlyInAnyOrder(
                        List.of("day=tue", "pic", 1), List.of("day=tue", "pic", 2));
        assertThat(table.fileIO().openedFiles(".blob")).hasSize(2);

        table.fileIO().reset();
        assertThat(rows(layers, files, equal("partition", "day=wed"))).isEmpty();
        assertThat(table.fileIO().openedFiles(".blob")).isEmpty();
    }

    @Test
    void anyOtherFilterHoldsTooForTheRowsThatComeOut() throws Exception {
        create(Map.of()).append("mon", 3);
        table.update("pic", Map.of(0L, 9));
        RowType type = BlobLayersTable.ROW_TYPE;
        Predicate older = new PredicateBuilder(type).greaterThan(type.getFieldIndex("layer"), 1);

        assertThat(rows(BlobFallback.layers(table.table()), List.of("column_name", "layer"), older))
                .containsExactly(List.of("pic", 2));
    }

    @Test
    void itShowsTheSnapshotTheTagOrTheBranchThatIsAskedFor() throws Exception {
        create(Map.of()).append("mon", 3);
        table.table().createTag("before", 1);
        table.table().createBranch("side");
        LayeredTable.append(table.table().switchToBranch("side"), "tue", 3);
        table.update("pic", Map.of(0L, 9));
        Table layers = BlobFallback.layers(table.table());
        List<String> columns = List.of("column_name", "layer");
        List<List<Object>> before = List.of(List.of("pic", 1), List.of("doc", 1));

        assertThat(rows(layers, columns, null)).hasSize(3);
        assertThat(rows(layers.copy(Map.of("scan.snapshot-id", "1")), columns, null))
                .containsExactlyInAnyOrderElementsOf(before);
        assertThat(rows(layers.copy(Map.of("scan.tag-name", "before")), columns, null))
                .containsExactlyInAnyOrderElementsOf(before);
        assertThat(rows(BlobFallback.layers(table.table().switchToBranch("side")), columns, null))
                .containsExactlyInAnyOrderElementsOf(before);
    }

    /** R12 */
    @Test
    void aCorruptFileFailsTheReadOrHasNoCountsIfCorruptFilesAreIgnored() throws Exception {
        create(Map.of()).append("mon", 3);
        String file = (String) rows(List.of("file_path")).get(0).get(0);
        try (RandomAccessFile bytes = new RandomAccessFile(URI.create(file).getPath(), "rw")) {
            bytes.seek(bytes.length() - 1);
            bytes.write(0);
        }

        assertThatThrownBy(() -> rows(COUNTS))
                .hasMessageContaining(file.substring(file.lastIndexOf('/')))
                .hasMessageContaining("expected version 1");
        List<List<Object>> rows =
                rows(
                        BlobFallback.layers(
                                table.table().copy(Map.of("scan.ignore-corrupt-files", "true"))),
                        List.of("file_path", "data_count", "winner_bytes"),
                        null);
        assertThat(rows).hasSize(2).filteredOn(row -> row.get(1) == null).hasSize(1);
        assertThat(rows.get(0)).startsWith(file).endsWith((Object) null, (Object) null);
    }

    @Test
    void filesOfADroppedColumnHaveNoColumnName() throws Exception {
        create(Map.of()).append("mon", 3);
        table.alter(SchemaChange.dropColumn("doc"));

        assertThat(rows(List.of("column_name")))
                .containsExactlyInAnyOrder(List.of("pic"), singletonList(null));
    }
}
