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

package org.apache.paimon.blobfallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.paimon.blobfallback.testtable.BlobLayer;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.blobfallback.testtable.TableRows;
import org.apache.paimon.blobfallback.update.BlobFlattenBuilder;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.blobfallback.update.BlobUpdateBuilder;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.GenericArray;
import org.apache.paimon.data.GenericMap;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.system.SystemTableLoader;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each entry point of the Java API with invalid arguments: the message names the table, the place
 * in it, what was expected and what was found.
 */
class WrongInputTest {

    @TempDir private static Path folder;

    /** Two layers in {@code pic}, one in {@code doc}, four rows. */
    private static FileStoreTable layered;

    private static FileStoreTable keyed;
    private static FileStoreTable plain;
    private static FileStoreTable noBlobs;

    @BeforeAll
    static void create() throws Exception {
        LayeredTable two = table("layered", LayeredTable.schema());
        two.append(0, 3).layer("pic").file(0, "new", BlobLayer.PLACEHOLDER, null).commit();
        layered = two.table();
        keyed =
                table(
                                "keyed",
                                Schema.newBuilder()
                                        .column("id", DataTypes.INT())
                                        .primaryKey("id")
                                        .option("bucket", "1"))
                        .stock();
        plain =
                table(
                                "plain",
                                Schema.newBuilder()
                                        .column("id", DataTypes.INT())
                                        .option("bucket", "-1"))
                        .stock();
        noBlobs =
                table(
                                "noBlobs",
                                LayeredTable.options(
                                        Schema.newBuilder().column("id", DataTypes.INT())))
                        .stock();
    }

    private static LayeredTable table(String name, Schema.Builder schema) throws Exception {
        return LayeredTable.create(LocalFileIO.create(), folder.resolve(name), schema.build());
    }

    /** A call of the API. */
    @FunctionalInterface
    private interface Call {

        void run() throws Exception;
    }

    /** A call of the API with a table. */
    @FunctionalInterface
    private interface TableCall {

        void run(Table table) throws Exception;
    }

    private static final Map<String, TableCall> LOOKING =
            Map.of(
                    "layers", BlobFallback::layers,
                    "drawLayers", table -> BlobFallback.drawLayers(table, "pic", 0),
                    "verify", BlobFallback::verify);

    private static final Map<String, TableCall> WRITING =
            Map.of(
                    "update", BlobFallback::newUpdateBuilder,
                    "flatten", BlobFallback::newFlattenBuilder);

    static Stream<Arguments> calls() {
        return Stream.of(all(LOOKING), all(WRITING)).flatMap(calls -> calls);
    }

