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

package org.apache.paimon.blobfallback.tests.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.blobfallback.update.BlobUpdateBuilder;
import org.apache.paimon.blobfallback.update.BlobUpdateConflictException;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.globalindex.IndexedSplit;
import org.apache.paimon.options.ExpireConfig;
import org.apache.paimon.options.Options;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.TableRead;
import org.apache.paimon.utils.IOUtils;
import org.apache.paimon.utils.Range;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many threads read one table object without a pause, while the plugin and Paimon 2.0 update it,
 * rows are appended, layers are flattened and snapshots expire. Each read returns what one snapshot
 * holds (R2, R6, R7, R16, W5, W6), or fails because a file of its snapshot is gone.
 */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
class ConcurrentReadsTest {

    private static final String TABLE = "db.t";
    private static final int GROUP = 20;
    private static final int GROUPS = 3;
    private static final int UPDATES = 20;
    private static final int READERS = 3;
    private static final int KEPT_SNAPSHOTS = 4;

    @TempDir private Path warehouse;

    private final AtomicInteger nextValue = new AtomicInteger();
    private final AtomicInteger writers = new AtomicInteger();
    private final Map<Projection, Integer> reads = new EnumMap<>(Projection.class);

    private PaimonRuntime runtime2;
    private PaimonWriter paimon2;
    private Catalog catalog;
    private FileStoreTable table;
    private SnapshotStates states;

    /** What a read asks for. */
    private enum Projection {
        ALL("id", "pic", "doc"),
        ONE_BLOB("pic"),
        BLOBS_AND_ROW_ID("doc", "_ROW_ID", "pic"),
        RANGES("id", "pic"),
        DESCRIPTORS("pic", "id", "doc"),
        NO_BLOB("id");

        private final List<String> columns;

        Projection(String... columns) {
            this.columns = List.of(columns);
        }

        private boolean wants(int id) {
            return this != RANGES || (id >= 5 && id <= GROUP + 5);
        }

        private List<Object> of(SnapshotStates.Row row) {
            List<Object> values = new ArrayList<>();
            for (String column : columns) {
                values.add(
                        switch (column) {
                            case "pic" -> row.pic();
                            case "doc" -> row.doc();
                            default -> row.id();
                        });
            }
            return values;
        }
    }

    @BeforeEach
    void createTable() throws Exception {
        runtime2 = Runtimes.paimon2();
        paimon2 = runtime2.find(PaimonWriter.class);
        paimon2.open(warehouse.toString(), Map.of());
        paimon2.createTable(
                TABLE,
                TableDefinition.of("id", "INT", "pic", "BLOB", "doc", "BLOB")
                        .with("file.format", "avro")
                        .with("blob.target-file-size", "200 b"));
        catalog =
                CatalogFactory.createCatalog(
                        CatalogContext.create(
                                Options.fromMap(
                                        Map.of(
                                                "warehouse", warehouse.toString(),
                                                "metastore", "blob-fallback",
                                                "blob-fallback.enabled", "true"))));
        table = (FileStoreTable) catalog.getTable(Identifier.fromString(TABLE));
        states = new SnapshotStates(table);
        for (int i = 0; i < GROUPS; i++) {
            append();
        }
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
        paimon2.close();
        runtime2.close();
    }

    @Test
    @Timeout(600)
    void eachReadReturnsOneSnapshotWhileOthersWriteFlattenAndExpire() throws Exception {
        List<Future<Integer>> expired = new ArrayList<>();
        List<Future<?>> running = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            writers.set(3);
            running.add(threads.submit(() -> write(this::updateWithPlugin)));
            running.add(threads.submit(() -> write(this::updateWithPaimon2)));
            running.add(threads.submit(() -> write(this::flattenAndSometimesAppend)));
            running.add(threads.submit(this::expireSnapshots));
            for (int i = 0; i < READERS; i++) {
                Random random = new Random(i);
                expired.add(threads.submit(() -> readOn(random)));
            }
            for (Future<?> writer : running) {
                writer.get();
            }
            int failed = 0;
            for (Future<Integer> reader : expired) {
                failed += reader.get();
            }
            assertThat(failed).as("reads of files that are gone").isPositive();
        } finally {
            threads.shutdownNow();
            assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
        for (Projection projection : Projection.values()) {
            assertThat(reads.get(projection)).as("%s", projection).isPositive();
            assertOneSnapshot(projection, false);
        }
    }

