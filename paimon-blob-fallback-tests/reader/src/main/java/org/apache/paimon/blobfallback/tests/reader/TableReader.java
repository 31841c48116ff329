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

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.StreamTableScan;
import org.apache.paimon.table.source.TableRead;
import org.apache.paimon.table.source.TableScan;
import org.apache.paimon.utils.CloseableIterator;

/**
 * Reads through the public table API, as a Java service does. Compiled against the host; the API it
 * uses is the same in Paimon 2.0.
 */
// Paimon's own closeables throw Exception.
@SuppressWarnings("try")
public final class TableReader extends HostCatalogClient implements PaimonReader {

    /** No table of a test has more; a Paimon may hand out rows for ever. */
    private static final int MAX_ROWS = 100_000;

    @Override
    public List<List<Object>> read(ReadRequest request) throws Exception {
        Table table = table(request);
        ReadBuilder builder = Reads.builder(table, request);
        return rows(table, builder, Reads.read(builder, request), builder.newScan().plan());
    }

    @Override
    public List<List<Object>> readChanges(ReadRequest request, long snapshot) throws Exception {
        Table table = table(request);
        ReadBuilder builder = Reads.builder(table, request);
        StreamTableScan scan = builder.newStreamScan();
        scan.restore(snapshot);
        return rows(table, builder, Reads.read(builder, request), scan.plan());
    }

    @Override
    public OptionalLong count(ReadRequest request) throws Exception {
        long count = 0;
        for (Split split : Reads.builder(table(request), request).newScan().plan().splits()) {
            OptionalLong ofSplit = split.mergedRowCount();
            if (!ofSplit.isPresent()) {
                return ofSplit;
            }
            count += ofSplit.getAsLong();
        }
        return OptionalLong.of(count);
    }

    private Table table(ReadRequest request) throws Exception {
        Table table = catalog().getTable(Identifier.fromString(request.table()));
        return request.options().isEmpty() ? table : table.copy(request.options());
    }

    private static List<List<Object>> rows(
            Table table, ReadBuilder builder, TableRead read, TableScan.Plan plan)
            throws Exception {
        boolean descriptors = CoreOptions.fromMap(table.options()).blobAsDescriptor();
        ExternalValues values = new ExternalValues(builder.readType(), descriptors);
        List<List<Object>> rows = new ArrayList<>();
        for (Split split : plan.splits()) {
            try (CloseableIterator<InternalRow> splitRows =
                    read.createReader(split).toCloseableIterator()) {
                while (splitRows.hasNext()) {
                    if (rows.size() == MAX_ROWS) {
                        throw new IllegalStateException("The read does not end: " + split);
                    }
                    rows.add(values.of(splitRows.next()));
                }
            }
        }
        return rows;
    }

    @Override
    public String tableClass(String table) throws Exception {
        return catalog().getTable(Identifier.fromString(table)).getClass().getName();
    }
}
