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

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.blobfallback.read.DrawnLayers.File;
import org.apache.paimon.blobfallback.read.DrawnLayers.Pattern;
import org.apache.paimon.blobfallback.read.DrawnLayers.Shape;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.blobfallback.testtable.TableRows;
import org.apache.paimon.options.MemorySize;
import org.apache.paimon.utils.Range;

/**
 * What reads of any layers cost, to the byte and to the request, and what they return (R2, R3, R6,
 * R7). The bounds are those of docs/performance.md.
 */
class ReadBoundsTest {

    /**
     * Streams that stay open on a local disk; with more files runs are split into several requests.
     */
    private static final int STREAMS_ON_DISK = 512;

    /** The same on a store, for all readers. */
    private static final int STREAMS_ON_STORE = 16;

    private static final int MAX_LAYERS = 80;
    private static final int MAX_ROWS = 4_000;
    private static final long MAX_BYTES = 6 << 20;

    private Path folder;

    /**
     * How a table is read.
     *
     * @param ranges of the rows; empty for all
     */
    private record Reading(
            boolean onDisk,
            int parallelism,
            String gap,
            String buffer,
            boolean descriptors,
            List<Range> ranges) {

        private boolean isAtOnce() {
            return !onDisk && parallelism > 1;
        }
    }

    @BeforeTry
    void createFolder() throws Exception {
        folder = Files.createTempDirectory("bounds");
    }

