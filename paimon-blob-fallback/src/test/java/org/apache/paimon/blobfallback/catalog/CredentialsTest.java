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

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user gives to the catalog as a secret stays between the user and the delegate. */
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
        "blob-fallback.metastore, blob-fallback",
        "blob-fallback.metastore, nowhere",
        "blob-fallback.enabled, perhaps",
        "cache.expire-after-access, 0 s",
        "warehouse, nowhere://bucket"
    })
    void aCatalogThatDoesNotOpenKeepsSecrets(String key, String value) {
        Throwable failure =
                catchThrowable(() -> CatalogFactory.createCatalog(context(key, value)).close());

        assertThat(failure).isNotNull();
        StringWriter stack = new StringWriter();
        failure.printStackTrace(new PrintWriter(stack));
        assertThat(stack.toString()).doesNotContain(SECRET);
    }

    @Test
    void neitherTheLogNorTheTextOfATableHasSecrets() throws Exception {
        PrintStream err = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try (Catalog catalog = CatalogFactory.createCatalog(context("cache-enabled", "true"))) {
            catalog.createDatabase("db", true);
            Identifier identifier = Identifier.create("db", "t");
            catalog.createTable(
                    identifier,
                    Schema.newBuilder()
                            .column("id", DataTypes.INT())
                            .column("b", DataTypes.BLOB())
                            .option("bucket", "-1")
                            .option("row-tracking.enabled", "true")
                            .option("data-evolution.enabled", "true")
                            .option("blob-fallback.enabled", "true")
                            .build(),
                    true);
            Table table = catalog.getTable(identifier);
            ReadBuilder builder = table.newReadBuilder();
            builder.newRead().createReader(builder.newScan().plan()).close();
            assertThat(table.toString() + catalog + table.options()).doesNotContain(SECRET);
        } finally {
            System.setErr(err);
        }

        assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain(SECRET);
    }
}
