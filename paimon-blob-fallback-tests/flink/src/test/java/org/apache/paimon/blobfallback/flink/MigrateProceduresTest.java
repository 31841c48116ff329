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

package org.apache.paimon.blobfallback.flink;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Procedures of the host that bring tables of other catalogs in, called in the plugin's catalog.
 */
class MigrateProceduresTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();

    @TempDir Path warehouse;

    /** H1: they are refused before they change anything. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "migrate_table(connector => 'hive', source_table => 'd.t')",
                "migrate_database(connector => 'hive', source_database => 'd')",
            })
    void migrationsAskForACatalogWithoutThePlugin(String call) throws Exception {
        FlinkCluster.Session session = FLINK.batch().inPluginCatalog(warehouse);

        assertThatThrownBy(() -> session.sql("CALL sys." + call))
                .hasStackTraceContaining("Only support Hive Catalog");
    }
}
