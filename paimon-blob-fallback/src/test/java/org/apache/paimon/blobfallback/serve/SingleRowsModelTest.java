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

package org.apache.paimon.blobfallback.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.blobfallback.testtable.BlobLayer;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.data.Blob;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Single rows of random tables against a model that looks at each row alone (R1 to R7, R24). */
class SingleRowsModelTest {

    private static final int REQUESTS = 40;

    @TempDir private Path folder;

    private final Map<String, TreeMap<Long, String>> model = new HashMap<>();
    private Random random;
    private int rows;
    private int written;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void eachRowHasItsWinnerAndWhatIsNoRowIsNone(long seed) throws Exception {
        random = new Random(seed);
        CountingFileIO fileIO =
                seed % 2 == 0 ? CountingFileIO.vectored() : CountingFileIO.sequential();
        LayeredTable table = write(LayeredTable.create(fileIO, folder));
        Map<String, String> options =
                Map.of(
                        "blob-fallback.read.parallelism", seed % 3 == 0 ? "1" : "4",
                        "blob-fallback.read.coalesce-gap", seed % 4 == 0 ? "0 b" : "32 kb",
                        "blob-fallback.reader.index-cache.max-memory",
                                seed % 5 == 0 ? "0 b" : "1 kb");

        try (BlobReader reader =
                BlobFallback.newBlobReader(table.stock().copy(options)).newReader()) {
            for (int i = 0; i < REQUESTS; i++) {
                assertReads(reader, rowIds());
            }
        }
        fileIO.assertNothingOpen();
    }

    /** Groups, one after the other, and layers that cover any part of them, or of several. */
    private LayeredTable write(LayeredTable table) throws Exception {
        model.put("pic", new TreeMap<>());
        model.put("doc", new TreeMap<>());
        int groups = 1 + random.nextInt(4);
        for (int group = 0; group < groups; group++) {
            int first = rows;
            int count = 1 + random.nextInt(20);
            rows += count;
            table.append(first, rows - 1);
            for (long row = first; row < rows; row++) {
                model.get("pic").put(row, "pic" + row);
                model.get("doc").put(row, "doc" + row);
            }
        }
        int layers = random.nextInt(6);
        for (int layer = 0; layer < layers; layer++) {
            String column = random.nextBoolean() ? "pic" : "doc";
            BlobLayer files = table.layer(column);
            int row = random.nextInt(rows);
            while (row < rows) {
                Object[] entries = new Object[1 + random.nextInt(rows - row)];
                for (int i = 0; i < entries.length; i++) {
                    entries[i] = entry(column, row + i);
                }
                files.file(row, entries);
                row += entries.length + random.nextInt(5);
            }
            files.commit();
        }
        return table;
    }

    private Object entry(String column, long row) {
        switch (random.nextInt(4)) {
            case 0:
                model.get(column).put(row, null);
                return null;
            case 1:
                String value = "x".repeat(random.nextInt(9)) + written++;
                model.get(column).put(row, value);
                return value;
            default:
                return BlobLayer.PLACEHOLDER;
        }
    }

    /** In any order, some twice, some behind the last row. */
    private long[] rowIds() {
        return random.longs(1 + random.nextInt(2 * rows), 0, rows + 3).toArray();
    }

    private void assertReads(BlobReader reader, long[] rowIds) throws Exception {
        int offset = random.nextInt(5);
        int length = random.nextInt(5);
        List<BlobRow> whole = reader.read(rowIds);
        List<BlobRow> described = reader.describe(rowIds);
        List<BlobRow> parts = reader.readPart(offset, length, rowIds);
        for (String column : List.of("pic", "doc")) {
            List<String> expected = new ArrayList<>();
            List<String> expectedParts = new ArrayList<>();
            for (long rowId : rowIds) {
                String value =
                        rowId < rows ? String.valueOf(model.get(column).get(rowId)) : "no row";
                boolean cut = rowId < rows && model.get(column).get(rowId) != null;
                expected.add(rowId + " " + value);
                expectedParts.add(rowId + " " + (cut ? part(value, offset, length) : value));
            }
            assertThat(strings(whole, column)).isEqualTo(expected);
            assertThat(strings(described, column)).isEqualTo(expected);
            assertThat(strings(parts, column)).isEqualTo(expectedParts);
        }
    }

    private static String part(String value, int offset, int length) {
        int from = Math.min(offset, value.length());
        return value.substring(from, Math.min(value.length(), from + length));
    }

    private static List<String> strings(List<BlobRow> rows, String column) {
        List<String> strings = new ArrayList<>();
        for (BlobRow row : rows) {
            strings.add(row.rowId() + " " + (row.exists() ? string(row, column) : "no row"));
            assertThat(row.isDeleted()).isFalse();
        }
        return strings;
    }

    private static String string(BlobRow row, String column) {
        Blob blob = row.getBlob(column);
        assertThat(row.isNull(column)).isEqualTo(blob == null);
        return blob == null ? "null" : new String(blob.toData(), StandardCharsets.UTF_8);
    }
}
