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
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/**
 * Flink SQL on whatever Paimon this JVM has on its class path: runs the given statements and prints
 * their results.
 *
 * <p>The statements are its arguments. One that starts with {@value #SILENT} prints nothing unless
 * it fails; the others print themselves and their rows, or the error that the user of a SQL client
 * would find at the root of the stack trace. A failing statement does not stop the next.
 *
 * <p>The exit status is 0 if all statements succeeded and 1 if one failed.
 */
public final class SqlSession {

    /** Mark of a statement whose success is not worth a line. */
    static final String SILENT = "--silent ";

    /** No more rows than this are shown of one result. */
    static final int MAX_ROWS = 50;

    private final TableEnvironment environment =
            TableEnvironment.create(EnvironmentSettings.inBatchMode());

    public static void main(String[] statements) {
        SqlSession session = new SqlSession();
        boolean good = true;
        for (String statement : statements) {
            good &= session.run(statement);
        }
        exit(good);
    }

    /** Ends the JVM, even if Flink left a thread running after a failed job. */
    static void exit(boolean good) {
        System.exit(good ? 0 : 1);
    }

    /** Where the statements run. */
    TableEnvironment environment() {
        return environment;
    }

    /** Runs one statement and prints what comes of it; returns whether it succeeded. */
    boolean run(String marked) {
        boolean silent = marked.startsWith(SILENT);
        String statement = silent ? marked.substring(SILENT.length()) : marked;
        if (!silent) {
            System.out.println("  Flink SQL> " + statement.replace("\n", "\n             ") + ";");
            System.out.println();
        }
        try {
            List<String> lines = execute(statement);
            if (!silent) {
                lines.forEach(System.out::println);
                System.out.println();
            }
            return true;
        } catch (Exception e) {
            System.out.println("    [ERROR] " + rootCause(e));
            System.out.println();
            return false;
        }
    }

    private List<String> execute(String statement) throws Exception {
        TableResult result = environment.executeSql(statement);
        TextTable table = new TextTable(result.getResolvedSchema().getColumnNames());
        int count = 0;
        CloseableIterator<Row> rows = result.collect();
        try {
            while (count <= MAX_ROWS && rows.hasNext()) {
                Row row = rows.next();
                if (count++ < MAX_ROWS) {
                    table.add(cells(row));
                }
            }
        } finally {
            rows.close();
        }
        List<String> lines = new ArrayList<>(table.lines());
        if (count > MAX_ROWS) {
            lines.add("    ... more rows; the first " + MAX_ROWS + " are shown");
        }
        return lines;
    }

    private static List<String> cells(Row row) {
        List<String> cells = new ArrayList<>();
        for (int i = 0; i < row.getArity(); i++) {
            cells.add(Values.show(row.getField(i)));
        }
        return cells;
    }

    private static Throwable rootCause(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
