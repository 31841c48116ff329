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

import java.util.Map;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.tests.bridge.BlobUpdater;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.Blob;

/** Updates through the plugin's Java API, which the class path must have. */
public final class PluginUpdater extends HostCatalogClient implements BlobUpdater {

    @Override
    public void update(String table, String column, Map<Long, byte[]> values) throws Exception {
        try (BlobUpdate update =
                BlobFallback.newUpdateBuilder(catalog().getTable(Identifier.fromString(table)))
                        .withColumns(column)
                        .newUpdate()) {
            for (Map.Entry<Long, byte[]> value : values.entrySet()) {
                update.set(value.getKey(), column, Blob.fromData(value.getValue()));
            }
            update.commit();
        }
    }
}
