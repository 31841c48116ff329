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

import static java.util.Arrays.asList;
import static org.apache.paimon.blobfallback.testtable.BlobLayer.PLACEHOLDER;
import static org.apache.paimon.blobfallback.testtable.LayeredTable.blob;
import static org.apache.paimon.blobfallback.testtable.LayeredTable.string;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.paimon.blobfallback.read.blobs.BlobBatches;
import org.apache.paimon.blobfallback.testio.StreamOperation;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.blobfallback.testtable.OnLayeredTable;
import org.apache.paimon.blobfallback.testtable.TableRows;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.BinaryRowWriter;
import org.apache.paimon.data.BinaryVector;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.globalindex.IndexedSplit;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.reader.ScoreRecordIterator;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.utils.Range;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the read rules, one group of tests for each rule, on real tables of the host. */
class ReadRulesTest extends OnLayeredTable {

    @Nested
    class R1LayersAreOrderedBySequenceNumber {

        @Test
        void theHighestNumberIsTheNewestForAnyOrderOfCommits() throws Exception {
            table.appendWithoutBlobs(0, 1);
            table.layer("pic").sequence(9).file(0, "nine", PLACEHOLDER).commit();
            table.layer("pic").sequence(5).file(0, "five", "five").commit();
            table.layer("pic").sequence(7).file(0, "seven", "seven").commit();

            assertThat(table.read("pic").values()).containsExactly("nine", "seven");
        }

        @Test
        void filesOfOneNumberAreOneLayerWhicheverCommitBroughtThem() throws Exception {
            table.appendWithoutBlobs(0, 3);
            table.layer("pic").sequence(5).file(2, "c", "d").commit();
            table.layer("pic").sequence(5).file(0, "a", "b").commit();

            assertThat(table.read("pic").values()).containsExactly("a", "b", "c", "d");
        }

        @Test
        void twoFilesOfOneLayerThatOverlapAreAnErrorThatNamesBoth() throws Exception {
            table.appendWithoutBlobs(0, 3);
            table.layer("pic").sequence(5).file(0, "a", "b", "c").commit();
            table.layer("pic").sequence(5).file(2, "x", "y").commit();
            List<DataFileMeta> files = table.blobFiles("pic");

            assertThatThrownBy(() -> table.read("pic").rows())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("overlap")
                    .hasMessageContaining("sequence number 5")
                    .hasMessageContaining(files.get(0).fileName())
                    .hasMessageContaining(files.get(1).fileName());
        }

        /** Overlap is a matter of one column. */
        @Test
        void filesOfTwoColumnsMayHaveOneNumber() throws Exception {
            table.appendWithoutBlobs(0, 1);
            table.layer("pic").sequence(5).file(0, "a", "b").commit();
            table.layer("doc").sequence(5).file(0, "x", "y").commit();

            assertThat(table.read("pic", "doc").rows())
                    .containsExactly(List.of("a", "x"), List.of("b", "y"));
        }
    }

    @Nested
    class R2ARowsValueIsItsWinner {

        @Test
        void theNewestEntryThatIsNoPlaceholderWins() throws Exception {
            table.append(0, 4);
            update("one", PLACEHOLDER, PLACEHOLDER, "one", PLACEHOLDER);
            update(PLACEHOLDER, "two", PLACEHOLDER, "two", PLACEHOLDER);
            update(PLACEHOLDER, PLACEHOLDER, PLACEHOLDER, PLACEHOLDER, PLACEHOLDER);
            update("", PLACEHOLDER, PLACEHOLDER, PLACEHOLDER, PLACEHOLDER);

            assertThat(table.read("pic").values())
                    .containsExactly("", "two", "pic2", "two", "pic4");
        }

        @Test
        void eachGroupAndEachColumnHasItsOwnLayers() throws Exception {
            table.append(0, 1);
            table.append(2, 3);
            table.layer("pic").file(2, "new", PLACEHOLDER).commit();
            table.layer("doc").file(0, PLACEHOLDER, "new").commit();

            assertThat(table.read("id", "pic", "doc").rows())
                    .containsExactly(
                            List.of(0, "pic0", "doc0"),
                            List.of(1, "pic1", "new"),
                            List.of(2, "new", "doc2"),
                            List.of(3, "pic3", "doc3"));
        }

