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

import java.util.Map;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.junit.jupiter.api.Test;

/** The host's JDBC catalog with its lock; SQLite has the tables' names. */
class JdbcCatalogTest extends DelegateTestBase {

    @Override
    Map<String, String> delegate() {
        return Map.of(
                "metastore",
                "jdbc",
                "warehouse",
                folder.toString(),
                "uri",
                "jdbc:sqlite:" + folder.resolve("catalog.sqlite"),
                "lock.enabled",
                "true");
    }

    /** The catalog does not load a branch by its name. */
    @Override
    Table branch(String name) throws Exception {
        return ((FileStoreTable) catalog.getTable(TABLE)).switchToBranch(name);
    }

    @Test
    void aRenamedTableKeepsItsLayers() throws Exception {
        append(0, 2);
        updateByAnother(1, "new 1");
        Identifier renamed = Identifier.create("db", "renamed");

        catalog.renameTable(TABLE, renamed, false);

        assertThat(catalog.listTables("db")).containsExactly("renamed");
        assertThat(read(renamed)).containsExactly("old 0", "new 1");
    }
}
