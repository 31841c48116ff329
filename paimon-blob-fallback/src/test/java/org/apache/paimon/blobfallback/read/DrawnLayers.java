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

package org.apache.paimon.blobfallback.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.paimon.blobfallback.testtable.BlobLayer;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.io.DataFileMeta;

/**
 * Layers of one blob column over the rows from 0 on, as they were drawn: the entry of each row in
 * each file, and its place. Computed without the plugin.
 */
final class DrawnLayers {

    private static final long NULL = -1;
    private static final long PLACEHOLDER = -2;

    /** Magic, length and checksum. */
    private static final int ENTRY_OVERHEAD = 16;

    private static final int FOOTER = 5;

    /** The length of runs of rows of one kind. */
    enum Pattern {
        WHOLE,
        RUNS,
        SCATTERED
    }

    /**
     * How a layer is made.
     *
     * @param files maximum number of files
     * @param gaps whether some of them are left out
     * @param pattern of its entries
     * @param touched percent of the rows that have a value or null
     * @param longest bytes of a payload
     * @param seed of all random choices
     */
    record Shape(int files, boolean gaps, Pattern pattern, int touched, int longest, long seed) {}

    /** Files of all layers, newest layer first, by row id in each. */
    final List<File> files = new ArrayList<>();

    private final int rows;

    /**
     * @param shapes of the layers, newest first
     * @param maxFiles of all layers together; the oldest layers have fewer or are left out
     * @param maxBytes about how many all payloads together may have; they are shorter otherwise
     */
    DrawnLayers(int rows, List<Shape> shapes, int maxFiles, long maxBytes) {
        this.rows = rows;
        for (int i = 0; i < shapes.size(); i++) {
            int layer = shapes.size() - i;
            Shape shape = shapes.get(i);
            int maxHere = Math.min(shape.files(), maxFiles - files.size() - (layer - 1));
            if (maxHere > 0) {
                draw(layer, shape, maxHere, maxBytes / shapes.size());
            }
        }
    }

    private void draw(int layer, Shape shape, int maxFiles, long maxBytes) {
        Random random = new Random(shape.seed());
        TreeSet<Integer> cuts = new TreeSet<>(List.of(0, rows));
        for (int i = 1; i < maxFiles; i++) {
            cuts.add(random.nextInt(rows));
        }
        long touched = Math.max(1, (long) rows * shape.touched() / 100);
        int longest = (int) Math.min(shape.longest(), 2 * maxBytes / touched);
        for (int first : cuts.headSet(rows)) {
            int end = cuts.higher(first);
            if (!shape.gaps() || random.nextBoolean()) {
                files.add(new File(layer, first, lengths(end - first, shape, longest, random)));
            }
        }
    }

    private static long[] lengths(int count, Shape shape, int longest, Random random) {
        long[] lengths = new long[count];
        int next = 0;
        while (next < count) {
            int run = shape.pattern() == Pattern.RUNS ? 1 + random.nextInt(1 + count / 3) : 1;
            boolean touched =
                    shape.pattern() == Pattern.WHOLE || random.nextInt(100) < shape.touched();
            boolean isNull = random.nextInt(10) == 0;
            for (int end = Math.min(count, next + run); next < end; next++) {
                lengths[next] =
                        !touched
                                ? PLACEHOLDER
                                : isNull ? NULL : ENTRY_OVERHEAD + random.nextInt(longest + 1);
            }
        }
        return lengths;
    }

    /** Writes and commits all layers at once. */
    void writeTo(LayeredTable table) throws Exception {
        if (files.isEmpty()) {
            return;
        }
        BlobLayer layers = table.layer("pic");
        for (File file : files) {
            Object[] values = new Object[file.lengths.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = file.blob(i);
            }
            layers.sequence(file.layer).file(file.first, values);
        }
        layers.commit();
        for (DataFileMeta meta : table.blobFiles("pic")) {
            for (File file : files) {
                if (file.layer == meta.maxSequenceNumber() && file.first == meta.firstRowId()) {
                    file.name = meta.fileName();
                    if (meta.fileSize() != file.size()) {
                        throw new AssertionError(
                                "Expected " + file.size() + " bytes, found " + meta);
                    }
                }
            }
        }
    }

    /** A file: the entry of each row and its place. */
    static final class File {

        final int layer;
        final int first;
        String name;

        private final long[] lengths;
        private final long[] offsets;
        private final long dataLength;
        private final int indexLength;

        private File(int layer, int first, long[] lengths) {
            this.layer = layer;
            this.first = first;
            this.lengths = lengths;
            this.offsets = new long[lengths.length];
            long offset = 0;
            long before = 0;
            int index = 0;
            for (int i = 0; i < lengths.length; i++) {
                offsets[i] = offset;
                offset += Math.max(0, lengths[i]);
                index += varintLength(lengths[i] - before);
                before = lengths[i];
            }
            this.dataLength = offset;
            this.indexLength = index;
        }

        private static int varintLength(long delta) {
            long bits = (delta << 1) ^ (delta >> 63);
            return 1 + (63 - Long.numberOfLeadingZeros(bits | 1)) / 7;
        }

        int rows() {
            return lengths.length;
        }

        boolean covers(int row) {
            return first <= row && row < first + lengths.length;
        }

        boolean decides(int row) {
            return covers(row) && lengths[row - first] != PLACEHOLDER;
        }

        boolean isNull(int row) {
            return lengths[row - first] == NULL;
        }

        long length(int row) {
            return lengths[row - first];
        }

        long offset(int row) {
            return offsets[row - first];
        }

        long end(int row) {
            return offset(row) + length(row);
        }

        long size() {
            return dataLength + encodedIndexLength();
        }

        /** Bytes of the index and the footer. */
        long encodedIndexLength() {
            return indexLength + FOOTER;
        }

        /** Bytes that are read before the length of the index is known. */
        private long tailLength() {
            return Math.min(size(), lengths.length + lengths.length / 32 + FOOTER);
        }

        int indexRequests() {
            return encodedIndexLength() <= tailLength() ? 1 : 2;
        }

        long indexBytes() {
            return Math.max(encodedIndexLength(), tailLength());
        }

        /** The bytes of a row's blob, as text. */
        String text(int row) {
            char[] text = new char[(int) length(row) - ENTRY_OVERHEAD];
            String name = layer + "." + row + " ";
            for (int i = 0; i < text.length; i++) {
                text[i] = name.charAt(i % name.length());
            }
            return new String(text);
        }

        private Object blob(int index) {
            if (lengths[index] == PLACEHOLDER) {
                return BlobLayer.PLACEHOLDER;
            }
            return lengths[index] == NULL ? null : LayeredTable.blob(text(first + index));
        }
    }
}
