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
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.testio.CapturedLog;
import org.apache.paimon.blobfallback.testtable.BlobLayer;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.blobfallback.testtable.TableRows;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Secrets in the options of a catalog reach only the delegate. */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
class CredentialsTest {

    private static final String SECRET = "wJalrXUtnFEMI";

    @TempDir private Path warehouse;

    private CatalogContext context(String key, String value) {
        Map<String, String> options = new HashMap<>();
        options.put("warehouse", warehouse.toUri().toString());
        options.put("metastore", "blob-fallback");
        options.put("s3.secret-key", SECRET);
        options.put("token", SECRET);
        options.put(key, value);
        return CatalogContext.create(Options.fromMap(options));
    }

    @ParameterizedTest
    @CsvSource({
        "blob-fallback.metastore, blob-fallback, blob-fallback.metastore",
        "blob-fallback.metastore, nowhere, 'nowhere'",
        "blob-fallback.enabled, perhaps, perhaps",
        "cache.expire-after-access, 0 s, cache.expire-after-access",
        "warehouse, nowhere://bucket, nowhere"
    })
    void aCatalogThatDoesNotOpenKeepsSecrets(String key, String value, String said) {
        Throwable failure =
                catchThrowable(() -> CatalogFactory.createCatalog(context(key, value)).close());

        assertThat(failure).hasMessageContaining(said);
        StringWriter stack = new StringWriter();
        failure.printStackTrace(new PrintWriter(stack));
        assertThat(stack.toString()).doesNotContain(SECRET);
    }

    /** At the most detailed log level, over all operations of a table and its catalog. */
    @Test
    void neitherTheLogNorTheTextOfATableHasSecrets() throws Exception {
        String log =
                CapturedLog.of(
                        "debug",
                        () -> {
                            try (Catalog catalog =
                                    CatalogFactory.createCatalog(
                                            context("blob-fallback.enabeld", SECRET))) {
                                use(catalog);
                            }
                        });

        assertThat(log)
                .contains("is read with the blob fallback")
                .contains("blob-fallback.enabeld")
                .doesNotContain(SECRET);
    }

    private static void use(Catalog catalog) throws Exception {
        catalog.createDatabase("db", true);
        Identifier identifier = Identifier.create("db", "t");
        catalog.createTable(
                identifier,
                LayeredTable.schema().option("blob-fallback.enabled", "true").build(),
                true);
        FileStoreTable table = (FileStoreTable) catalog.getTable(identifier);
        LayeredTable.at(table.fileIO(), table.location())
                .append(0, 2)
                .layer("pic")
                .file(0, "new", BlobLayer.PLACEHOLDER, null)
                .commit();
        assertThat(TableRows.of(table).rows()).hasSize(3);
        StringBuilder texts = new StringBuilder();
        for (Object object :
                List.of(
                        table,
                        catalog,
                        table.options(),
                        table.catalogEnvironment(),
                        catalog.catalogLoader(),
                        BlobFallback.layers(table),
                        BlobFallback.newUpdateBuilder(table),
                        BlobFallback.newFlattenBuilder(table).newFlatten().plan(),
                        BlobFallback.verify(table))) {
            texts.append(object).append('\n');
        }
        for (Throwable failure :
                List.of(
                        catchThrowable(() -> BlobFallback.drawLayers(table, "nope", 0)),
                        catchThrowable(() -> catalog.getTable(Identifier.create("db", "no"))),
                        catchThrowable(
                                () ->
                                        TableRows.of(table)
                                                .option("blob-fallback.enabled", "false")
                                                .columns("pic")
                                                .rows()),
                        catchThrowable(
                                () ->
                                        TableRows.of(table)
                                                .option("blob-fallback.read.parallelism", "0")
                                                .rows()))) {
            StringWriter stack = new StringWriter();
            failure.printStackTrace(new PrintWriter(stack));
            texts.append(stack);
        }
        assertThat(texts.toString()).contains("nope").doesNotContain(SECRET);
    }
}
