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

package org.apache.paimon.blobfallback.plan.index;

import static org.apache.paimon.blobfallback.testtable.LayeredTable.string;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.testio.CapturedLog;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.globalindex.GlobalIndexBuilderUtils;
import org.apache.paimon.globalindex.GlobalIndexSingletonWriter;
import org.apache.paimon.globalindex.btree.BTreeGlobalIndexBuilder;
import org.apache.paimon.index.IndexFileMeta;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.TableRead;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.utils.Range;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** R20: filters on tables that have global indexes of the host. */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
class GlobalIndexSearchTest {

    @TempDir private java.nio.file.Path folder;

    private LayeredTable table;

    @BeforeEach
    void createTable() throws Exception {
        table = LayeredTable.create(LocalFileIO.create(), folder);
        table.append(0, 9);
    }

    @Test
    void aBtreeTellsTheRowsToRead() throws Exception {
        buildBtree("name");

        assertThat(ids(nameIs("name7"))).containsExactly(7);
        assertThat(ids(nameIs("other"))).isEmpty();
    }

    /** The rows are those of before or of after it, whatever the index was asked for. */
    @Test
    void rowsThatAreOverwrittenWhileTheIndexIsSearchedAreRead() throws Exception {
        RacingFileIO fileIO = new RacingFileIO();
        table = LayeredTable.create(fileIO, folder.resolve("raced"));
        table.append(0, 9);
        buildBtree("name");
        fileIO.raceWith(this::overwrite);

        assertThat(ids(nameIs("name7"))).containsExactly(7);
        assertThat(fileIO.hasRaced()).isTrue();
        assertThat(ids(nameIs("name7"))).contains(7);
        assertThat(table.table().snapshotManager().latestSnapshotId()).isEqualTo(3);
    }

    private void overwrite() throws Exception {
        BatchWriteBuilder builder = table.stock().newBatchWriteBuilder().withOverwrite();
        try (BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            for (int id = 0; id < 10; id++) {
                write.write(GenericRow.of(id, string("name" + id), null, null));
            }
            commit.commit(write.prepareCommit());
        }
    }

    /** The host's index fails on it. */
    @Test
    void anIndexIsAskedForRowsOutsideARange() throws Exception {
        buildBtree("id");
        PredicateBuilder builder = new PredicateBuilder(table.table().rowType());
        Predicate outside = builder.between(0, 3, 6).negate().orElseThrow();

        assertThat(ids(outside)).containsExactly(0, 1, 2, 7, 8, 9);
        assertThat(ids(PredicateBuilder.and(outside, builder.lessThan(0, 8))))
                .containsExactly(0, 1, 2, 7);
        assertThat(table.table().newVectorSearchBuilder().withFilter(outside)).isNotNull();
    }

    @Test
    void aRewrittenColumnIsFilteredRowByRow() throws Exception {
        buildBtree("name");
        table.append(10, 11);
        table.rewrite("name", 10, string("a"), string("z"));

        // Rows 10 and 11 are in no index.
        assertThat(ids(nameIs("z"))).isEmpty();
        assertThat(ids(nameIs("name7"))).containsExactly(7);
        buildBtree("name");
        assertThat(ids(nameIs("name7"))).containsExactly(7, 10, 11);
    }

    @Test
    void aColumnWhoseTypeHasChangedIsFilteredRowByRow() throws Exception {
        buildBtree("id");
        table.alter(SchemaChange.updateColumnType("id", DataTypes.BIGINT()));
        PredicateBuilder builder = new PredicateBuilder(table.table().rowType());

        assertThat(planned(builder.equal(0, 7L))).isEqualTo(10);
    }

    @Test
    void anIndexOfAnotherTypeIsNotUsedAndNamedOnceInTheLog() throws Exception {
        buildBitmap("name");
        String name = indexFiles().get(0).fileName();

        String first =
                CapturedLog.of("warn", () -> assertThat(planned(nameIs("name7"))).isEqualTo(10));
        String second = CapturedLog.of("warn", () -> planned(nameIs("name7")));

        assertThat(first)
                .contains(name, "on column name of table", "is not used, all rows are filtered")
                .contains(
                        "files of type bitmap do not say which version of Paimon has written them");
        assertThat(second).doesNotContain(name);
    }

