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

package org.apache.paimon.blobfallback.tests.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.options.Options;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each catalog that the plugin delegates to is tested with. */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
abstract class DelegateTestBase {

    static final Identifier TABLE = Identifier.create("db", "t");

    @TempDir Path folder;

    Catalog catalog;
    private PaimonRuntime runtime;
    private PaimonWriter writer;
    private PaimonReader reader;

    @BeforeEach
    void createTable() throws Exception {
        catalog = open();
        catalog.createDatabase("db", false);
        catalog.createTable(
                TABLE,
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("pic", DataTypes.BLOB())
                        .option("row-tracking.enabled", "true")
                        .option("data-evolution.enabled", "true")
                        .build(),
                false);
        runtime = Runtimes.paimon2();
        writer = runtime.find(PaimonWriter.class);
        writer.open(folder.toString(), Map.of());
        reader = runtime.find(PaimonReader.class);
        reader.open(Map.of("warehouse", folder.toString()));
    }

    @AfterEach
    void close() throws Exception {
        reader.close();
        writer.close();
        runtime.close();
        catalog.close();
    }

    private Catalog open() throws Exception {
        Map<String, String> options = new HashMap<>(delegate());
        options.put("blob-fallback.metastore", options.put("metastore", "blob-fallback"));
        options.put("blob-fallback.enabled", "true");
        return CatalogFactory.createCatalog(CatalogContext.create(Options.fromMap(options)));
    }

    /** The options of the catalog without the plugin; tables lie in the folder. */
    abstract Map<String, String> delegate() throws Exception;

    /** A branch of the table. */
    abstract Table branch(String name) throws Exception;

    /** Updates a blob as another writer does: Paimon 2.0 in the table's folder, if it can. */
    void updateByAnother(long rowId, String value) throws Exception {
        writer.update("db.t", List.of("pic"), Map.of(rowId, List.of(raw(value))), Map.of());
    }

    @Test
    void layersAreReadUpdatedAndFlattened() throws Exception {
        append(0, 3);
        append(3, 6);
        updateByAnother(1, "new 1");
        assertThat(read(TABLE))
                .containsExactly("old 0", "new 1", "old 2", "old 3", "old 4", "old 5");

        update(4, "new 4");
        List<String> updated = List.of("old 0", "new 1", "old 2", "old 3", "new 4", "old 5");
        assertBothRead(updated);
        assertThat(count(Identifier.create("db", "t$blob_layers"))).isEqualTo(4);

        BlobFallback.newFlattenBuilder(catalog.getTable(TABLE)).newFlatten().run();
        assertBothRead(updated);
        assertThat(count(Identifier.create("db", "t$blob_layers"))).isEqualTo(2);
    }

    @Test
    void tagsBranchesAndSchemasAreThoseOfTheTable() throws Exception {
        append(0, 2);
        updateByAnother(1, "new 1");
        catalog.getTable(TABLE).createTag("updated");
        catalog.getTable(TABLE).createBranch("side", "updated");
        update(0, "new 0");
        catalog.alterTable(TABLE, SchemaChange.addColumn("name", DataTypes.STRING()), false);

        assertThat(read(TABLE)).containsExactly("new 0", "new 1");
        assertThat(read(branch("side"))).containsExactly("old 0", "new 1");
        assertThat(read(catalog.getTable(TABLE).copy(Map.of("scan.tag-name", "updated"))))
                .containsExactly("old 0", "new 1");
        assertThat(catalog.getTable(TABLE).rowType().getFieldNames())
                .containsExactly("id", "pic", "name");

        catalog.dropTable(TABLE, false);
        assertThatThrownBy(() -> catalog.getTable(TABLE))
                .isInstanceOf(Catalog.TableNotExistException.class);
    }

    final void append(int from, int to) throws Exception {
        BatchWriteBuilder builder = catalog.getTable(TABLE).newBatchWriteBuilder();
        try (BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            for (int id = from; id < to; id++) {
                write.write(GenericRow.of(id, Blob.fromData(raw("old " + id))));
            }
            commit.commit(write.prepareCommit());
        }
    }

    final void update(long rowId, String value) throws Exception {
        try (BlobUpdate update =
                BlobFallback.newUpdateBuilder(catalog.getTable(TABLE)).newUpdate()) {
            update.set(rowId, "pic", raw(value));
            update.commit();
        }
    }

    private void assertBothRead(List<String> pics) throws Exception {
        assertThat(read(TABLE)).isEqualTo(pics);
        assertThat(reader.read(ReadRequest.all("db.t").columns("pic")))
                .extracting(row -> new String((byte[]) row.get(0), StandardCharsets.UTF_8))
                .isEqualTo(pics);
    }

    final List<String> read(Identifier identifier) throws Exception {
        return read(catalog.getTable(identifier));
    }

    private static List<String> read(Table table) throws Exception {
        List<String> pics = new ArrayList<>();
        ReadBuilder builder = table.newReadBuilder();
        try (RecordReader<InternalRow> rows =
                builder.newRead().createReader(builder.newScan().plan())) {
            rows.forEachRemaining(
                    row -> pics.add(new String(row.getBlob(1).toData(), StandardCharsets.UTF_8)));
        }
        return pics;
    }

    private int count(Identifier identifier) throws Exception {
        int[] count = new int[1];
        ReadBuilder builder = catalog.getTable(identifier).newReadBuilder();
        try (RecordReader<InternalRow> rows =
                builder.newRead().createReader(builder.newScan().plan())) {
            rows.forEachRemaining(row -> count[0]++);
        }
        return count[0];
    }

    private static byte[] raw(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
