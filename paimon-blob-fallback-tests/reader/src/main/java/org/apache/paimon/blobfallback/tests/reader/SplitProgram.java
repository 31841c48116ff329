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

package org.apache.paimon.blobfallback.tests.reader;

import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.options.Options;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.Split;

/**
 * Plans a read, or reads what another process has planned, as engines do whose planner and readers
 * are apart: {@code plan WAREHOUSE TABLE FILE} writes the table and its splits to a file, {@code
 * read FILE} prints their rows, an id and a blob.
 */
// Paimon's own closeables throw Exception.
@SuppressWarnings("try")
public final class SplitProgram {

    private SplitProgram() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("plan")) {
            plan(arguments[1], arguments[2], Path.of(arguments[3]));
        } else {
            read(Path.of(arguments[1]));
        }
    }

    private static void plan(String warehouse, String name, Path file) throws Exception {
        Map<String, String> options =
                Map.of(
                        "warehouse", warehouse,
                        "metastore", "blob-fallback",
                        "blob-fallback.enabled", "true");
        try (Catalog catalog =
                        CatalogFactory.createCatalog(
                                CatalogContext.create(Options.fromMap(options)));
                ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(file))) {
            Table table = catalog.getTable(Identifier.fromString(name));
            out.writeObject(table);
            out.writeObject(new ArrayList<>(table.newReadBuilder().newScan().plan().splits()));
        }
    }

    private static void read(Path file) throws Exception {
        try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(file))) {
            Table table = (Table) in.readObject();
            for (Object split : (ArrayList<?>) in.readObject()) {
                try (RecordReader<InternalRow> reader =
                        table.newReadBuilder().newRead().createReader((Split) split)) {
                    reader.forEachRemaining(
                            row ->
                                    System.out.println(
                                            row.getInt(0)
                                                    + "|"
                                                    + new String(
                                                            row.getBlob(1).toData(),
                                                            StandardCharsets.UTF_8)));
                }
            }
        }
    }
}