    @Test
    void aReadWhoseSnapshotHasExpiredNamesTheFileThatIsGone() throws Exception {
        updateWithPlugin();
        ReadBuilder builder = builder(Projection.ALL);
        List<Split> splits = builder.newScan().plan().splits();
        BlobFallback.newFlattenBuilder(table).newFlatten().run();
        expire(1);

        assertThatThrownBy(() -> rows(Projection.ALL, builder.newRead(), splits))
                .hasStackTraceContaining(".blob does not exist. A snapshot that expired")
                .satisfies(failure -> assertThat(isOfExpiry(failure)).isTrue());
    }

    private Void write(SnapshotStates.Commit step) throws Exception {
        try {
            for (int i = 0; i < UPDATES; i++) {
                step.run();
            }
        } finally {
            writers.decrementAndGet();
        }
        return null;
    }

    private void append() throws Exception {
        int first = states.latest().size();
        List<SnapshotStates.Row> rows = new ArrayList<>();
        List<List<Object>> values = new ArrayList<>();
        for (int id = first; id < first + GROUP; id++) {
            SnapshotStates.Row row = new SnapshotStates.Row(id, newValue(), newValue());
            rows.add(row);
            values.add(List.of(id, bytes(row.pic()), bytes(row.doc())));
        }
        states.commit(rows, () -> paimon2.append(TABLE, values));
    }

    /** Touches rows of both columns; written before its turn to commit comes. */
    private void updateWithPlugin() throws Exception {
        while (true) {
            BlobUpdateBuilder builder = BlobFallback.newUpdateBuilder(table);
            Map<Integer, String> values = newValues();
            try (BlobUpdate update = builder.newUpdate()) {
                values.forEach(
                        (id, value) -> {
                            update.set(id, "pic", blob(value));
                            update.set(id, "doc", blob(value));
                        });
                List<CommitMessage> messages = update.prepareCommit();
                synchronized (states) {
                    List<SnapshotStates.Row> rows = new ArrayList<>();
                    values.forEach(
                            (id, value) -> rows.add(new SnapshotStates.Row(id, value, value)));
                    states.commit(rows, () -> builder.newCommit().commit(messages));
                }
                return;
            } catch (BlobUpdateConflictException e) {
                // Its snapshot has expired meanwhile: the message says to update again.
                assertThat(e).hasMessageContaining("has expired");
            }
        }
    }

    private void updateWithPaimon2() throws Exception {
        boolean pic = nextValue.get() % 2 == 0;
        Map<Integer, String> values = newValues();
        Map<Long, List<Object>> touched = new HashMap<>();
        values.forEach((id, value) -> touched.put((long) id, listOf(bytes(value))));
        synchronized (states) {
            List<SnapshotStates.Row> rows = new ArrayList<>();
            values.forEach(
                    (id, value) -> {
                        SnapshotStates.Row row = states.latest().get(id);
                        rows.add(pic ? row.withPic(value) : row.withDoc(value));
                    });
            states.commit(
                    rows,
                    () -> paimon2.update(TABLE, List.of(pic ? "pic" : "doc"), touched, Map.of()));
        }
    }

    private void flattenAndSometimesAppend() throws Exception {
        BlobFallback.newFlattenBuilder(table).newFlatten().run();
        if (nextValue.get() % 10 == 0) {
            append();
        }
        Thread.sleep(50);
    }

    private Void expireSnapshots() throws Exception {
        while (writers.get() > 0) {
            // A writer looks for its own snapshot right after its commit.
            synchronized (states) {
                expire(KEPT_SNAPSHOTS);
            }
            Thread.sleep(20);
        }
        return null;
    }

    private void expire(int kept) {
        table.newExpireSnapshots()
                .config(
                        ExpireConfig.builder()
                                .snapshotRetainMin(kept)
                                .snapshotRetainMax(kept)
                                .snapshotTimeRetain(Duration.ofMillis(1))
                                .build())
                .expire();
    }

    /** Reads until the writers are done; returns how many reads failed for a file that is gone. */
    private int readOn(Random random) throws Exception {
        int failed = 0;
        while (writers.get() > 0) {
            Projection projection = Projection.values()[random.nextInt(Projection.values().length)];
            try {
                assertOneSnapshot(projection, random.nextInt(3) == 0);
                synchronized (reads) {
                    reads.merge(projection, 1, Integer::sum);
                }
            } catch (Exception e) {
                if (!isOfExpiry(e)) {
                    throw new AssertionError("A read of " + projection, e);
                }
                failed++;
            }
        }
        return failed;
    }

