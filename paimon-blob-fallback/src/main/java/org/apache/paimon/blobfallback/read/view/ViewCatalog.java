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

package org.apache.paimon.blobfallback.read.view;

import java.io.IOException;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.table.Table;

/** The catalog that the blob views of a table point into. */
public interface ViewCatalog {

    /**
     * Opens the catalog; the caller closes it.
     *
     * @throws IOException if there is none; the message says why
     */
    Catalog open() throws IOException;

    /**
     * A table of the catalog, with its partial updates.
     *
     * @throws Catalog.TableNotExistException if there is no such table
     */
    Table table(Catalog catalog, Identifier identifier) throws Catalog.TableNotExistException;
}
