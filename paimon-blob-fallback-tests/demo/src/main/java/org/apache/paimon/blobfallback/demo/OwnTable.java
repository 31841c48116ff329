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

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.catalog.Catalog;
import org.apache.flink.table.catalog.ObjectPath;

/**
 * Reads a table of the user's own. Its arguments: warehouse, database, table, and a statement if
 * there is one.
 */
public final class OwnTable {

    private static final int FIRST_ROWS = 20;

    /** What a statement that changes nothing starts with. */
    private static final Set<String> QUERIES =
            Set.of("SELECT", "WITH", "SHOW", "DESCRIBE", "DESC", "EXPLAIN");

    private OwnTable() {}

    public static void main(String[] arguments) throws Exception {
        SqlSession session = new SqlSession();
        boolean good = run(session, List.of(arguments));
        SqlSession.exit(good);
    }

    private static boolean run(SqlSession session, List<String> arguments) throws Exception {
        String warehouse = arguments.get(0);
        String database = arguments.get(1);
        String table = arguments.get(2);
        String sql =
                arguments.size() > 3
                        ? arguments.get(3)
                        : "SELECT * FROM `" + table + "` LIMIT " + FIRST_ROWS;
        if (!isQuery(sql)) {
            System.err.println(
                    "bin/demo only reads. Expected a statement that starts with one of "
                            + new TreeSet<>(QUERIES)
                            + ", found: "
                            + sql);
            return false;
        }
        System.out.println();
        if (!session.run(Catalogs.pluginForReading(warehouse))
                || !session.run(SqlSession.SILENT + Catalogs.USE)) {
            return false;
        }
        if (!exists(session.environment(), warehouse, database, table)) {
            return false;
        }
        return session.run(SqlSession.SILENT + "USE `" + database + "`") && session.run(sql);
    }

    private static boolean isQuery(String sql) {
        String first = sql.strip().split("[\\s(]", 2)[0].toUpperCase(Locale.ROOT);
        return first.isEmpty() ? sql.strip().startsWith("(") : QUERIES.contains(first);
    }

    private static boolean exists(
            TableEnvironment environment, String warehouse, String database, String table)
            throws Exception {
        Catalog catalog = environment.getCatalog(Catalogs.NAME).orElseThrow();
        if (catalog.tableExists(new ObjectPath(database, table))) {
            return true;
        }
        List<String> tables = new ArrayList<>();
        for (String each : catalog.listDatabases()) {
            catalog.listTables(each).forEach(name -> tables.add(each + "." + name));
        }
        System.err.println(
                "There is no table "
                        + database
                        + "."
                        + table
                        + " in "
                        + warehouse
                        + (tables.isEmpty()
                                ? ", nor any other table."
                                : ". Its tables are: " + String.join(", ", tables)));
        return false;
    }
}