    /**
     * Plans and reads.
     *
     * @param late whether the snapshot may expire in between
     * @throws AssertionError if the rows are not those of the planned snapshot
     */
    private void assertOneSnapshot(Projection projection, boolean late) throws Exception {
        ReadBuilder builder = builder(projection);
        List<Split> splits = builder.newScan().plan().splits();
        long snapshot = snapshotOf(splits);
        while (late && writers.get() > 0 && table.snapshotManager().snapshotExists(snapshot)) {
            Thread.sleep(5);
        }
        List<List<Object>> found = rows(projection, builder.newRead(), splits);
        List<List<Object>> expected =
                states.at(snapshot).values().stream()
                        .filter(row -> projection.wants(row.id()))
                        .map(projection::of)
                        .toList();
        assertThat(found)
                .as("%s of snapshot %d", projection, snapshot)
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    private ReadBuilder builder(Projection projection) {
        FileStoreTable read =
                projection == Projection.DESCRIPTORS
                        ? table.copy(Map.of("blob-as-descriptor", "true"))
                        : table;
        ReadBuilder builder =
                read.newReadBuilder()
                        .withReadType(
                                SpecialFields.rowTypeWithRowTracking(table.rowType())
                                        .project(projection.columns));
        return projection == Projection.RANGES
                ? builder.withRowRanges(List.of(new Range(5, GROUP + 5)))
                : builder;
    }

    private static long snapshotOf(List<Split> splits) {
        List<Long> snapshots =
                splits.stream()
                        .map(
                                split ->
                                        split instanceof IndexedSplit indexed
                                                ? indexed.dataSplit()
                                                : (DataSplit) split)
                        .map(DataSplit::snapshotId)
                        .distinct()
                        .toList();
        assertThat(snapshots).hasSize(1);
        return snapshots.get(0);
    }

    private List<List<Object>> rows(Projection projection, TableRead read, List<Split> splits)
            throws Exception {
        List<List<Object>> rows = new ArrayList<>();
        for (Split split : splits) {
            try (RecordReader<InternalRow> reader = read.createReader(split)) {
                RecordReader.RecordIterator<InternalRow> batch;
                while ((batch = reader.readBatch()) != null) {
                    InternalRow row;
                    while ((row = batch.next()) != null) {
                        rows.add(values(projection, row));
                    }
                    batch.releaseBatch();
                }
            }
        }
        return rows;
    }

    private List<Object> values(Projection projection, InternalRow row) throws Exception {
        List<Object> values = new ArrayList<>();
        for (String column : projection.columns) {
            int position = values.size();
            values.add(
                    switch (column) {
                        case "id" -> row.getInt(position);
                        case "_ROW_ID" -> (int) row.getLong(position);
                        default ->
                                row.isNullAt(position)
                                        ? null
                                        : text(projection, row.getBlob(position));
                    });
        }
        return values;
    }

    private String text(Projection projection, Blob blob) throws Exception {
        if (projection != Projection.DESCRIPTORS) {
            return new String(blob.toData(), StandardCharsets.UTF_8);
        }
        BlobDescriptor descriptor = blob.toDescriptor();
        byte[] bytes = new byte[(int) descriptor.length()];
        try (SeekableInputStream in =
                table.fileIO().newInputStream(new org.apache.paimon.fs.Path(descriptor.uri()))) {
            in.seek(descriptor.offset());
            IOUtils.readFully(in, bytes);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Whether it says that a file, which it names, is not there. */
    private static boolean isOfExpiry(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof FileNotFoundException
                    && cause.getMessage().contains("/db.db/t/")) {
                return true;
            }
        }
        return false;
    }

    /** New values of some rows of the first groups, the same rows often. */
    private Map<Integer, String> newValues() {
        Map<Integer, String> values = new HashMap<>();
        Random random = new Random(nextValue.get());
        for (int i = 0; i < 6; i++) {
            values.put(random.nextInt(GROUP * GROUPS), random.nextInt(6) == 0 ? null : newValue());
        }
        return values;
    }

    /** A value that no other has, of any length up to a few windows of a small file. */
    private String newValue() {
        int value = nextValue.incrementAndGet();
        return "v" + value + "x".repeat(value % 40);
    }

    private static List<Object> listOf(byte[] bytes) {
        return Collections.singletonList(bytes);
    }

    private static byte[] bytes(String value) {
        return value == null ? null : value.getBytes(StandardCharsets.UTF_8);
    }

    private static Blob blob(String value) {
        return value == null ? null : Blob.fromData(bytes(value));
    }
}
