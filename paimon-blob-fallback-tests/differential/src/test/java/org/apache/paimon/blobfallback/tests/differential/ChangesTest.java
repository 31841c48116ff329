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

import static org.apache.paimon.blobfallback.tests.differential.Sides.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * R15: a read of what one snapshot has changed sees the files of that snapshot alone. Of a partial
 * update these are the rows of the touched groups: the new values, and null wherever the snapshot
 * says nothing. Paimon 2.0 fails on such rows, as it hands out its placeholders.
 */
class ChangesTest {

    private static final String TABLE = "db.t";
    private static final String MODE = "incremental-between-scan-mode";
    private static final ReadRequest ROWS =
            ReadRequest.all(TABLE).columns("_ROW_ID", "p", "id", "b", "c");

    @TempDir private Path warehouse;

    @Test
    void changesOfAnAppendAreItsRows() throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            write(sides);

            assertThat(sides.readChanges(ROWS, 1))
                    .containsExactly("[0, x, 0, b0, c0]", "[1, x, 1, b1, c1]", "[2, x, 2, b2, c2]");
        }
    }

    @Test
    void changesOfAPartialUpdateAreItsValuesAndNullElsewhere() throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            write(sides);

            assertThat(sides.readChanges(ROWS, 2))
                    .containsExactly(
                            "[0, x, null, null, null]",
                            "[1, x, null, new, null]",
                            "[2, x, null, null, null]");
            assertThat(
                            sides.readChanges(
                                    ReadRequest.all(TABLE)
                                            .columns("b", "_ROW_ID", "_SEQUENCE_NUMBER"),
                                    2))
                    .containsExactly("[null, 0, -1]", "[new, 1, 2]", "[null, 2, -1]");
            assertThat(sides.readChanges(ReadRequest.all(TABLE).columns("_ROW_ID", "p"), 2))
                    .containsExactly("[0, x]", "[1, x]", "[2, x]");
        }
    }

    /** Of files that do not hold the partition key, where the host takes it from one alone. */
    @Test
    void thePartitionOfChangesInSeveralNormalFilesIsNotLost() throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            sides.writer()
                    .createTable(
                            TABLE,
                            TableDefinition.of(
                                            "id", "INT", "p", "STRING", "n", "INT", "m", "INT", "b",
                                            "BLOB")
                                    .partitionedBy("p"));
            sides.writer()
                    .append(
                            TABLE,
                            List.of(
                                    Arrays.asList(0, "x", 10, 20, bytes("b0")),
                                    Arrays.asList(1, "x", 11, 21, bytes("b1"))));
            Map<Long, List<Object>> numbers = Map.of(0L, List.of(30), 1L, List.of(31));
            sides.writer().update(TABLE, List.of("n"), numbers, Map.of());
            sides.writer().update(TABLE, List.of("m"), numbers, Map.of());
            Map<Long, List<Object>> blobs = Map.of(1L, List.of(bytes("new")));
            sides.writer().update(TABLE, List.of("b"), blobs, Map.of());
            ReadRequest changes = ReadRequest.all(TABLE).with("incremental-between", "1,4");

            assertThat(sides.read(changes.columns("_ROW_ID", "p", "id", "n", "m", "b")))
                    .containsExactly("[0, x, null, 30, 30, null]", "[1, x, null, 31, 31, new]");
            assertThat(sides.read(changes.columns("p", "n", "m")))
                    .containsExactly("[x, 30, 30]", "[x, 31, 31]");
            assertThat(sides.read(changes.columns("p"))).containsExactly("[x]", "[x]");
            assertThat(sides.read(changes.columns("p", "b")))
                    .containsExactly("[x, null]", "[x, new]");
        }
    }

    @Test
    void rowsBetweenTwoSnapshotsAreReadByTheSameRules() throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            write(sides);

            assertThat(sides.read(ROWS.with("incremental-between", "0,2")))
                    .containsExactly(
                            "[0, x, 0, b0, c0]", "[1, x, 1, new, c1]", "[2, x, 2, b2, c2]");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "delta", "changelog"})
    void paimon2ReadsTheSameOfAppendsBetweenSnapshots(String mode) throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            writeTagged(sides);

            for (String ends : List.of("0,2", "2,3", "2,4", "3,3")) {
                ReadRequest rows = ROWS.with(MODE, mode).with("incremental-between", ends);
                sides.agreeOn(rows);
                sides.agreeOn(rows.with("blob-as-descriptor", "true"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "delta", "changelog"})
    void paimon2ReadsTheSameBetweenPointsInTime(String mode) throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            writeTagged(sides);

            ReadRequest always =
                    ROWS.with("incremental-between-timestamp", "0," + Long.MAX_VALUE)
                            .with(MODE, mode);
            assertThat(sides.read(always)).hasSize(mode.equals("changelog") ? 0 : 5);
            sides.agreeOn(always);
        }
    }

    /** Paimon 2.0 fails here; the same rows are those between the snapshots of the tags. */
    @ParameterizedTest
    @CsvSource({
        "auto, 'updated,appended'", "delta, 'updated,appended'", "changelog, 'updated,appended'",
        "diff, 'updated,appended'", "diff, '2,4'", "diff, 'updated,updated'"
    })
    void theDifferenceOfTwoSnapshotsIsWhatPaimon2ReadsBetweenThem(String mode, String ends)
            throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            writeTagged(sides);

            ReadRequest difference = ROWS.with(MODE, mode).with("incremental-between", ends);
            String ids = ends.replace("updated", "2").replace("appended", "4");
            assertThat(sides.read(difference))
                    .isEqualTo(sides.judged(ROWS.with("incremental-between", ids)));
            if (!ends.equals("updated,updated")) {
                assertThatThrownBy(() -> sides.judged(difference))
                        .hasMessageContaining("IncrementalSplit cannot be cast to");
            }
        }
    }

    /** Of two updates in between the newer one is read. */
    @ParameterizedTest
    @CsvSource({
        "auto, '1,3'",
        "delta, '1,3'",
        "diff, '1,3'",
        "auto, 'first,last'",
        "diff, 'first,last'"
    })
    void theNewestOfSeveralPartialUpdatesCounts(String mode, String ends) throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            append(sides, 0, 1);
            sides.writer().createTag(TABLE, "first");
            update(sides, 1, "older");
            update(sides, 1, "newer");
            sides.writer().createTag(TABLE, "last");

            assertThat(sides.read(ROWS.with(MODE, mode).with("incremental-between", ends)))
                    .containsExactly("[0, x, null, null, null]", "[1, x, null, newer, null]");
        }
    }

    /** Snapshot 2 is a partial update, 3 and 4 are appends; 2 and 4 have tags. */
    private static void writeTagged(Sides sides) throws Exception {
        write(sides);
        sides.writer().createTag(TABLE, "updated");
        append(sides, 3, 3);
        append(sides, 4, 4);
        sides.writer().createTag(TABLE, "appended");
    }

    private static void write(Sides sides) throws Exception {
        append(sides, 0, 2);
        update(sides, 1, "new");
    }

    private static void append(Sides sides, int from, int to) throws Exception {
        if (from == 0) {
            sides.writer()
                    .createTable(
                            TABLE,
                            TableDefinition.of("p", "STRING", "id", "INT", "b", "BLOB", "c", "BLOB")
                                    .partitionedBy("p"));
        }
        List<List<Object>> rows = new ArrayList<>();
        for (int id = from; id <= to; id++) {
            rows.add(Arrays.asList("x", id, bytes("b" + id), bytes("c" + id)));
        }
        sides.writer().append(TABLE, rows);
    }

    private static void update(Sides sides, long rowId, String value) throws Exception {
        sides.writer().update(TABLE, List.of("b"), Map.of(rowId, List.of(bytes(value))), Map.of());
    }
}