        /** Bytes of a user are never a placeholder. */
        @Test
        void aBlobOfTheSentinelsBytesWinsLikeAnyOther() throws Exception {
            table.append(0, 0);
            update("\u0001BLOBPLHD");

            assertThat(table.read("pic").values()).containsExactly("\u0001BLOBPLHD");
        }

        /** More rows than a window, or two, with winners on both sides of their ends. */
        @Test
        void rowsOfManyWindowsEachFindTheirWinner() throws Exception {
            int rows = 6 * BlobBatches.MIN_PLACES + 17;
            table.appendWithoutBlobs(0, rows - 1);
            List<Object> expected = new ArrayList<>(Collections.nCopies(rows, null));
            for (int layer = 1; layer <= 3; layer++) {
                Object[] entries = new Object[rows];
                for (int i = 0; i < rows; i++) {
                    entries[i] = i % (2 * layer) == 0 ? "v" + layer + "-" + i : PLACEHOLDER;
                    if (entries[i] != PLACEHOLDER) {
                        expected.set(i, entries[i]);
                    }
                }
                table.layer("pic").file(0, entries).commit();
            }

            assertThat(table.read("pic").values()).isEqualTo(expected);
        }
    }

    @Nested
    class R3AnExplicitNullIsAWinner {

        @Test
        void aNullHidesOlderData() throws Exception {
            table.append(0, 2);
            update(null, PLACEHOLDER, null);
            update(PLACEHOLDER, PLACEHOLDER, "again");

            assertThat(table.read("pic").values()).containsExactly(null, "pic1", "again");
        }

        @Test
        void theLayerOfTheNullIsTheLayerOfTheRow() throws Exception {
            table.append(0, 1);
            update(null, PLACEHOLDER);

            assertThat(table.read("pic", "_SEQUENCE_NUMBER").rows())
                    .containsExactly(asList(null, 2L), asList("pic1", 1L));
        }
    }

    @Nested
    class R4WithoutAWinnerTheValueIsNull {

        @Test
        void placeholdersInEveryLayerAreNull() throws Exception {
            table.appendWithoutBlobs(0, 1);
            update(PLACEHOLDER, PLACEHOLDER);
            update(PLACEHOLDER, PLACEHOLDER);

            assertThat(table.read("id", "pic").rows())
                    .containsExactly(asList(0, null), asList(1, null));
        }

        /** No normal file is read here. */
        @Test
        void systemColumnsThatABunchServesAreTheRowsIdAndMinusOne() throws Exception {
            table.appendWithoutBlobs(0, 2);
            table.layer("pic").sequence(8).file(0, PLACEHOLDER, PLACEHOLDER, "eight").commit();
            table.layer("pic").sequence(4).file(0, PLACEHOLDER, "four", "four").commit();
            fileIO.reset();

            assertThat(table.read("_ROW_ID", "pic", "_SEQUENCE_NUMBER").rows())
                    .containsExactly(
                            asList(0L, null, -1L), asList(1L, "four", 4L), asList(2L, "eight", 8L));
            assertThat(fileIO.openedFiles(".avro")).noneMatch(name -> name.startsWith("data-"));
        }

        @Test
        void systemColumnsComeFromTheNormalFileWhereOneIsRead() throws Exception {
            table.append(0, 1);
            update("new", PLACEHOLDER);

            assertThat(table.read("_SEQUENCE_NUMBER", "pic", "id", "_ROW_ID").rows())
                    .containsExactly(asList(1L, "new", 0, 0L), asList(1L, "pic1", 1, 1L));
        }

