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

/** The statements that name a warehouse, as the README has them. */
final class Catalogs {

    /** What the catalogs are called. */
    static final String NAME = "paimon";

    /** Makes the catalog the current one. */
    static final String USE = "USE CATALOG " + NAME;

    private Catalogs() {}

    /** A catalog as it is without the plugin. */
    static String stock(String warehouse) {
        return """
               CREATE CATALOG %s WITH (
                 'type' = 'paimon',
                 'warehouse' = '%s'
               )"""
                .formatted(NAME, quoted(warehouse));
    }

    /** The plugin's catalog, with the fallback switched on for all of its tables. */
    static String plugin(String warehouse) {
        return """
               CREATE CATALOG %s WITH (
                 'type' = 'paimon',
                 'warehouse' = '%s',
                 'metastore' = 'blob-fallback',
                 'blob-fallback.enabled' = 'true'
               )"""
                .formatted(NAME, quoted(warehouse));
    }

    /** The same for one who only reads: Flink would create the database {@code default}. */
    static String pluginForReading(String warehouse) {
        return """
               CREATE CATALOG %s WITH (
                 'type' = 'paimon',
                 'warehouse' = '%s',
                 'metastore' = 'blob-fallback',
                 'blob-fallback.enabled' = 'true',
                 'disable-create-table-in-default-db' = 'true'
               )"""
                .formatted(NAME, quoted(warehouse));
    }

    private static String quoted(String text) {
        return text.replace("'", "''");
    }
}
