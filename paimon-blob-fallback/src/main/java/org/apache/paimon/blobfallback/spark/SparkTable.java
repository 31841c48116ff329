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

package org.apache.paimon.blobfallback.spark;

import java.lang.reflect.InvocationTargetException;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.table.Table;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A table of a Paimon catalog of a Spark session. */
final class SparkTable {

    private static final Logger LOG = LoggerFactory.getLogger(SparkTable.class);

    private final SparkSession spark;
    private final String catalog;
    private final Identifier identifier;
    private final Table table;

    private SparkTable(SparkSession spark, String catalog, Identifier identifier, Table table) {
        this.spark = spark;
        this.catalog = catalog;
        this.identifier = identifier;
        this.table = table;
    }

    /**
     * Finds a table by its whole name.
     *
     * @throws IllegalArgumentException if it is not named as {@code catalog.database.table}, or the
     *     catalog is not Paimon's, or does not have it
     */
    static SparkTable of(SparkSession spark, String name) {
        int first = name == null ? -1 : name.indexOf('.');
        int second = name == null ? -1 : name.indexOf('.', first + 1);
        if (first <= 0 || second <= first + 1 || second == name.length() - 1) {
            throw new IllegalArgumentException(
                    String.format(
                            "Expected the name of a table as 'catalog.database.table', found"
                                    + " '%s'.",
                            name));
        }
        return of(
                spark, name.substring(0, first), Identifier.fromString(name.substring(first + 1)));
    }

    /**
     * Finds a table of a catalog.
     *
     * @throws IllegalArgumentException if the catalog is not Paimon's, or does not have it
     */
    static SparkTable of(SparkSession spark, String catalog, Identifier identifier) {
        try {
            return new SparkTable(
                    spark, catalog, identifier, paimon(spark, catalog).getTable(identifier));
        } catch (Catalog.TableNotExistException e) {
            throw new IllegalArgumentException(
                    String.format("Catalog %s has no table %s.", catalog, identifier.getFullName()),
                    e);
        }
    }

    /**
     * The host's catalog inside one of Spark's. The host's connector is not published, so its
     * method is found by name.
     */
    private static Catalog paimon(SparkSession spark, String name) {
        CatalogPlugin plugin = spark.sessionState().catalogManager().catalog(name);
        try {
            return (Catalog) plugin.getClass().getMethod("paimonCatalog").invoke(plugin);
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(
                    String.format(
                            "Catalog %s is a %s, expected one of Paimon"
                                    + " (org.apache.paimon.spark.SparkCatalog).",
                            name, plugin.getClass().getName()),
                    e);
        } catch (ClassCastException e) {
            throw new IllegalStateException(
                    String.format(
                            "Catalog %s is of another Paimon than the plugin's: the jars of Paimon"
                                    + " and of the plugin must come from one class loader, both in"
                                    + " Spark's folder jars or both in --jars.",
                            name),
                    e);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("Cannot open the catalog " + name + ".", e);
        }
    }

    SparkSession spark() {
        return spark;
    }

    Table table() {
        return table;
    }

    /** Removes what the session has cached of the table. */
    void refresh() {
        String name =
                quote(catalog)
                        + "."
                        + quote(identifier.getDatabaseName())
                        + "."
                        + quote(identifier.getObjectName());
        try {
            spark.catalog().refreshTable(name);
        } catch (RuntimeException e) {
            // The table has been changed nevertheless.
            LOG.warn("The session may hold old rows of {}: REFRESH TABLE failed.", name, e);
        }
    }

    /** Makes the table's database the session's current one. */
    void use() {
        spark.sql("USE " + quote(catalog) + "." + quote(identifier.getDatabaseName()));
    }

    private static String quote(String name) {
        return Columns.quote(name);
    }
}