        /** Rows 0 to 5: first has a file over 0 to 3, second over 2 to 4, and 5 is in neither. */
        @Test
        void theSequenceNumberOfARowDoesNotDependOnTheRowsThatAreAskedFor() throws Exception {
            table.append(0, 5);
            table.alter(
                    SchemaChange.addColumn("first", DataTypes.BLOB()),
                    SchemaChange.addColumn("second", DataTypes.BLOB()));
            table.layer("first")
                    .sequence(7)
                    .file(0, "f0", PLACEHOLDER)
                    .file(2, "f2", PLACEHOLDER)
                    .commit();
            table.layer("second").sequence(9).file(2, "s2", "s3", "s4").commit();
            String[] columns = {"first", "second", "_ROW_ID", "_SEQUENCE_NUMBER"};
            List<List<Object>> rows =
                    List.of(
                            asList("f0", null, 0L, 7L),
                            asList(null, null, 1L, -1L),
                            asList("f2", "s2", 2L, 7L),
                            asList(null, "s3", 3L, -1L),
                            asList(null, "s4", 4L, 9L),
                            asList(null, null, 5L, 1L));

            for (int from = 0; from < 6; from++) {
                for (int to = from; to < 6; to++) {
                    assertThat(table.read(columns).range(from, to).rows())
                            .as("%s to %s", from, to)
                            .isEqualTo(rows.subList(from, to + 1));
                }
            }
            assertThat(table.read(columns).range(0, 0).range(4, 5).rows())
                    .containsExactly(rows.get(0), rows.get(4), rows.get(5));
            assertThat(table.read(columns).rows()).isEqualTo(rows);
        }

        @Test
        void rowIdsAreTheRowsOwnInEveryGroup() throws Exception {
            table.append(0, 1);
            table.append(2, 4);
            table.layer("pic").file(2, PLACEHOLDER, "new", PLACEHOLDER).commit();

            assertThat(table.read("_ROW_ID", "pic").rows())
                    .containsExactly(
                            asList(0L, "pic0"),
                            asList(1L, "pic1"),
                            asList(2L, "pic2"),
                            asList(3L, "new"),
                            asList(4L, "pic4"));
        }
    }

    @Nested
    class R5AGapReadsAsPlaceholder {

        @ParameterizedTest
        @ValueSource(ints = {0, 1, 2, 3, 4})
        void aNewerFileMayCoverAnyPartOfTheGroup(int first) throws Exception {
            table.append(0, 4);
            table.layer("pic").file(first, "new").commit();

            List<Object> expected = new ArrayList<>(asList("pic0", "pic1", "pic2", "pic3", "pic4"));
            expected.set(first, "new");
            assertThat(table.read("pic").values()).isEqualTo(expected);
            assertThat(table.read("id", "pic").values()).isEqualTo(expected);
        }

        @Test
        void rowsThatNoLayerCoversAreNull() throws Exception {
            table.appendWithoutBlobs(0, 5);
            table.layer("pic").file(1, "a").file(3, "b", PLACEHOLDER).commit();
            table.layer("pic").file(4, PLACEHOLDER).commit();

            assertThat(table.read("pic").values())
                    .containsExactly(null, "a", null, "b", null, null);
            assertThat(table.read("_ROW_ID", "pic", "name").rows())
                    .startsWith(asList(0L, null, "name0"))
                    .endsWith(asList(5L, null, "name5"));
        }

        @Test
        void aGroupWithoutAnyBlobFileHasItsRows() throws Exception {
            table.appendWithoutBlobs(0, 1);
            table.append(2, 2);

            assertThat(table.read("pic").values()).containsExactly(null, null, "pic2");
            assertThat(table.read("pic", "doc").rows()).hasSize(3);
        }

        @Test
        void aColumnAddedLaterAndUpdatedInPartIsNullElsewhere() throws Exception {
            table.append(0, 3);
            table.alter(SchemaChange.addColumn("late", DataTypes.BLOB()));
            table.layer("late").file(2, "new").commit();

            assertThat(table.read("late").values()).containsExactly(null, null, "new", null);
            assertThat(table.read("late", "pic").rows())
                    .containsExactly(
                            asList(null, "pic0"),
                            asList(null, "pic1"),
                            asList("new", "pic2"),
                            asList(null, "pic3"));
        }
    }

