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

package org.apache.paimon.blobfallback.tests.benchmark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;

/**
 * A table of one group with an INT column and a BLOB column, written by Paimon 2.0.
 *
 * @param rows number of rows
 * @param blobBytes length of each blob
 * @param layers number of layers; the oldest holds all rows
 * @param touchedPermille how many rows in a thousand each other layer holds, chosen at random
 */
record TableShape(int rows, int blobBytes, int layers, int touchedPermille) {

    static final String ID = "id";

    /** The row id modulo {@link #LABELS}. */
    static final String LABEL = "label";

    static final int LABELS = 100;

    static final String BLOB = "b";

    private static final String DATABASE = "labeled";

    /** Tiny blobs that no one has updated yet. */
    static TableShape ofOneLayer(int rows) {
        return new TableShape(rows, 8, 1, 0);
    }

    /** Its full name, which says its shape. */
    String name() {
        return DATABASE + "." + table();
    }

    /** Its folder in the warehouse. */
    String folder() {
        return DATABASE + ".db/" + table();
    }

    private String table() {
        return String.format("r%d_b%d_l%d_t%d", rows, blobBytes, layers, touchedPermille);
    }

    /** Number of rows of each layer but the oldest. */
    int touchedRows() {
        return (int) ((long) rows * touchedPermille / 1000);
    }

    /** Row ids of each layer but the oldest, oldest first. */
    List<BitSet> touched() {
        List<BitSet> touched = new ArrayList<>();
        Random random = new Random(rows + 31L * layers);
        for (int layer = 1; layer < layers; layer++) {
            BitSet rowIds = new BitSet(rows);
            if (touchedRows() == rows) {
                rowIds.set(0, rows);
            }
            for (int left = touchedRows() - rowIds.cardinality(); left > 0; ) {
                int rowId = random.nextInt(rows);
                if (!rowIds.get(rowId)) {
                    rowIds.set(rowId);
                    left--;
                }
            }
            touched.add(rowIds);
        }
        return touched;
    }

    /** Distinct row ids chosen at random, ascending, always the same. */
    long[] randomRowIds(int count) {
        return new Random(rows)
                .longs(0, rows)
                .distinct()
                .limit(Math.min(count, rows))
                .sorted()
                .toArray();
    }

    /** A row id that only the oldest layer holds. */
    long untouchedRowId() {
        BitSet all = new BitSet(rows);
        touched().forEach(all::or);
        return all.nextClearBit(rows / 2);
    }

    /**
     * Writes the table unless it is there.
     *
     * @param writer a Paimon 2.0 that is open on the warehouse
     * @param warehouse where a mark is left once the table is complete
     */
    void write(PaimonWriter writer, Path warehouse) throws Exception {
        Path mark = warehouse.resolve(name() + ".complete");
        if (Files.exists(mark)) {
            return;
        }
        writer.createTable(
                name(),
                TableDefinition.of(ID, "INT", LABEL, "INT", BLOB, "BLOB")
                        .with("target-file-size", "100 gb")
                        .with("blob.target-file-size", "100 gb"));
        byte[] oldest = blob(0);
        writer.append(
                name(),
                new AbstractList<>() {
                    @Override
                    public List<Object> get(int index) {
                        return List.of(index, index % LABELS, oldest);
                    }

                    @Override
                    public int size() {
                        return rows;
                    }
                });
        int layer = 1;
        for (BitSet touched : touched()) {
            List<Object> blob = List.of(blob(layer++));
            Map<Long, List<Object>> values = new LinkedHashMap<>();
            touched.stream().forEach(rowId -> values.put((long) rowId, blob));
            writer.update(name(), List.of(BLOB), values, Map.of());
        }
        Files.createFile(mark);
    }

    private byte[] blob(int layer) {
        byte[] blob = new byte[blobBytes];
        Arrays.fill(blob, (byte) layer);
        return blob;
    }
}
