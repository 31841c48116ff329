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

package org.apache.paimon.blobfallback.tests.flinkversions;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/**
 * Runs SQL in the Flink that is on the class path, each job on a cluster in this JVM.
 *
 * <p>The first argument is a file with a step in each line, its parts separated by tabs; the second
 * argument is the file for the rows, one in each line. The steps are:
 *
 * <ul>
 *   <li>{@code batch}, a statement; {@code stream}, a statement
 *   <li>{@code first}, a number of rows, an unbounded query that is cancelled after them
 *   <li>{@code until}, an unbounded query, a row to wait for, a statement to run then in batch
 *       mode, and the row to wait for before the query is cancelled
 * </ul>
 */
public final class FlinkProgram {

    private final TableEnvironment batch =
            TableEnvironment.create(EnvironmentSettings.newInstance().inBatchMode().build());
    private final TableEnvironment stream =
            TableEnvironment.create(EnvironmentSettings.newInstance().inStreamingMode().build());
    private final List<String> output = new ArrayList<>();

    private FlinkProgram() {}

    public static void main(String[] arguments) throws Exception {
        FlinkProgram program = new FlinkProgram();
        for (String step : Files.readAllLines(Path.of(arguments[0]))) {
            program.run(step.split("\t"));
            Files.write(Path.of(arguments[1]), program.output);
        }
        // Threads of a cancelled job may go on.
        System.exit(0);
    }

    private void run(String[] step) throws Exception {
        output.add("> " + String.join(" ", step));
        switch (step[0]) {
            case "batch" -> collect(batch, step[1], Long.MAX_VALUE);
            case "stream" -> collect(stream, step[1], Long.MAX_VALUE);
            case "first" -> collect(stream, step[2], Long.parseLong(step[1]));
            case "until" -> {
                CloseableIterator<Row> rows = stream.executeSql(step[1]).collect();
                try {
                    await(rows, step[2]);
                    collect(batch, step[3], Long.MAX_VALUE);
                    await(rows, step[4]);
                } finally {
                    rows.close();
                }
            }
            default -> throw new IllegalArgumentException(step[0]);
        }
    }

    private void collect(TableEnvironment environment, String statement, long count)
            throws Exception {
        CloseableIterator<Row> rows = environment.executeSql(statement).collect();
        try {
            for (long i = 0; i < count && rows.hasNext(); i++) {
                output.add(cells(rows.next()));
            }
        } finally {
            rows.close();
        }
    }

    private void await(CloseableIterator<Row> rows, String expected) {
        String row;
        do {
            row = cells(rows.next());
        } while (!row.equals(expected));
        output.add(row);
    }

    private static String cells(Row row) {
        List<String> cells = new ArrayList<>();
        for (int i = 0; i < row.getArity(); i++) {
            Object value = row.getField(i);
            cells.add(value instanceof byte[] bytes ? new String(bytes, UTF_8) : "" + value);
        }
        return String.join("|", cells);
    }
}