    @Nested
    class R6RowRangesHoldInEveryLayerAndInGaps {

        @Test
        void everySubrangeReadsAsThatPartOfTheWhole() throws Exception {
            table.append(0, 6);
            table.layer("pic").file(1, "a", PLACEHOLDER).file(5, null, "b").commit();
            table.layer("pic").file(0, PLACEHOLDER).file(3, "c").commit();
            List<Object> all = table.read("pic").values();
            assertThat(all).containsExactly("pic0", "a", "pic2", "c", "pic4", null, "b");

            for (int from = 0; from <= 6; from++) {
                for (int to = from; to <= 6; to++) {
                    assertThat(table.read("pic").range(from, to).values())
                            .isEqualTo(all.subList(from, to + 1));
                    assertThat(table.read("_ROW_ID", "id", "pic").range(from, to).values())
                            .isEqualTo(all.subList(from, to + 1));
                }
            }
        }

        @Test
        void severalRangesAddUpInAnyOrder() throws Exception {
            table.append(0, 6);
            table.layer("pic").file(3, "c").commit();

            assertThat(
                            table.read("_ROW_ID", "pic")
                                    .range(5, 9)
                                    .range(0, 0)
                                    .range(2, 3)
                                    .range(3, 3)
                                    .rows())
                    .containsExactly(
                            List.of(0L, "pic0"),
                            List.of(2L, "pic2"),
                            List.of(3L, "c"),
                            List.of(5L, "pic5"),
                            List.of(6L, "pic6"));
        }

        /** However many rows the normal columns have behind it. */
        @Test
        void theFirstRowsOfALongGroupAreRead() throws Exception {
            table.appendWithoutBlobs(0, 60_000);
            table.layer("pic").file(0, "a", "b").commit();

            assertThat(table.read("id", "pic").range(0, 1).rows())
                    .containsExactly(List.of(0, "a"), List.of(1, "b"));
        }

        @Test
        void aFileThatNoRangeIntersectsIsNotOpened() throws Exception {
            table.appendWithoutBlobs(0, 5);
            table.layer("pic").file(0, "a", "b").file(2, "c", "d").file(4, "e", "f").commit();
            fileIO.reset();

            assertThat(table.read("pic").range(2, 2).values()).containsExactly("c");
            assertThat(fileIO.openedFiles(".blob"))
                    .containsExactly(table.blobFiles("pic").get(1).fileName());
        }

        /** The newest layer decides the row. */
        @Test
        void anOlderFileIsNotOpenedWhereEveryRowHasItsWinner() throws Exception {
            table.append(0, 2);
            table.layer("pic").file(0, "a", PLACEHOLDER, PLACEHOLDER).commit();
            fileIO.reset();

            assertThat(table.read("pic").range(0, 0).values()).containsExactly("a");
            assertThat(fileIO.openedFiles(".blob")).hasSize(1);
        }

        @Test
        void theScoresOfAnIndexedSplitStayWithTheirRows() throws Exception {
            table.append(0, 4);
            table.layer("pic").file(3, "new").commit();
            FileStoreTable wrapped = table.table();
            DataSplit split = (DataSplit) wrapped.newScan().plan().splits().get(0);
            IndexedSplit indexed =
                    new IndexedSplit(
                            split,
                            List.of(new Range(1, 1), new Range(3, 4)),
                            new float[] {0.1f, 0.3f, 0.4f});

            List<String> rows = new ArrayList<>();
            try (RecordReader<InternalRow> reader =
                    wrapped.newRead()
                            .withReadType(wrapped.rowType().project("pic"))
                            .createReader(indexed)) {
                for (var batch = reader.readBatch(); batch != null; batch = reader.readBatch()) {
                    for (InternalRow row = batch.next(); row != null; row = batch.next()) {
                        float score = ((ScoreRecordIterator<?>) batch).returnedScore();
                        rows.add(new String(row.getBlob(0).toData()) + " " + score);
                    }
                    batch.releaseBatch();
                }
            }
            assertThat(rows).containsExactly("pic1 0.1", "new 0.3", "pic4 0.4");
        }
    }