    @Test
    void aBtreeOfALaterVersionIsNotUsed() throws Exception {
        buildBtree("name");
        changeFooter(8, (byte) 2);

        String log =
                CapturedLog.of("warn", () -> assertThat(planned(nameIs("name7"))).isEqualTo(10));

        assertThat(log).contains("its version is 2, and Paimon 1.4 knows 1.");
    }

    @Test
    void aFileThatIsNotABtreeIsNotUsed() throws Exception {
        buildBtree("name");
        changeFooter(4, (byte) 0);

        String log =
                CapturedLog.of("warn", () -> assertThat(planned(nameIs("name7"))).isEqualTo(10));

        assertThat(log).contains("File is not a btree index file");
    }

    @Test
    void theSwitchOfTheHostTurnsTheSearchOff() throws Exception {
        buildBtree("name");
        table.alter(SchemaChange.setOption("global-index.enabled", "false"));

        assertThat(planned(nameIs("name7"))).isEqualTo(10);
    }

    @Test
    void changesAreNotSearchedByAnIndexOfTheWholeTable() throws Exception {
        buildBtree("name");
        table.append(10, 11);
        FileStoreTable changes = table.table().copy(Map.of("incremental-between", "2,3"));

        assertThat(ids(changes, nameIs("name10"))).containsExactly(10, 11);
    }

