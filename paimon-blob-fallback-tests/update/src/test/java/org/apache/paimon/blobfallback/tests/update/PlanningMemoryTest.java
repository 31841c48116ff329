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

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.update.BlobFlatten;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.stats.SimpleStats;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.utils.RoaringNavigableMap64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Planning a flatten or an update holds no more memory than the host's plan of a read of the same
 * table: a flatten goes through a large one slice by slice, an update holds the groups it touches.
 * The table is manifests alone, without data: half of its files are normal ones, the others the
 * blob files of their groups.
 *
 * <p>{@code -Dplanning.files=1000000} is how many files it has, {@value #FILES} if left out.
 */
// The host's own closeables throw Exception.
@SuppressWarnings("try")
class PlanningMemoryTest {

    private static final int FILES = 120_000;
    private static final int GROUPS = Integer.getInteger("planning.files", FILES) / 2;
    private static final int GROUPS_PER_COMMIT = 20_000;
    private static final int ROWS_PER_GROUP = 100;

    @TempDir private Path folder;

    private FileStoreTable table;

    @BeforeEach
    void commitManifests() throws Exception {
        org.apache.paimon.fs.Path path =
                new org.apache.paimon.fs.Path(folder.resolve("table").toUri());
        Schema schema =
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("pic", DataTypes.BLOB())
                        .option("row-tracking.enabled", "true")
                        .option("data-evolution.enabled", "true")
                        .build();
        new SchemaManager(LocalFileIO.create(), path).createTable(schema);
        table = FileStoreTableFactory.create(LocalFileIO.create(), path);
        for (int group = 0; group < GROUPS; group += GROUPS_PER_COMMIT) {
            List<DataFileMeta> files = new ArrayList<>();
            for (int i = group; i < Math.min(GROUPS, group + GROUPS_PER_COMMIT); i++) {
                String name = "data-" + UUID.randomUUID();
                files.add(file(name + "-0.parquet", "id"));
                files.add(file(name + "-1.blob", "pic"));
            }
            try (BatchTableCommit commit = table.newBatchWriteBuilder().newCommit()) {
                commit.commit(
                        List.of(
                                new CommitMessageImpl(
                                        BinaryRow.EMPTY_ROW,
                                        0,
                                        -1,
                                        new DataIncrement(files, List.of(), List.of()),
                                        CompactIncrement.emptyIncrement())));
            }
        }
    }

    private static DataFileMeta file(String name, String column) {
        return DataFileMeta.forAppend(
                name,
                1 << 20,
                ROWS_PER_GROUP,
                SimpleStats.EMPTY_STATS,
                0,
                0,
                0,
                Collections.emptyList(),
                null,
                FileSource.APPEND,
                null,
                null,
                null,
                List.of(column));
    }

    @Test
    void planningNeedsNoMoreMemoryThanTheHostsOwn() throws Exception {
        RoaringNavigableMap64 oneRowOfEachGroup = new RoaringNavigableMap64();
        for (long group = 0; group < GROUPS; group++) {
            oneRowOfEachGroup.add(group * ROWS_PER_GROUP + 7);
        }
        BlobFlatten flatten = BlobFallback.newFlattenBuilder(table).newFlatten();
        // What is loaded once is not counted.
        assertThat(flatten.groups()).hasSize(GROUPS);

        long host = LiveHeap.max(() -> table.newReadBuilder().newScan().plan().splits());
        long flattening = LiveHeap.max(flatten::groups);
        long updating =
                LiveHeap.max(
                        () ->
                                BlobFallback.newUpdateBuilder(table)
                                        .withColumns("pic")
                                        .newSharedUpdate()
                                        .groupsOf(oneRowOfEachGroup));

        System.out.printf(
                "Most live heap of planning %,d files: %,d MB the host's read, %,d MB a flatten, %,d"
                        + " MB an update of each group.%n",
                2 * GROUPS, host >> 20, flattening >> 20, updating >> 20);
        assertThat(flattening).isLessThanOrEqualTo(host);
        assertThat(updating).isLessThanOrEqualTo(host);
    }
}