    @Nested
    class R7DescriptorsNameTheWinnersPlace {

        @Test
        void fileOffsetAndLengthAreTheWinnersAndNoPayloadIsRead() throws Exception {
            table.append(0, 2);
            update(PLACEHOLDER, "new value", PLACEHOLDER);
            List<DataFileMeta> files = table.blobFiles("pic");
            fileIO.reset();

            assertThat(table.read("pic").option("blob-as-descriptor", true).values())
                    .containsExactly(
                            files.get(0).fileName() + "@4+4",
                            files.get(1).fileName() + "@4+9",
                            files.get(0).fileName() + "@44+4");
            assertThat(fileIO.operations())
                    .filteredOn(operation -> operation.path().getName().endsWith(".blob"))
                    .filteredOn(operation -> operation.kind() == StreamOperation.Kind.READ)
                    .hasSize(2)
                    .allMatch(operation -> operation.length() <= 3 + 5);
        }

        @Test
        void theBytesThatADescriptorNamesAreTheRows() throws Exception {
            table.append(0, 1);
            update("new", PLACEHOLDER);
            FileStoreTable wrapped =
                    table.table().copy(Collections.singletonMap("blob-as-descriptor", "true"));
            List<String> bytes = new ArrayList<>();
            try (RecordReader<InternalRow> reader =
                    wrapped.newRead()
                            .withReadType(wrapped.rowType().project("pic"))
                            .createReader(wrapped.newScan().plan())) {
                reader.forEachRemaining(row -> bytes.add(new String(row.getBlob(0).toData())));
            }
            assertThat(bytes).containsExactly("new", "pic1");
        }
    }

    @Nested
    class R8ColumnsAreMatchedByFieldId {

        @Test
        void filesOfABunchMayDifferInSchema() throws Exception {
            table.append(0, 3);
            table.alter(SchemaChange.addColumn("note", DataTypes.STRING()));
            update("a", PLACEHOLDER, PLACEHOLDER, PLACEHOLDER);
            table.alter(SchemaChange.setOption("blob.target-file-size", "1 mb"));
            update(PLACEHOLDER, "b", PLACEHOLDER, PLACEHOLDER);
            table.alter(SchemaChange.renameColumn("name", "title"));
            update(PLACEHOLDER, PLACEHOLDER, "c", PLACEHOLDER);

            assertThat(table.files().stream().map(DataFileMeta::schemaId).distinct()).hasSize(4);
            assertThat(table.read("title", "pic", "note").rows())
                    .containsExactly(
                            asList("name0", "a", null),
                            asList("name1", "b", null),
                            asList("name2", "c", null),
                            asList("name3", "pic3", null));
        }

        @Test
        void aDroppedColumnAndANewOneOfItsNameDoNotMix() throws Exception {
            table.append(0, 1);
            table.alter(SchemaChange.dropColumn("doc"));
            table.alter(SchemaChange.addColumn("doc", DataTypes.BLOB()));
            table.layer("doc").file(1, "new").commit();

            assertThat(table.read("pic", "doc").rows())
                    .containsExactly(asList("pic0", null), asList("pic1", "new"));
            assertThat(table.read("doc").values()).containsExactly(null, "new");
        }
    }

    @Nested
    class R11AnyMixOfColumnsReads {

