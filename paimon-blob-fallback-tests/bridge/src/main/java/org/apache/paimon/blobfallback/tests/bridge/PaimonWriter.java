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

package org.apache.paimon.blobfallback.tests.bridge;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * A Paimon that writes tables, with an interface of JDK types only, so that the caller needs no
 * Paimon on its class path.
 *
 * <p>Tables are named {@code db.table}; a missing database is created. Values of a row are {@code
 * Integer}, {@code Long}, {@code Double} and their like, {@code Boolean}, {@code String}, {@code
 * BigDecimal}, {@code LocalDate}, {@code LocalTime}, {@code LocalDateTime} (TIMESTAMP), {@code
 * byte[]} (BYTES and BLOB; {@code ByteBuffer} as a key of a map), {@link Descriptor} (BLOB, its
 * bytes being in a file), {@code List} (ARRAY), {@code Map} (MAP) or null. Where a blob column is
 * updated, {@link Placeholder#UNTOUCHED} stands for "keep what is there".
 *
 * <p>Each call is one commit and throws what the Paimon behind it throws.
 */
public interface PaimonWriter extends Closeable {

    /** Opens the file system catalog at the given path; further options go to the catalog. */
    void open(String warehouse, Map<String, String> catalogOptions) throws Exception;

    /** Creates a table with row tracking and data evolution switched on. */
    void createTable(String table, TableDefinition definition) throws Exception;

    /** Appends full rows, one value a column of the current schema. */
    void append(String table, List<List<Object>> rows) throws Exception;

    /**
     * Writes a new version of some columns, for every group that holds a touched row.
     *
     * <p>Blob columns of rows that are not touched become placeholders, as Paimon 2.0 does in a
     * partial update; other columns keep the value that they had. A value {@link
     * Placeholder#UNTOUCHED} of a blob column is a placeholder too.
     *
     * @param columns the columns to write
     * @param values row id to the values of these columns, in their order
     * @param options dynamic table options of this write, such as {@code blob.target-file-size}
     */
    void update(
            String table,
            List<String> columns,
            Map<Long, List<Object>> values,
            Map<String, String> options)
            throws Exception;

    /**
     * Commits hand-made blob files of any layout, and drops others in the same commit.
     *
     * @param added the files to write
     * @param dropped names of live data files that they replace
     */
    void commitBlobFiles(String table, List<BlobFile> added, Collection<String> dropped)
            throws Exception;

    /** Changes the table's schema. */
    void alter(String table, List<SchemaEdit> edits) throws Exception;

    /**
     * Compacts a data-evolution table as Paimon's own compaction does.
     *
     * @param blobs whether blob files are compacted with the others
     * @return how many compaction tasks ran
     */
    int compact(String table, boolean blobs, Map<String, String> options) throws Exception;

    /**
     * Builds a global index of a column, {@code btree} or {@code bitmap}, over rows without one.
     */
    void indexGlobally(String table, String column, String type) throws Exception;

    /** Marks rows as deleted in deletion vectors; the table must have them enabled. */
    void delete(String table, Collection<Long> rowIds) throws Exception;

    /**
     * Rewrites the rows of groups with deletion vectors without those that are deleted; the others
     * get new ids.
     *
     * @return how many tasks ran
     */
    int materializeDeletions(String table) throws Exception;

    /** Gives the rows new ids, so that those of a partition are together again. */
    void reassignRowIds(String table) throws Exception;

    /** Creates a tag of the latest snapshot. */
    void createTag(String table, String tag) throws Exception;

    /** Creates a branch, from a tag or, when that is null, an empty one. */
    void createBranch(String table, String branch, String tag) throws Exception;

    /** The id of the latest snapshot. */
    long latestSnapshot(String table) throws Exception;

    /** What a snapshot was made by: {@code APPEND}, {@code COMPACT}, {@code OVERWRITE}. */
    String commitKind(String table, long snapshot) throws Exception;

    /** The live data files of a snapshot. */
    List<DataFile> dataFiles(String table, long snapshot) throws Exception;

    /** The live data files of the latest snapshot. */
    default List<DataFile> dataFiles(String table) throws Exception {
        return dataFiles(table, latestSnapshot(table));
    }

    /** The columns of the current schema in order, each with its field id. */
    Map<String, Integer> columnIds(String table) throws Exception;

    @Override
    void close() throws IOException;
}
