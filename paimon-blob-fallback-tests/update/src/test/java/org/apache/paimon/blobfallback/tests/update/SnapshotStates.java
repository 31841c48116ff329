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

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.paimon.Snapshot;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.SnapshotManager;

/**
 * What a table of {@code id INT, pic BLOB, doc BLOB} holds in each of its snapshots, while many
 * threads write it. Changes go through here one after the other, so that it is known which snapshot
 * is whose; flattens change no value and need not.
 */
final class SnapshotStates {

    /**
     * A row; its id is its row id too.
     *
     * @param pic bytes as a string, or null
     * @param doc bytes as a string, or null
     */
    record Row(int id, String pic, String doc) {

        Row withPic(String value) {
            return new Row(id, value, doc);
        }

        Row withDoc(String value) {
            return new Row(id, pic, value);
        }
    }

    /** Makes a commit. */
    interface Commit {

        void run() throws Exception;
    }

    private final FileStoreTable table;
    private final NavigableMap<Long, NavigableMap<Integer, Row>> states = new TreeMap<>();

    SnapshotStates(FileStoreTable table) {
        this.table = table;
        states.put(0L, new TreeMap<>());
    }

    /**
     * Commits new rows or new values of rows.
     *
     * @param rows as they are afterwards
     * @param commit is one commit of the kind {@code APPEND}; if it throws, nothing has changed
     */
    synchronized void commit(Collection<Row> rows, Commit commit) throws Exception {
        SnapshotManager snapshots = table.snapshotManager();
        Long before = snapshots.latestSnapshotId();
        commit.run();
        List<Long> own = new ArrayList<>();
        for (long id = before == null ? 1 : before + 1; id <= snapshots.latestSnapshotId(); id++) {
            if (snapshots.snapshot(id).commitKind() == Snapshot.CommitKind.APPEND) {
                own.add(id);
            }
        }
        assertThat(own).as("snapshots of one commit").hasSize(1);
        NavigableMap<Integer, Row> state = new TreeMap<>(states.lastEntry().getValue());
        rows.forEach(row -> state.put(row.id(), row));
        states.put(own.get(0), state);
    }

    /** The rows of a snapshot by their ids. */
    synchronized NavigableMap<Integer, Row> at(long snapshot) {
        return states.floorEntry(snapshot).getValue();
    }

    /** The rows of the latest snapshot by their ids. */
    synchronized NavigableMap<Integer, Row> latest() {
        return states.lastEntry().getValue();
    }
}