        @Test
        void everyOrderOfBlobNormalAndSystemColumns() throws Exception {
            table.append(0, 1);
            update("new", PLACEHOLDER);
            table.layer("doc").file(1, "new").commit();

            List<String> names = List.of("id", "pic", "_ROW_ID", "doc", "name");
            List<List<Object>> rows =
                    List.of(
                            List.of(0, "new", 0L, "doc0", "name0"),
                            List.of(1, "pic1", 1L, "new", "name1"));
            for (int rotation = 0; rotation < names.size(); rotation++) {
                List<String> rotated = new ArrayList<>(names);
                Collections.rotate(rotated, rotation);
                for (int count = 1; count <= names.size(); count++) {
                    List<List<Object>> expected = new ArrayList<>();
                    for (List<Object> row : rows) {
                        List<Object> values = new ArrayList<>(row);
                        Collections.rotate(values, rotation);
                        expected.add(values.subList(0, count));
                    }
                    assertThat(table.read(rotated.subList(0, count).toArray(new String[0])).rows())
                            .isEqualTo(expected);
                }
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"parquet", "orc", "avro"})
        void normalColumnsInAnyFormat(String format) throws Exception {
            table =
                    LayeredTable.create(
                            fileIO,
                            folder.resolve(format),
                            LayeredTable.schema().option("file.format", format).build());
            table.append(0, 3);
            update(PLACEHOLDER, "new", null, PLACEHOLDER);

            assertThat(table.read("pic", "name").range(1, 3).rows())
                    .containsExactly(
                            asList("new", "name1"), asList(null, "name2"), asList("pic3", "name3"));
        }

        @Test
        void partitionsHaveTheirGroups() throws Exception {
            Schema schema =
                    LayeredTable.schema()
                            .column("part", DataTypes.STRING())
                            .partitionKeys("part")
                            .build();
            table = LayeredTable.create(fileIO, folder.resolve("partitioned"), schema);
            for (String part : List.of("a", "b")) {
                table.append(
                        table.stock().rowType(),
                        List.of(
                                GenericRow.of(
                                        1, string(part), blob("pic"), blob("doc"), string(part))));
            }
            BinaryRow b = new BinaryRow(1);
            BinaryRowWriter writer = new BinaryRowWriter(b);
            writer.writeString(0, string("b"));
            writer.complete();
            table.layer("pic").partition(b).file(1, "new").commit();

            assertThat(table.read("part", "pic").rows())
                    .containsExactlyInAnyOrder(List.of("a", "pic"), List.of("b", "new"));
            assertThat(table.read("pic", "_ROW_ID", "part").rows())
                    .containsExactlyInAnyOrder(List.of("pic", 0L, "a"), List.of("new", 1L, "b"));
        }

        @Test
        void filesMayLieOutsideTheTable() throws Exception {
            table.append(0, 1);
            java.nio.file.Path outside = Files.createDirectory(folder.resolve("outside"));
            table.layer("pic").external(outside).file(0, PLACEHOLDER, "far away").commit();

            assertThat(table.read("pic").values()).containsExactly("pic0", "far away");
        }

        @Test
        void vectorFilesMayStandBeside() throws Exception {
            Schema schema =
                    LayeredTable.schema()
                            .column("embedding", DataTypes.VECTOR(2, DataTypes.FLOAT()))
                            .option("vector.file.format", "json")
                            .option("file.format", "parquet")
                            .option("file.compression", "none")
                            .build();
            table = LayeredTable.create(fileIO, folder.resolve("vectors"), schema);
            List<GenericRow> rows = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                rows.add(
                        GenericRow.of(
                                i,
                                string("name" + i),
                                blob("pic" + i),
                                blob("doc" + i),
                                BinaryVector.fromPrimitiveArray(new float[] {i, -i})));
            }
            table.append(table.stock().rowType(), rows);
            assertThat(table.files()).anyMatch(file -> file.fileName().contains(".vector."));
            update(PLACEHOLDER, "new", PLACEHOLDER);