    private static Stream<Arguments> all(Map<String, TableCall> calls) {
        return calls.entrySet().stream().map(call -> arguments(call.getKey(), call.getValue()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void noTableAndTablesWithoutDataFilesAreRefused(String name, TableCall call) {
        assertThatThrownBy(() -> call.run(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Expected a table, found null.");
        for (String system : List.of("files", "ro")) {
            assertThatThrownBy(() -> call.run(SystemTableLoader.load(system, layered)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("Table table$" + system + " has no data files")
                    .hasMessageContaining("expected a data table, found a ")
                    .hasMessageEndingWith("Open the table itself.");
        }
    }

    @Test
    void nothingCannotBeWrapped() {
        for (Call wrap :
                List.<Call>of(
                        () -> BlobFallback.wrap((Table) null),
                        () -> BlobFallback.wrap((FileStoreTable) null))) {
            assertThatThrownBy(wrap::run)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Expected a table, found null.");
        }
    }

    @Test
    void tablesThatHaveNoLayersAreNotWritten() {
        WRITING.forEach(
                (name, call) -> {
                    assertThatThrownBy(() -> call.run(keyed))
                            .as(name)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageStartingWith("Table table has the primary key [id]");
                    assertThatThrownBy(() -> call.run(plain))
                            .as(name)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageStartingWith("Table table has no data evolution")
                            .hasMessageContaining("'data-evolution.enabled' = 'true'");
                    assertThatThrownBy(() -> call.run(noBlobs))
                            .as(name)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("expected a column of type BLOB")
                            .hasMessageEndingWith("found ROW<`id` INT>.");
                });
    }

    static Stream<Arguments> wrongArguments() {
        BlobUpdateBuilder updates = BlobFallback.newUpdateBuilder(layered);
        BlobFlattenBuilder flattens = BlobFallback.newFlattenBuilder(layered);
        return Stream.of(
                wrong(
                        "Table table has no blob column nope: expected one of [pic, doc], found no"
                                + " such column.",
                        () -> BlobFallback.drawLayers(layered, "nope", 0)),
                wrong(
                        "Table table has no blob column null: expected one of [pic, doc], found no"
                                + " such column.",
                        () -> BlobFallback.drawLayers(layered, null, 0)),
                wrong(
                        "Table table has no blob column id: expected one of [pic, doc], found a"
                                + " column of type INT.",
                        () -> BlobFallback.drawLayers(layered, "id", 0)),
                wrong(
                        "Table table has no blob file of column pic that holds row id 4. Take row"
                                + " ids from the column _ROW_ID.",
                        () -> BlobFallback.drawLayers(layered, "pic", 4)),
                wrong(
                        "Expected a listener for the progress of the check, found null.",
                        () -> BlobFallback.verify(layered, null)),
                wrong(
                        "Table table has no column nope; its blob columns are [pic, doc].",
                        () -> updates.withColumns("nope")),
                wrong(
                        "Column id of table table is a INT, not a blob; the table's blob columns"
                                + " are [pic, doc]. Update other columns with CALL"
                                + " sys.data_evolution_merge_into.",
                        () -> updates.withColumns("id")),
                wrong(
                        "An update of table table needs a column, found none.",
                        () -> updates.withColumns()),
                wrong(
                        "An update of table table needs a column, found none.",
                        () -> updates.withColumns((String[]) null)),
                wrong("Table table has no snapshot 99.", () -> updates.withSnapshot(99)),
                wrong(
                        "1 row ids of the update do not exist in snapshot 2 of table table: [99]."
                                + " Take row ids from the column _ROW_ID of this snapshot.",
                        () -> updates.groupsOf(List.of(99L))),
                wrong(
                        "Expected row ids of table table, found null among them.",
                        () -> updates.groupsOf(Arrays.asList(0L, null))),
                wrong(
                        "Column nope is not one of this update of table table, which has [pic,"
                                + " doc].",
                        () -> set(update -> update.setNull(0, "nope"))),
                wrong(
                        "Expected bytes for row id 0 of column pic of table table, found null: use"
                                + " setNull.",
                        () -> set(update -> update.set(0, "pic", (byte[]) null))),
                wrong(
                        "Column pic of table table is a BLOB and takes a Blob, found a GenericArray"
                                + " for row id 0.",
                        () -> set(update -> update.set(0, "pic", new GenericArray(new Object[0])))),
                wrong(
                        "Column doc of table table is a BLOB and takes a Blob, found a GenericMap"
                                + " for row id 1.",
                        () -> set(update -> update.set(1, "doc", new GenericMap(Map.of())))),
                wrong(
                        "Expected a predicate on table table, found null:"
                                + " PredicateBuilder.alwaysTrue() selects every row.",
                        () -> set(update -> update.setWhere(null, "pic", null))),
                wrong(
                        "Column pic of table table is kept in blob files: select rows by normal"
                                + " columns.",
                        () ->
                                set(
                                        update ->
                                                update.setWhere(
                                                        new PredicateBuilder(layered.rowType())
                                                                .isNull(2),
                                                        "pic",
                                                        null))),
                wrong(
                        "A flatten of table table needs a column, found none.",
                        () -> flattens.withColumns()),
                wrong(
                        "A flatten of table table needs a partition, found none.",
                        () -> flattens.withPartitions(List.of())),
                wrong(
                        "A flatten of table table needs a partition, found none.",
                        () -> flattens.withPartitions(null)),
                wrong(
                        "Table table has the partition columns [], found the partition {day=1}.",
                        () -> flattens.withPartitions(List.of(Map.of("day", "1")))),
                wrong(
                        "Table table has the partition columns [], found the partition {}.",
                        () -> flattens.withPartitions(List.of(Map.of()))),
                wrong(
                        "A flatten of table table leaves bunches of some layers alone: expected 0"
                                + " or more, found -1.",
                        () -> flattens.withMoreLayersThan(-1)));
    }

    private static Arguments wrong(String message, Call call) {
        return arguments(message, call);
    }

    /** A statement of an update. */
    @FunctionalInterface
    private interface Setting {

        void run(BlobUpdate update) throws Exception;
    }

    private static void set(Setting setting) throws Exception {
        try (BlobUpdate update = BlobFallback.newUpdateBuilder(layered).newUpdate()) {
            setting.run(update);
            update.commit();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongArguments")
    void aWrongArgumentIsNamed(String message, Call call) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    /** W4 */
    @Test
    void aBlobThatCannotBeReadIsNamedByItsRow() {
        assertThatThrownBy(
                        () -> set(update -> update.set(2, "doc", Blob.fromLocal("/nowhere/x.png"))))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("Failed to write row id 2 of column doc of table table: ")
                .hasMessageContaining("/nowhere/x.png");
    }

    /** Reads may be at an older point in time; writes are on top of the newest snapshot. */
    @Test
    void aTableAtAnOlderPointInTimeIsWrittenAtItsNewest() throws Exception {
        LayeredTable table = table("aged", LayeredTable.schema());
        table.append(0, 2).layer("pic").file(0, "new", BlobLayer.PLACEHOLDER, null).commit();
        FileStoreTable old = table.table().copy(Map.of("scan.snapshot-id", "1"));

        try (BlobUpdate update = BlobFallback.newUpdateBuilder(old).newUpdate()) {
            update.set(1, "pic", "newer".getBytes());
            assertThat(update.setWhere(PredicateBuilder.alwaysTrue(), "doc", null)).isEqualTo(3);
            update.commit();
        }

        assertThat(table.read("pic").values()).containsExactly("new", "newer", null);
        assertThat(TableRows.of(old).columns("pic").values())
                .containsExactly("pic0", "pic1", "pic2");
        try (var flatten = BlobFallback.newFlattenBuilder(old).newFlatten()) {
            flatten.run();
        }
        assertThat(TableRows.of(table.stock()).columns("id", "pic", "doc").rows())
                .containsExactly(
                        Arrays.asList(0, "new", null),
                        Arrays.asList(1, "newer", null),
                        Arrays.asList(2, null, null));
    }
}
