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

package org.apache.paimon.blobfallback.layers;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.utils.Range;

/**
 * The blob files of one column that have rows of one group. A file may also have rows of other
 * groups; those do not belong to this bunch.
 */
public final class Bunch {

    private final int fieldId;
    private final Range range;
    private final List<DataFileMeta> files;

    /**
     * @param fieldId of the column
     * @param range row ids of the group, both ends included
     * @param files at least one, in any order
     */
    public Bunch(int fieldId, Range range, List<DataFileMeta> files) {
        this.fieldId = fieldId;
        this.range = range;
        this.files = files;
    }

    /** Field id of the column. */
    public int fieldId() {
        return fieldId;
    }

    /** Row ids of the group, both ends included. */
    public Range range() {
        return range;
    }

    /** The files, in no particular order. */
    public List<DataFileMeta> files() {
        return files;
    }

    /** The layers, newest first. */
    public List<Layer> layers() {
        return Layer.of(files);
    }

    /**
     * For each file, the largest number of files that have an entry for one of its rows. A reader
     * of that row may have to look into as many layers. Placeholders count as entries; row ids
     * outside the group are left out.
     */
    public Map<DataFileMeta, Integer> depths() {
        NavigableMap<Long, Integer> changes = new TreeMap<>();
        for (DataFileMeta file : files) {
            Range rows = rowsInGroup(file);
            changes.merge(rows.from, 1, Integer::sum);
            changes.merge(rows.to + 1, -1, Integer::sum);
        }
        NavigableMap<Long, Integer> depthsFrom = new TreeMap<>();
        int depth = 0;
        for (Map.Entry<Long, Integer> change : changes.entrySet()) {
            depth += change.getValue();
            depthsFrom.put(change.getKey(), depth);
        }
        Map<DataFileMeta, Integer> depths = new HashMap<>();
        for (DataFileMeta file : files) {
            Range rows = rowsInGroup(file);
            depths.put(
                    file,
                    Collections.max(depthsFrom.subMap(rows.from, true, rows.to, true).values()));
        }
        return depths;
    }

    private Range rowsInGroup(DataFileMeta file) {
        return Range.intersection(range, file.nonNullRowIdRange());
    }
}