    @AfterTry
    void deleteFolder() throws Exception {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Provide
    Arbitrary<Integer> rows() {
        return Arbitraries.frequencyOf(
                Tuple.of(1, Arbitraries.integers().between(1, 40)),
                Tuple.of(2, Arbitraries.integers().between(41, 1_000)),
                Tuple.of(2, Arbitraries.integers().between(1_001, MAX_ROWS)));
    }

    /** Newest first. */
    @Provide
    Arbitrary<List<Shape>> layers() {
        Arbitrary<Shape> shape =
                Combinators.combine(
                                Arbitraries.integers().between(1, 4),
                                Arbitraries.of(true, false),
                                Arbitraries.of(Pattern.class),
                                Arbitraries.of(1, 10, 50, 90),
                                Arbitraries.of(0, 20, 300, 10_000),
                                Arbitraries.longs().between(0, 1_000_000))
                        .as(Shape::new);
        Arbitrary<Shape> update =
                Combinators.combine(
                                Arbitraries.of(Pattern.RUNS, Pattern.SCATTERED),
                                Arbitraries.of(1, 10),
                                Arbitraries.of(0, 20, 300, 10_000),
                                Arbitraries.longs().between(0, 1_000_000))
                        .as(
                                (pattern, touched, longest, seed) ->
                                        new Shape(1, false, pattern, touched, longest, seed));
        return Arbitraries.frequencyOf(
                Tuple.of(3, shape.list().ofMinSize(1).ofMaxSize(6)),
                Tuple.of(1, shape.list().ofMinSize(7).ofMaxSize(MAX_LAYERS)),
                Tuple.of(2, update.list().ofMinSize(2).ofMaxSize(MAX_LAYERS)));
    }

    @Provide
    Arbitrary<Reading> readings() {
        Arbitrary<Range> range =
                Combinators.combine(
                                Arbitraries.longs().between(0, MAX_ROWS - 1),
                                Arbitraries.frequencyOf(
                                        Tuple.of(1, Arbitraries.longs().between(0, 20)),
                                        Tuple.of(1, Arbitraries.longs().between(21, 1_500))))
                        .as((from, more) -> new Range(from, from + more));
        return Combinators.combine(
                        Arbitraries.of(true, false),
                        Arbitraries.of(1, 4),
                        Arbitraries.of("0 b", "1 b", "100 b", "4 kb", "32 kb"),
                        Arbitraries.of("1 b", "1 kb", "64 kb", "16 mb"),
                        Arbitraries.frequency(Tuple.of(1, true), Tuple.of(4, false)),
                        Arbitraries.frequencyOf(
                                Tuple.of(1, Arbitraries.just(List.<Range>of())),
                                Tuple.of(1, range.list().ofMinSize(1).ofMaxSize(4))))
                .as(Reading::new);
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    void aReadCostsItsWinnersAndTheIndexesThatFindThem(
            @ForAll("rows") int rows,
            @ForAll("layers") List<Shape> shapes,
            @ForAll("readings") Reading reading)
            throws Exception {
        int maxFiles =
                reading.onDisk()
                        ? STREAMS_ON_DISK
                        : reading.isAtOnce() ? Integer.MAX_VALUE : STREAMS_ON_STORE;
        DrawnLayers layers = new DrawnLayers(rows, shapes, maxFiles, MAX_BYTES);
        CountingFileIO storage =
                reading.onDisk() ? CountingFileIO.vectored() : CountingFileIO.sequential();
        LayeredTable table = LayeredTable.create(storage, folder).appendWithoutBlobs(0, rows - 1);
        layers.writeTo(table);
        ExpectedCost expected = new ExpectedCost(layers, wanted(rows, reading.ranges()));
        storage.reset();

        List<Object> values = read(table, reading);

        if (reading.descriptors()) {
            assertThat(values).hasSameSizeAs(expected.values());
        } else {
            assertThat(values).isEqualTo(expected.values());
        }
        assertCosts(storage, reading, layers, expected);
        storage.assertNothingOpen();
    }

    private static List<Integer> wanted(int rows, List<Range> ranges) {
        List<Integer> wanted = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            long rowId = row;
            if (ranges.isEmpty()
                    || ranges.stream().anyMatch(r -> r.from <= rowId && rowId <= r.to)) {
                wanted.add(row);
            }
        }
        return wanted;
    }

    private static List<Object> read(LayeredTable table, Reading reading) throws Exception {
        TableRows rows =
                table.read("id", "pic")
                        .option(BlobFallbackOptions.READ_PARALLELISM.key(), reading.parallelism())
                        .option(BlobFallbackOptions.READ_COALESCE_GAP.key(), reading.gap())
                        .option(BlobFallbackOptions.READ_BUFFER_SIZE.key(), reading.buffer())
                        .option("blob-as-descriptor", reading.descriptors());
        reading.ranges().forEach(range -> rows.range(range.from, range.to));
        return rows.values();
    }

    private static void assertCosts(
            CountingFileIO storage, Reading reading, DrawnLayers layers, ExpectedCost expected) {
        Set<String> opened = storage.openedFiles(".blob");
        List<File> inVain =
                layers.files.stream()
                        .filter(file -> opened.contains(file.name))
                        .filter(file -> !expected.needed.contains(file))
                        .toList();
        // Unnecessary indexes have no more entries than necessary ones, and are only read where
        // requests
        // are concurrent.
        assertThat(rows(inVain))
                .isLessThanOrEqualTo(reading.isAtOnce() ? rows(expected.needed) : 0);

        long bytes = indexBytes(expected.needed) + indexBytes(inVain);
        int requests = indexRequests(expected.needed) + indexRequests(inVain);
        if (!reading.descriptors()) {
            ExpectedCost.Payloads payloads = payloads(reading, expected);
            bytes += expected.winningBytes() + payloads.between;
            requests += payloads.requests;
        }
        assertThat(storage.bytesRead(".blob")).as("bytes").isLessThanOrEqualTo(bytes);
        assertThat(storage.requests(".blob")).as("requests").isLessThanOrEqualTo(requests);
    }

    private static ExpectedCost.Payloads payloads(Reading reading, ExpectedCost expected) {
        long gap = MemorySize.parse(reading.gap()).getBytes();
        long buffer = MemorySize.parse(reading.buffer()).getBytes();
        return reading.isAtOnce()
                ? expected.atOnce(Math.min(gap, (buffer + 1) / 2), buffer, reading.parallelism())
                : expected.oneByOne(Math.min(gap, buffer));
    }

    private static long rows(Collection<File> files) {
        return files.stream().mapToLong(File::rows).sum();
    }

    private static long indexBytes(Collection<File> files) {
        return files.stream().mapToLong(File::indexBytes).sum();
    }

    private static int indexRequests(Collection<File> files) {
        return files.stream().mapToInt(File::indexRequests).sum();
    }
}
