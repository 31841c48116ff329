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

package org.apache.paimon.blobfallback.update;

import static org.apache.paimon.blobfallback.testtable.LayeredTable.blob;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.paimon.blobfallback.testtable.UpdateTable;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalMap;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.types.DataTypes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** W1: an update sets no null where the column has none. */
class NotNullTest {

    @TempDir java.nio.file.Path folder;

    @Test
    void aNullIsRefusedWhereTheColumnIsNotNull() throws Exception {
        Schema.Builder schema =
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("pic", DataTypes.BLOB().notNull())
                        .column("doc", DataTypes.BLOB())
                        .column("part", DataTypes.INT());
        UpdateTable.schema().build().options().forEach(schema::option);
        UpdateTable table = UpdateTable.create(LocalFileIO.create(), folder, schema.build());
        table.append(0, 2);

        try (BlobUpdate update = table.builder().newUpdate()) {
            assertRefused(() -> update.setNull(1, "pic"), "pic", "BLOB NOT NULL", 1);
            assertRefused(() -> update.set(1, "pic", (Blob) null), "pic", "BLOB NOT NULL", 1);
            assertRefused(
                    () -> update.setWhere(PredicateBuilder.alwaysTrue(), "pic", null),
                    "pic",
                    "BLOB NOT NULL",
                    0);
            update.set(1, "pic", blob("new")).setNull(1, "doc").commit();
        }
        assertThat(table.read("pic")).containsEntry(0L, "pic0").containsEntry(1L, "new");
        assertThat(table.read("doc")).containsEntry(1L, null);
    }

    @Test
    void aNullArrayOrMapIsRefusedToo() throws Exception {
        Schema.Builder schema =
                Schema.newBuilder()
                        .column("pics", DataTypes.ARRAY(DataTypes.BLOB()).notNull())
                        .column("docs", DataTypes.MAP(DataTypes.INT(), DataTypes.BLOB()).notNull());
        UpdateColumn pics = new UpdateColumn("db.t", schema.build().fields().get(0));
        UpdateColumn docs = new UpdateColumn("db.t", schema.build().fields().get(1));

        assertRefused(() -> pics.set(7, (InternalArray) null), "pics", "ARRAY<BLOB> NOT NULL", 7);
        assertRefused(() -> docs.set(7, (InternalMap) null), "docs", "MAP<INT, BLOB> NOT NULL", 7);
    }

    private static void assertRefused(ThrowingCallable call, String column, String type, long row) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Column " + column + " of table ")
                .hasMessageContaining(" is a " + type + ", found null for row id " + row);
    }
}