    @Test
    void anUnknownSearchModeIsRefused() throws Exception {
        buildBtree("name");
        table.alter(SchemaChange.setOption("scalar-index.search-mode", "fastest"));

        assertThatThrownBy(() -> planned(nameIs("name7")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("scalar-index.search-mode");
    }

    @Test
    void searchesForTheNearestRowsRefuseModesThatAskForRowsOfNoIndex() throws Exception {
        FileStoreTable full = table.table().copy(Map.of("global-index.search-mode", "full"));

        assertThatThrownBy(full::newVectorSearchBuilder)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("set 'vector-index.search-mode' = 'fast'");
        assertThatThrownBy(full::newFullTextSearchBuilder)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("set 'full-text-index.search-mode' = 'fast'");
        assertThat(full.copy(Map.of("vector-index.search-mode", "fast")).newVectorSearchBuilder())
                .isNotNull();
    }

    @Test
    void aVectorSearchRefusesAFilterWhoseIndexMayBeReadWrong() throws Exception {
        buildBtree("id");
        buildBitmap("name");
        PredicateBuilder builder = new PredicateBuilder(table.table().rowType());

        assertThatThrownBy(() -> table.table().newVectorSearchBuilder().withFilter(nameIs("name7")))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("has a global index for the filter")
                .hasMessageContaining("name7");
        assertThat(table.table().newVectorSearchBuilder().withFilter(builder.equal(0, 7)))
                .isNotNull();
    }

    @Test
    void aVectorSearchRefusesAFilterWhoseIndexMayHaveOldValues() throws Exception {
        buildBtree("id");
        buildBtree("name");
        PredicateBuilder builder = new PredicateBuilder(table.table().rowType());
        Object[] names = new Object[10];
        Arrays.setAll(names, id -> string("new" + id));
        table.rewrite("name", 0, names);

        assertThatThrownBy(() -> table.table().newVectorSearchBuilder().withFilter(nameIs("name7")))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("whose indexed column was rewritten");
        assertThat(table.table().newVectorSearchBuilder().withFilter(builder.equal(0, 7)))
                .isNotNull();
    }

    private Predicate nameIs(String name) {
        return new PredicateBuilder(table.stock().rowType()).equal(1, string(name));
    }

    /** Number of rows that a plan leaves to read. */
    private int planned(Predicate filter) throws Exception {
        return ids(filter).size();
    }

    private List<Integer> ids(Predicate filter) throws Exception {
        return ids(table.table(), filter);
    }

    private static List<Integer> ids(FileStoreTable read, Predicate filter) throws Exception {
        List<Integer> ids = new ArrayList<>();
        ReadBuilder builder = read.newReadBuilder();
        // Of the filter the plan alone is told.
        TableRead everyRow = builder.newRead();
        try (RecordReader<InternalRow> reader =
                everyRow.createReader(builder.withFilter(filter).newScan().plan())) {
            reader.forEachRemaining(
                    row -> ids.add(row.isNullAt(0) ? null : (int) number(read, row)));
        }
        return ids;
    }

    private static long number(FileStoreTable read, InternalRow row) {
        return read.rowType().getTypeAt(0).equals(DataTypes.INT()) ? row.getInt(0) : row.getLong(0);
    }

    private List<IndexFileMeta> indexFiles() {
        return table.stock().store().newIndexFileHandler().scanEntries().stream()
                .map(IndexManifestEntry::indexFile)
                .toList();
    }

    /** Changes a byte of the only index file, counted from its end. */
    private void changeFooter(int fromEnd, byte value) throws Exception {
        java.nio.file.Path file =
                java.nio.file.Path.of(
                        table.stock()
                                .store()
                                .pathFactory()
                                .globalIndexFileFactory()
                                .toPath(indexFiles().get(0))
                                .toUri());
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - fromEnd] = value;
        Files.write(file, bytes);
    }

    private void buildBtree(String column) throws Exception {
        BTreeGlobalIndexBuilder builder =
                new BTreeGlobalIndexBuilder(table.stock()).withIndexField(column);
        List<CommitMessage> messages = new ArrayList<>();
        try (IOManager ioManager = IOManager.create(folder.toString())) {
            for (DataSplit split : builder.incrementalScan().orElseThrow().getValue()) {
                messages.addAll(builder.build(split, ioManager));
            }
        }
        commit(messages);
    }

    private void buildBitmap(String column) throws Exception {
        FileStoreTable stock = table.stock();
        DataField field = stock.rowType().getField(column);
        GlobalIndexSingletonWriter writer =
                (GlobalIndexSingletonWriter)
                        GlobalIndexBuilderUtils.createIndexWriter(
                                stock, "bitmap", field, stock.coreOptions().toConfiguration());
        for (int id = 0; id < 10; id++) {
            writer.write(string("name" + id));
        }
        List<IndexFileMeta> files =
                GlobalIndexBuilderUtils.toIndexFileMetas(
                        stock.fileIO(),
                        stock.store().pathFactory().globalIndexFileFactory(),
                        stock.coreOptions(),
                        new Range(0, 9),
                        field.id(),
                        "bitmap",
                        writer.finish());
        commit(
                List.of(
                        new CommitMessageImpl(
                                BinaryRow.EMPTY_ROW,
                                0,
                                null,
                                DataIncrement.indexIncrement(files),
                                CompactIncrement.emptyIncrement())));
    }

    /** Runs something else once, when a file of an index is opened. */
    private static final class RacingFileIO extends LocalFileIO {

        private static final long serialVersionUID = 1L;

        private transient Executable race;
        private transient boolean raced;

        private void raceWith(Executable other) {
            race = other;
        }

        private boolean hasRaced() {
            return raced;
        }

        @Override
        public SeekableInputStream newInputStream(Path path) throws IOException {
            if (race != null && path.getParent().getName().equals("index")) {
                Executable other = race;
                race = null;
                try {
                    other.execute();
                } catch (Throwable e) {
                    throw new IOException(e);
                }
                raced = true;
            }
            return super.newInputStream(path);
        }
    }

    private void commit(List<CommitMessage> messages) throws Exception {
        try (BatchTableCommit commit = table.stock().newBatchWriteBuilder().newCommit()) {
            commit.commit(messages);
        }
    }
}
