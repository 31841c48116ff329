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

package org.apache.paimon.blobfallback.flatten;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.testtable.UpdateTable;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.blobfallback.write.BlobTable;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** W6: a flatten finds each group once and complete, for any slices of its snapshot. */
class GroupSlicesTest {

    @TempDir java.nio.file.Path folder;

    private FileStoreTable table;
    private Snapshot snapshot;

    @BeforeEach
    void write() throws Exception {
        UpdateTable written =
                UpdateTable.create(
                        LocalFileIO.create(),
                        folder,
                        UpdateTable.schema().option("blob.target-file-size", "100 b").build());
        int id = 0;
        for (int rows : new int[] {1, 40, 2, 7, 1, 1, 90, 3}) {
            written.append(id, id + rows - 1, id % 2);
            id += rows;
        }
        try (BlobUpdate update = written.builder().withColumns("doc").newUpdate()) {
            for (long rowId = 0; rowId < id; rowId += 5) {
                update.set(rowId, "doc", new byte[30]);
            }
            update.commit();
        }
        table = written.table();
        snapshot = BlobTable.latestSnapshot(table);
    }

    @Test
    void groupsAreFoundOnceAndWholeForAnySizeOfASlice() {
        List<String> inOne = groups(1_000_000);

        // Eight groups, each with two columns.
        assertThat(inOne).hasSize(16);
        for (long maxFiles : new long[] {1, 2, 3, 5, 8, 13, 40}) {
            assertThat(groups(maxFiles)).as("slices of %d files", maxFiles).isEqualTo(inOne);
        }
    }

    @Test
    void noMoreThanASliceIsThereAtOnce() {
        List<Integer> filesOfScans = new ArrayList<>();
        GroupSlices slices =
                new GroupSlices(
                        table,
                        snapshot,
                        10,
                        UnaryOperator.identity(),
                        groups -> {
                            filesOfScans.add(groups.groups().get(0).files().size());
                            return new FlattenScan(table, BlobTable.columns(table))
                                    .bunches(snapshot, groups);
                        });

        assertThat(slices.hasNext()).isTrue();

        // The first slice ends within the second group, which has to wait for the next.
        assertThat(filesOfScans).hasSize(1);
    }

    private List<String> groups(long maxFiles) {
        FlattenScan scan = new FlattenScan(table, BlobTable.columns(table));
        List<String> groups = new ArrayList<>();
        new GroupSlices(
                        table,
                        snapshot,
                        maxFiles,
                        UnaryOperator.identity(),
                        joined -> scan.bunches(snapshot, joined))
                .forEachRemaining(
                        joined ->
                                joined.bunches().forEach(bunch -> groups.add(description(bunch))));
        return groups;
    }

    private static String description(FlattenBunch bunch) {
        return bunch.group().range()
                + " "
                + bunch.column().name()
                + " "
                + bunch.files().stream().map(DataFileMeta::fileName).sorted().toList();
    }
}
