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

package org.apache.paimon.blobfallback.demo;

import java.util.Map;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;

/**
 * Draws the layers of a blob column through the plugin's Java API. Its arguments: warehouse,
 * database.table, column, and the id of a row in the group to draw.
 */
public final class Layers {

    private Layers() {}

    public static void main(String[] arguments) throws Exception {
        Options options =
                Options.fromMap(Map.of("warehouse", arguments[0], "metastore", "blob-fallback"));
        Catalog catalog = CatalogFactory.createCatalog(CatalogContext.create(options));
        try {
            String picture =
                    BlobFallback.drawLayers(
                            catalog.getTable(Identifier.fromString(arguments[1])),
                            arguments[2],
                            Long.parseLong(arguments[3]));
            System.out.print(picture.indent(2));
        } finally {
            catalog.close();
        }
    }
}
