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
import static org.apache.paimon.blobfallback.testtable.LayeredTable.blob;
import static org.apache.paimon.blobfallback.testtable.LayeredTable.string;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.format.column.BlobColumnType;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.data.GenericArray;
import org.apache.paimon.data.GenericMap;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds R10: columns of arrays of blobs and of maps to blobs read by the same rules. */
class CollectionColumnsTest {

    private static final DataType ARRAY = DataTypes.ARRAY(DataTypes.BLOB());
    private static final DataType MAP = DataTypes.MAP(DataTypes.STRING(), DataTypes.BLOB());

    private final CountingFileIO fileIO = CountingFileIO.vectored();

    @TempDir java.nio.file.Path folder;

    private LayeredTable table;

    @AfterEach
    void everyStreamIsClosed() {
        fileIO.assertNothingOpen();
    }

    @ParameterizedTest
    @ValueSource(strings = {"parquet", "orc", "avro"})
    void winnersAreFoundAsForScalarBlobs(String format) throws Exception {
        create(format);
        table.layer("pics").file(0, array("a", null), array(), null, array("d")).commit();
        table.layer("pics")
                .file(0, placeholder(ARRAY), array("b1", "b2"), placeholder(ARRAY), null)
                .commit();
        table.layer("docs").file(1, map("k", "v", null, null), placeholder(MAP)).commit();
        table.layer("docs").file(2, map(), map("x", "y")).commit();

        assertThat(table.read("pics").values())
                .containsExactly(asList("a", null), List.of("b1", "b2"), null, null);
        assertThat(table.read("id", "docs").rows())
                .containsExactly(
                        asList(0, null),
                        asList(1, plainMap("k", "v", null, null)),
                        asList(2, Map.of()),
                        asList(3, Map.of("x", "y")));
        assertThat(table.read("docs", "name", "pics").range(1, 1).rows())
                .containsExactly(
                        asList(plainMap("k", "v", null, null), "name1", List.of("b1", "b2")));
    }

    /** R7. */
    @Test
    void elementsComeAsDescriptorsOfTheWinnersFile() throws Exception {
        create("avro");
        table.layer("pics").file(0, array("aa", "bbb"), array("c")).commit();
        table.layer("pics").file(0, placeholder(ARRAY), array("", null)).commit();
        String older = table.blobFiles("pics").get(0).fileName();
        String newer = table.blobFiles("pics").get(1).fileName();

        assertThat(table.read("pics").option("blob-as-descriptor", true).range(0, 1).values())
                .containsExactly(
                        List.of(older + "@13+2", older + "@15+3"), asList(newer + "@13+0", null));
    }

    /** W1 on the write side. */
    @Test
    void collectionsAreUpdatedInPart() throws Exception {
        create("avro");
        table.layer("pics").file(0, array("a"), array("b"), array("c"), array("d")).commit();
        table.layer("docs").file(0, map("k", "0"), map("k", "1"), map(), null).commit();

        try (BlobUpdate update = BlobFallback.newUpdateBuilder(table.stock()).newUpdate()) {
            update.set(1, "pics", array("new", null))
                    .setNull(2, "pics")
                    .set(3, "docs", map("n", "new"));
            update.commit();
        }

        assertThat(table.read("pics").values())
                .containsExactly(List.of("a"), asList("new", null), null, List.of("d"));
        assertThat(table.read("docs").values())
                .containsExactly(Map.of("k", "0"), Map.of("k", "1"), Map.of(), Map.of("n", "new"));
    }

    /** The host would write null collections into normal files, where they hide the layers. */
    @Test
    void theHostDoesNotWriteRowsToSuchATable() throws Exception {
        create("avro");
        FileStoreTable wrapped = table.table();

        for (ThrowingCallable write :
                List.<ThrowingCallable>of(
                        () -> wrapped.newBatchWriteBuilder().newWrite(),
                        () -> wrapped.store().newWrite("user", null))) {
            assertThatThrownBy(write)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("Column pics")
                    .hasMessageContaining("ARRAY<BLOB>")
                    .hasMessageContaining("write rows with Paimon 2.0");
        }
    }

    private void create(String format) throws Exception {
        Schema schema =
                LayeredTable.options(
                                Schema.newBuilder()
                                        .column("id", DataTypes.INT())
                                        .column("name", DataTypes.STRING())
                                        .column("pics", ARRAY)
                                        .column("docs", MAP))
                        .option("file.format", format)
                        .build();
        table = LayeredTable.create(fileIO, folder, schema);
        table.appendWithoutBlobs(0, 3);
    }

    private static Object placeholder(DataType type) {
        return BlobColumnType.of(type).placeholder();
    }

    private static GenericArray array(String... elements) {
        Object[] blobs = new Object[elements.length];
        for (int i = 0; i < elements.length; i++) {
            blobs[i] = elements[i] == null ? null : blob(elements[i]);
        }
        return new GenericArray(blobs);
    }

    private static GenericMap map(String... keysAndValues) {
        Map<Object, Object> map = new LinkedHashMap<>();
        plainMap(keysAndValues)
                .forEach(
                        (key, value) ->
                                map.put(
                                        key == null ? null : string(key),
                                        value == null ? null : blob(value)));
        return new GenericMap(map);
    }

    private static Map<String, String> plainMap(String... keysAndValues) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return Collections.unmodifiableMap(map);
    }
}
