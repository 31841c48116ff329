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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;

/** The many ways in which one snapshot is read. */
final class RandomRequests {

    private final String table;
    private final Expectation expectation;
    private final Random random;

    RandomRequests(String table, Expectation expectation, Random random) {
        this.table = table;
        this.expectation = expectation;
        this.random = random;
    }

    /**
     * Every projection inline, half of them as descriptors too, some of both for each of several
     * sets of ranges, and some with filters or limits.
     */
    List<ReadRequest> all() {
        List<ReadRequest> requests = new ArrayList<>();
        for (List<String> columns : projections()) {
            ReadRequest request = new ReadRequest(table, columns, null, Map.of());
            requests.add(request);
            if (random.nextBoolean()) {
                requests.add(request.with("blob-as-descriptor", "true"));
            }
        }
        for (int i = 0; i < 2; i++) {
            requests.addAll(ranged(3));
        }
        requests.addAll(narrowed());
        return requests;
    }

    /** A few requests, for one more snapshot of the table. */
    List<ReadRequest> some() {
        List<ReadRequest> requests = new ArrayList<>(ranged(2));
        requests.add(ReadRequest.all(table));
        requests.add(new ReadRequest(table, shuffled(blobs(), system()), null, Map.of()));
        return requests;
    }

    /** The whole rows of what one or more snapshots have changed, with their row ids. */
    ReadRequest changes() {
        ReadRequest request =
                new ReadRequest(
                        table,
                        shuffled(
                                blobs(),
                                names(expectation.state().otherColumns()),
                                List.of("_ROW_ID")),
                        null,
                        Map.of());
        return random.nextBoolean() ? request : request.with("blob-as-descriptor", "true");
    }

    /** The system tables that hand out rows. */
    List<ReadRequest> systemTables() {
        return List.of(
                ReadRequest.all(table + "$row_tracking"),
                ReadRequest.all(table + "$row_tracking").with("blob-as-descriptor", "true"),
                ReadRequest.all(table + "$ro"),
                ReadRequest.all(table + "$audit_log"));
    }

    /**
     * Filters that only plan, filters that drop rows, limits, and no column at all. Where it is
     * open which rows come, they have a column that tells which they are.
     */
    private List<ReadRequest> narrowed() {
        String key = random.nextBoolean() ? "id" : "_ROW_ID";
        List<String> normals = names(expectation.state().otherColumns());
        ReadRequest some =
                new ReadRequest(table, shuffled(someBlobs(), List.of(key)), null, Map.of());
        ReadRequest whole = new ReadRequest(table, shuffled(blobs(), normals), null, Map.of());
        ReadRequest nothing = new ReadRequest(table, List.of(), null, Map.of());
        List<ReadRequest> requests = filtered(whole);
        requests.addAll(
                List.of(
                        some.where(hint()),
                        some.limit(1 + random.nextInt(12)),
                        (random.nextBoolean() ? some : some.where(hint()))
                                .with("blob-as-descriptor", "true")
                                .limit(1 + random.nextInt(40)),
                        random.nextBoolean() ? nothing : nothing.range(0, random.nextInt(20))));
        return requests;
    }

    /** Each column filtered, and filters combined; what is counted has the filter's columns. */
    private List<ReadRequest> filtered(ReadRequest whole) {
        RandomFilters filters = new RandomFilters(expectation.state(), random);
        List<ReadRequest.Filter> drawn = new ArrayList<>();
        expectation.state().columns().forEach(column -> drawn.add(filters.on(column)));
        drawn.add(filters.any());
        drawn.add(filters.any());
        List<ReadRequest> requests = new ArrayList<>();
        for (ReadRequest.Filter filter : drawn) {
            List<String> asked = List.copyOf(Filters.columns(filter));
            ReadRequest counted = new ReadRequest(table, asked, null, Map.of());
            requests.add((random.nextInt(3) == 0 ? whole : counted).where(filter));
        }
        return requests;
    }

    private ReadRequest.Filter hint() {
        return new RandomFilters(expectation.state(), random).any().asHint();
    }

    private List<String> someBlobs() {
        List<String> blobs = shuffled(blobs());
        return blobs.subList(0, 1 + random.nextInt(blobs.size()));
    }

    private List<ReadRequest> ranged(int count) {
        List<ReadRequest.Range> ranges = ranges();
        List<List<String>> projections = new ArrayList<>(projections());
        Collections.shuffle(projections, random);
        List<ReadRequest> requests = new ArrayList<>();
        for (List<String> columns : projections.subList(0, count)) {
            ReadRequest request = new ReadRequest(table, columns, ranges, Map.of());
            requests.add(
                    random.nextBoolean() ? request : request.with("blob-as-descriptor", "true"));
        }
        return requests;
    }

    private List<List<String>> projections() {
        List<String> normals = names(expectation.state().otherColumns());
        String blob = blobs().get(random.nextInt(blobs().size()));
        List<List<String>> projections = new ArrayList<>();
        projections.add(null);
        projections.add(List.of(blob));
        projections.add(shuffled(blobs()));
        projections.add(List.of(blob, "id"));
        projections.add(shuffled(blobs(), normals));
        projections.add(shuffled(blobs(), normals, system()));
        projections.add(shuffled(blobs(), system()));
        projections.add(shuffled(List.of(blob), system()));
        projections.add(shuffled(normals, system()));
        return projections;
    }

    private List<String> blobs() {
        return names(expectation.state().blobColumns());
    }

    private static List<String> system() {
        return List.of("_ROW_ID", "_SEQUENCE_NUMBER");
    }

    private static List<String> names(List<ModelColumn> columns) {
        return columns.stream().map(ModelColumn::name).toList();
    }

    @SafeVarargs
    private List<String> shuffled(List<String>... parts) {
        List<String> all = new ArrayList<>();
        for (List<String> part : parts) {
            all.addAll(part);
        }
        Collections.shuffle(all, random);
        return all;
    }

    /** One to four ranges, apart from each other, a single row now and then. */
    private List<ReadRequest.Range> ranges() {
        int end = (int) expectation.lastRowId() + 3;
        TreeSet<Long> bounds = new TreeSet<>();
        int count = 2 * (1 + random.nextInt(4));
        for (int i = 0; i < count; i++) {
            bounds.add((long) random.nextInt(end));
        }
        List<ReadRequest.Range> ranges = new ArrayList<>();
        while (!bounds.isEmpty()) {
            long from = bounds.pollFirst();
            boolean single = bounds.isEmpty() || random.nextInt(4) == 0;
            ranges.add(new ReadRequest.Range(from, single ? from : bounds.pollFirst()));
        }
        return ranges;
    }
}
