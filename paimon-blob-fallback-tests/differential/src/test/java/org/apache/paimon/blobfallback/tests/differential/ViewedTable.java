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

package org.apache.paimon.blobfallback.tests.differential;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.paimon.blobfallback.tests.bridge.DataFile;
import org.apache.paimon.blobfallback.tests.bridge.Descriptor;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.apache.paimon.blobfallback.tests.bridge.ViewOf;

/** A table with one blob column of two layers, whose blobs another table's views point to. */
final class ViewedTable {

    private static final int ROWS = 6;
    private static final String COLUMN = "b";

    private final String name;
    private final int fieldId;
    private final Map<Long, byte[]> blobs;
    private final Map<Long, Descriptor> descriptors = new TreeMap<>();

    private ViewedTable(String name, int fieldId, Map<Long, byte[]> blobs) {
        this.name = name;
        this.fieldId = fieldId;
        this.blobs = blobs;
    }

    /** Writes the table. */
    static ViewedTable create(String name, Random random, PaimonWriter writer) throws Exception {
        writer.createTable(name, TableDefinition.of("id", "INT", COLUMN, "BLOB"));
        Map<Long, byte[]> blobs = new TreeMap<>();
        List<List<Object>> rows = new ArrayList<>();
        for (int id = 0; id < ROWS; id++) {
            blobs.put((long) id, bytes(random));
            rows.add(List.of(id, blobs.get((long) id)));
        }
        writer.append(name, rows);
        long updated = random.nextInt(ROWS);
        blobs.put(updated, bytes(random));
        writer.update(
                name, List.of(COLUMN), Map.of(updated, List.of(blobs.get(updated))), Map.of());
        ViewedTable table = new ViewedTable(name, writer.columnIds(name).get(COLUMN), blobs);
        table.findDescriptors(writer);
        return table;
    }

    private static byte[] bytes(Random random) {
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        return bytes;
    }

    private void findDescriptors(PaimonWriter writer) throws Exception {
        List<DataFile> newestLast =
                writer.dataFiles(name).stream()
                        .filter(DataFile::isBlob)
                        .sorted(Comparator.comparing(DataFile::maxSequenceNumber))
                        .toList();
        for (DataFile file : newestLast) {
            findDescriptors(file);
        }
    }

    private void findDescriptors(DataFile file) throws IOException {
        BlobFileDump dump = BlobFileDump.of(Path.of(file.path()));
        for (int entry = 0; entry < file.rowCount(); entry++) {
            if (!dump.isPlaceholder(entry)) {
                descriptors.put(
                        file.firstRowId() + entry,
                        (Descriptor) dump.value(entry, "BLOB", file.path()));
            }
        }
    }

    /** A view of any of its blobs. */
    ViewOf anyView(Random random) {
        return new ViewOf(name, fieldId, random.nextInt(ROWS));
    }

    /** What a view hands out: bytes, or a descriptor of where they are. */
    Object value(ViewOf view, boolean descriptor) {
        return descriptor ? descriptors.get(view.rowId()) : blobs.get(view.rowId());
    }
}
