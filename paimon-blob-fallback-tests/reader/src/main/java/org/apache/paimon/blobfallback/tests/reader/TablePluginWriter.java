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

package org.apache.paimon.blobfallback.tests.reader;

import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.tests.bridge.PluginWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.Blob;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.CommitMessage;

/** Writes through the plugin's Java API, which the class path must have. */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
public final class TablePluginWriter extends HostCatalogClient implements PluginWriter {

    @Override
    public void update(String name, String column, Map<Long, byte[]> values) throws Exception {
        try (BlobUpdate update = newUpdate(table(name), column)) {
            for (Map.Entry<Long, byte[]> value : values.entrySet()) {
                update.set(value.getKey(), column, blob(value.getValue()));
            }
            update.commit();
        }
    }

    @Override
    public long updateWhere(String name, ReadRequest.Filter filter, String column, byte[] value)
            throws Exception {
        Table table = table(name);
        try (BlobUpdate update = newUpdate(table, column)) {
            long rows =
                    update.setWhere(Predicates.of(table.rowType(), filter), column, blob(value));
            update.commit();
            return rows;
        }
    }

    @Override
    public void flatten(String name) throws Exception {
        BlobFallback.newFlattenBuilder(table(name)).newFlatten().run();
    }

    @Override
    public void indexGlobally(String name, String column, String type) throws Exception {
        // Without it a table with deletion vectors is refused.
        FileStoreTable table =
                (FileStoreTable) table(name).copy(Map.of("blob-fallback.enabled", "true"));
        List<CommitMessage> messages = new HostIndexes(table, column, type).build();
        if (!messages.isEmpty()) {
            try (BatchTableCommit commit = table.newBatchWriteBuilder().newCommit()) {
                commit.commit(messages);
            }
        }
    }

    private Table table(String name) throws Exception {
        return catalog().getTable(Identifier.fromString(name));
    }

    private static BlobUpdate newUpdate(Table table, String column) {
        return BlobFallback.newUpdateBuilder(table).withColumns(column).newUpdate();
    }

    private static Blob blob(byte[] value) {
        return value == null ? null : Blob.fromData(value);
    }
}
