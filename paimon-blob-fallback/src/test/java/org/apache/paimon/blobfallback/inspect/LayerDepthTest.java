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

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.blobfallback.testtable.UpdateTable;
import org.apache.paimon.blobfallback.update.BlobFlatten;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.ReadBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The column {@code depth} of {@code $blob_layers}, by which a user finds what to flatten. */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
class LayerDepthTest {

    @TempDir private Path folder;

    private UpdateTable table;

    @BeforeEach
    void compactFourAppendsIntoOneGroup() throws Exception {
        table = UpdateTable.create(LocalFileIO.create(), folder, UpdateTable.schema().build());
        for (int i = 0; i < 4; i++) {
            table.append(3 * i, 3 * i + 2);
        }
        assertThat(table.compact()).hasSize(1);
    }

    @Test
    void filesSideBySideInOneGroupAreNotOneOverAnother() throws Exception {
        assertThat(layers("pic"))
                .containsExactlyInAnyOrder("0-2 4 1", "3-5 3 1", "6-8 2 1", "9-11 1 1");
        assertThat(flattened()).isZero();
    }

    @Test
    void aFileIsAsDeepAsTheRowThatMostFilesHave() throws Exception {
        update(4L);
        update(5L);

        assertThat(layers("pic"))
                .containsExactlyInAnyOrder(
                        "0-11 1 3", "0-11 2 3", "0-2 6 3", "3-5 5 3", "6-8 4 3", "9-11 3 3");
        assertThat(layers("doc")).allMatch(layer -> layer.endsWith(" 1"));
    }

    @Test
    void aFlattenLeavesADepthOfOne() throws Exception {
        update(4L);

        assertThat(flattened()).isEqualTo(1);
        assertThat(layers("pic")).containsExactly("0-11 1 1");
    }

    private void update(long rowId) throws Exception {
        try (BlobUpdate update = table.builder().newUpdate()) {
            update.set(rowId, "pic", LayeredTable.blob("new"));
            update.commit();
        }
    }

    private int flattened() throws Exception {
        try (BlobFlatten flatten = BlobFallback.newFlattenBuilder(table.table()).newFlatten()) {
            int groups = flatten.plan().size();
            flatten.run();
            return groups;
        }
    }

    /** Row ids, layer and depth of each file of a column. */
    private List<String> layers(String column) throws Exception {
        Table layers = BlobFallback.layers(table.table());
        ReadBuilder read =
                layers.newReadBuilder()
                        .withReadType(
                                layers.rowType()
                                        .project(
                                                "column_name",
                                                "first_row_id",
                                                "last_row_id",
                                                "layer",
                                                "depth"));
        List<String> files = new ArrayList<>();
        try (RecordReader<InternalRow> reader =
                read.newRead().createReader(read.newScan().plan())) {
            reader.forEachRemaining(
                    row -> {
                        if (row.getString(0).toString().equals(column)) {
                            files.add(
                                    row.getLong(1)
                                            + "-"
                                            + row.getLong(2)
                                            + " "
                                            + row.getInt(3)
                                            + " "
                                            + row.getInt(4));
                        }
                    });
        }
        return files;
    }
}
