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

package org.apache.paimon.blobfallback.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The messages about tables that this Paimon refuses to load. */
class RefusedTablesTest {

    private static final Identifier T = Identifier.create("db", "t");

    @TempDir Path warehouse;

    private Catalog catalog;

    @BeforeEach
    void openCatalog() throws Exception {
        catalog =
                CatalogFactory.createCatalog(
                        CatalogContext.create(
                                Options.fromMap(
                                        Map.of(
                                                "warehouse", warehouse.toUri().toString(),
                                                "cache-enabled", "false",
                                                "metastore", "blob-fallback"))));
        catalog.createDatabase("db", false);
        catalog.createTable(
                T,
                Schema.newBuilder()
                        .column("id", DataTypes.INT().notNull())
                        .column("place", DataTypes.STRING())
                        .column("pic", DataTypes.BLOB())
                        .option("row-tracking.enabled", "true")
                        .option("data-evolution.enabled", "true")
                        .build(),
                false);
    }

    @AfterEach
    void closeCatalog() throws Exception {
        catalog.close();
    }

    @Test
    void aColumnOfATypeThatThisPaimonDoesNotHaveIsNamed() throws Exception {
        for (String type : new String[] {"GEOMETRY", "GEOGRAPHY('OGC:CRS84')"}) {
            editSchema("\"type\" : \"STRING\"", "\"type\" : \"" + type + "\"");
            assertThatThrownBy(() -> catalog.getTable(T))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("Column place of table db.t is a " + type + ", a type")
                    .hasMessageContaining("Read the table with a Paimon that has it")
                    .hasStackTraceContaining("Could not parse type at position 0");
            editSchema("\"type\" : \"" + type + "\"", "\"type\" : \"STRING\"");
        }
        assertThat(catalog.getTable(T).rowType().getFieldNames()).contains("place");
    }

    @Test
    void aTypeInsideOfAnotherIsNamedToo() throws Exception {
        editSchema(
                "\"type\" : \"STRING\"",
                "\"type\" : {\"type\" : \"ARRAY\", \"element\" : \"GEOMETRY\"}");

        assertThatThrownBy(() -> catalog.getTable(T))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("Column place of table db.t is a {\"type\":\"ARRAY\"")
                .hasMessageContaining("GEOMETRY");
    }

    @Test
    void aPrimaryKeyWithInlineDescriptorsIsNotTakenForManagedBlobs() throws Exception {
        editSchema("\"primaryKeys\" : [ ]", "\"primaryKeys\" : [ \"id\" ]");
        editSchema("\"data-evolution.enabled\" : \"true\"", "\"bucket\" : \"1\"");
        editSchema("\"row-tracking.enabled\" : \"true\"", "\"file.format\" : \"avro\"");
        assertThatThrownBy(() -> catalog.getTable(T))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("Table db.t has a primary key and blob columns, which are");

        editSchema("\"file.format\" : \"avro\"", "\"blob-descriptor-field\" : \"pic\"");
        assertThatThrownBy(() -> catalog.getTable(T))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("Table db.t has a primary key, and all its blob columns are")
                .hasMessageContaining("kept as descriptors in its rows")
                .hasMessageContaining("read the table with Paimon 2.0");
    }

    private void editSchema(String before, String after) throws Exception {
        Path file = warehouse.resolve("db.db/t/schema/schema-0");
        String schema = Files.readString(file);
        assertThat(schema).contains(before);
        Files.writeString(file, schema.replace(before, after));
    }
}
