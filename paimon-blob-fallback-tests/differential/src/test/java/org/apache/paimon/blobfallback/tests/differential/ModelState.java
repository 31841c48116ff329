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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What a table holds after some snapshot, as the operations on it say. */
final class ModelState {

    private final List<ModelColumn> columns;
    private final NavigableMap<Long, Map<Integer, Object>> rows;
    private final boolean deletionVectors;
    private final ViewedTable viewed;

    /**
     * @param deletionVectors whether the table has them enabled
     * @param viewed the table that views point to, null without views
     */
    ModelState(List<ModelColumn> columns, boolean deletionVectors, ViewedTable viewed) {
        this(columns, new TreeMap<>(), deletionVectors, viewed);
    }

    private ModelState(
            List<ModelColumn> columns,
            NavigableMap<Long, Map<Integer, Object>> rows,
            boolean deletionVectors,
            ViewedTable viewed) {
        this.columns = columns;
        this.rows = rows;
        this.deletionVectors = deletionVectors;
        this.viewed = viewed;
    }

    /** A state of its own; values themselves are never changed. */
    ModelState copy() {
        NavigableMap<Long, Map<Integer, Object>> copies = new TreeMap<>();
        rows.forEach((id, row) -> copies.put(id, new HashMap<>(row)));
        return new ModelState(new ArrayList<>(columns), copies, deletionVectors, viewed);
    }

    boolean hasDeletionVectors() {
        return deletionVectors;
    }

    /** The table that views point to. */
    ViewedTable viewed() {
        return viewed;
    }

    /** The columns in the order of the schema. */
    List<ModelColumn> columns() {
        return columns;
    }

    ModelColumn column(String name) {
        return columns.stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No column " + name));
    }

    List<ModelColumn> blobColumns() {
        return columns.stream().filter(ModelColumn::isBlob).toList();
    }

    /** The columns whose values a filter can be compared with. */
    List<ModelColumn> normalColumns() {
        return columns.stream().filter(any -> any.kind() == ModelColumn.Kind.NORMAL).toList();
    }

    List<ModelColumn> otherColumns() {
        return columns.stream().filter(column -> !column.isBlob()).toList();
    }

    /** Row id to field id to value; a missing value is null, a deleted row is missing. */
    NavigableMap<Long, Map<Integer, Object>> rows() {
        return rows;
    }
}
