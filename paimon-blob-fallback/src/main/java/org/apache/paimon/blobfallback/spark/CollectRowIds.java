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

package org.apache.paimon.blobfallback.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.paimon.utils.RoaringNavigableMap64;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Row;

/**
 * Collects the row ids of a partition of a source into one bitmap. What is wrong with a row is
 * returned as a message, since Spark would try a failed task again.
 */
final class CollectRowIds implements FlatMapFunction<Iterator<Row>, byte[]> {

    /** A bitmap of row ids, or what is wrong with one of them. */
    private static final class Ids implements java.io.Serializable {

        private static final long serialVersionUID = 1L;

        private final byte[] bitmap;
        private final String problem;

        private Ids(byte[] bitmap, String problem) {
            this.bitmap = bitmap;
            this.problem = problem;
        }
    }

    private static final long serialVersionUID = 1L;

    private final String tableName;
    private final List<String> key;

    /**
     * @param key names of the columns of the key, which the rows have after row id and number of
     *     matches; empty if they have the row id alone
     */
    CollectRowIds(String tableName, List<String> key) {
        this.tableName = tableName;
        this.key = new ArrayList<>(key);
    }

    @Override
    public Iterator<byte[]> call(Iterator<Row> rows) throws IOException {
        RoaringNavigableMap64 rowIds = new RoaringNavigableMap64();
        while (rows.hasNext()) {
            Row row = rows.next();
            String problem = problem(row, rowIds);
            if (problem != null) {
                return Serialized.result(new Ids(null, problem));
            }
            rowIds.add(row.getLong(0));
        }
        rowIds.runOptimize();
        return Serialized.result(new Ids(rowIds.serialize(), null));
    }

    private String problem(Row row, RoaringNavigableMap64 before) {
        if (row.isNullAt(0)) {
            return String.format(
                    "The source of an update of table %s has a row whose _ROW_ID is null.",
                    tableName);
        }
        if (!key.isEmpty() && row.getLong(1) > 1) {
            List<Object> values = new ArrayList<>();
            for (int i = 0; i < key.size(); i++) {
                values.add(row.get(2 + i));
            }
            return String.format(
                    "The key %s = %s matches %s rows of table %s, expected one: choose a key that"
                            + " tells rows apart, or update by _ROW_ID.",
                    key, values, row.getLong(1), tableName);
        }
        return before.contains(row.getLong(0)) ? twice(tableName, row.getLong(0)) : null;
    }

    private static String twice(String tableName, long rowId) {
        return String.format(
                "The source of an update of table %s has two rows for _ROW_ID %s, expected one.",
                tableName, rowId);
    }

    /**
     * Merges the row ids of all partitions.
     *
     * @throws IllegalArgumentException if something is wrong with one of them
     */
    static RoaringNavigableMap64 together(String tableName, List<byte[]> partitions)
            throws IOException {
        RoaringNavigableMap64 all = new RoaringNavigableMap64();
        for (byte[] partition : partitions) {
            Ids ids = Serialized.object(partition);
            if (ids.problem != null) {
                throw new IllegalArgumentException(ids.problem);
            }
            RoaringNavigableMap64 more = new RoaringNavigableMap64();
            more.deserialize(ids.bitmap);
            RoaringNavigableMap64 both = RoaringNavigableMap64.and(all, more);
            if (!both.isEmpty()) {
                throw new IllegalArgumentException(twice(tableName, both.iterator().next()));
            }
            all.or(more);
        }
        return all;
    }
}