            FileStoreTable wrapped = table.table();
            List<String> found = new ArrayList<>();
            try (RecordReader<InternalRow> reader =
                    wrapped.newRead()
                            .withReadType(wrapped.rowType().project("pic", "embedding", "id"))
                            .createReader(wrapped.newScan().plan())) {
                reader.forEachRemaining(
                        row ->
                                found.add(
                                        new String(row.getBlob(0).toData())
                                                + row.getVector(1).toFloatArray()[1]
                                                + row.getInt(2)));
            }
            assertThat(found).containsExactly("pic00.00", "new-1.01", "pic2-2.02");
        }
    }

    @Nested
    class R16WithoutABlobColumnNoBlobFileIsOpened {

        @Test
        void normalAndSystemColumnsComeFromNormalFilesAlone() throws Exception {
            table.append(0, 1);
            update("new", PLACEHOLDER);
            fileIO.reset();

            assertThat(table.read("name", "_ROW_ID").rows())
                    .containsExactly(List.of("name0", 0L), List.of("name1", 1L));
            assertThat(table.read("_ROW_ID").range(1, 1).rows()).containsExactly(List.of(1L));
            assertThat(fileIO.openedFiles(".blob")).isEmpty();
        }

        @Test
        void theOtherBlobColumnsFilesStayClosed() throws Exception {
            table.append(0, 1);
            update("new", PLACEHOLDER);
            fileIO.reset();

            assertThat(table.read("doc").values()).containsExactly("doc0", "doc1");
            assertThat(fileIO.openedFiles(".blob"))
                    .containsExactly(table.blobFiles("doc").get(0).fileName());
        }
    }

    @Nested
    class R17OneLayerIsReadInOnePass {

        @Test
        void theAnswerIsTheHostsAndEachByteIsReadOnce() throws Exception {
            table.append(0, 9);
            List<List<Object>> stock = TableRows.of(table.stock()).rows();
            fileIO.reset();

            assertThat(table.read().rows()).isEqualTo(stock);
            long size =
                    table.files().stream()
                            .filter(file -> file.fileName().endsWith(".blob"))
                            .mapToLong(DataFileMeta::fileSize)
                            .sum();
            assertThat(fileIO.bytesRead(".blob")).isLessThanOrEqualTo(size);
            assertThat(fileIO.operations())
                    .filteredOn(operation -> operation.path().getName().endsWith(".blob"))
                    .filteredOn(operation -> operation.kind() == StreamOperation.Kind.OPEN)
                    .hasSize(2);
        }
    }

    @Nested
    class R18WithTheOptionOff {

        @Test
        void aTableWithoutPlaceholdersReadsAsTheHostReadsIt() throws Exception {
            table.append(0, 3);
            update("a", null, "", "d");
            List<List<Object>> stock = TableRows.of(table.stock()).rows();

            assertThat(off().rows()).isEqualTo(stock);
            assertThat(off().range(1, 2).rows()).isEqualTo(stock.subList(1, 3));
        }

        @Test
        void aPlaceholderFailsWithOptionFileAndRowId() throws Exception {
            table.append(0, 3);
            update("a", "b", PLACEHOLDER, "d");
            String file = table.blobFiles("pic").get(1).fileName();

            assertThatThrownBy(() -> off().columns("pic").rows())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Row id 2")
                    .hasMessageContaining(file)
                    .hasMessageContaining(table.stock().fullName())
                    .hasMessageContaining("'blob-fallback.enabled' = 'true'");
            assertThat(off().columns("doc", "name").rows()).hasSize(4);
        }

        /** The host's blob format takes each placeholder for two bytes less of all that follows. */
        @Test
        void rowsAfterAPlaceholderAreNotReadEither() throws Exception {
            table.append(0, 3);
            update("a", PLACEHOLDER, "c", "d");

            assertThat(off().columns("id", "pic").range(0, 0).values()).containsExactly("a");
            for (boolean descriptors : new boolean[] {false, true}) {
                assertThatThrownBy(
                                () ->
                                        off().columns("id", "pic")
                                                .option("blob-as-descriptor", descriptors)
                                                .range(2, 3)
                                                .rows())
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("Row id 1")
                        .hasMessageContaining("'blob-fallback.enabled' = 'true'");
            }
        }

        private TableRows off() {
            return TableRows.of(table.table()).option("blob-fallback.enabled", false);
        }
    }

    private void update(Object... entries) throws Exception {
        table.layer("pic").file(0, entries).commit();
    }
}
