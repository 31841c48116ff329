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

package org.apache.paimon.blobfallback.plan.index;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.host.ComparedTypes;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.globalindex.btree.BTreeFileFooter;
import org.apache.paimon.globalindex.btree.BTreeGlobalIndexerFactory;
import org.apache.paimon.globalindex.btree.BTreeIndexMeta;
import org.apache.paimon.index.GlobalIndexMeta;
import org.apache.paimon.index.IndexFileMeta;
import org.apache.paimon.memory.MemorySlice;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataTypeFamily;
import org.apache.paimon.utils.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which files of global indexes this host certainly reads correctly (R20). The metadata of an index
 * file has no version, and the host assumes its own format for each type of index that it knows by
 * name: bitmaps of Paimon 2.0 have another format, and are read as if they contained no row.
 */
final class GlobalIndexFiles {

    private static final Logger LOG = LoggerFactory.getLogger(GlobalIndexFiles.class);

    /**
     * Maximum number of files that are remembered in a JVM; others are checked each time and not
     * logged.
     */
    private static final int MAX_FILES = 100_000;

    /** Files that are read correctly; a file never changes. */
    private static final Set<Path> UNDERSTOOD = ConcurrentHashMap.newKeySet();

    private static final Set<Path> LOGGED = ConcurrentHashMap.newKeySet();

    private final String tableName;
    private final FileIO fileIO;

    /**
     * @param tableName for the log
     * @param fileIO opens the table's files
     */
    GlobalIndexFiles(String tableName, FileIO fileIO) {
        this.tableName = tableName;
        this.fileIO = fileIO;
    }

    /**
     * Whether the host reads an index file correctly; if not, this is logged once.
     *
     * @param path of the file
     * @param file its metadata
     * @param column that it is on
     */
    boolean isUnderstood(Path path, IndexFileMeta file, DataField column) {
        if (UNDERSTOOD.contains(path)) {
            return true;
        }
        String reason = reason(path, file, column);
        if (reason == null) {
            if (UNDERSTOOD.size() < MAX_FILES) {
                UNDERSTOOD.add(path);
            }
            return true;
        }
        if (LOGGED.size() < MAX_FILES && LOGGED.add(path)) {
            LOG.warn(
                    "Global index file {} on column {} of table {} is not used, all rows are"
                            + " filtered instead: {}",
                    path,
                    column.name(),
                    tableName,
                    reason);
        }
        return false;
    }

    /** Why a file is not used, or null. */
    @Nullable
    private String reason(Path path, IndexFileMeta file, DataField column) {
        GlobalIndexMeta meta = file.globalIndexMeta();
        if (!file.indexType().equals(BTreeGlobalIndexerFactory.IDENTIFIER)) {
            return String.format(
                    "files of type %s do not say which version of Paimon has written them.",
                    file.indexType());
        }
        if (meta.extraFieldIds() != null && meta.extraFieldIds().length > 0) {
            return "it is on several columns, which Paimon 1.4 does not support.";
        }
        if (!ComparedTypes.areOrderedAsInSql(column.type())) {
            return String.format(
                    "writers and readers do not agree on the order of values of type %s.",
                    column.type());
        }
        if (meta.indexMeta() == null) {
            return "its metadata has no keys.";
        }
        BTreeIndexMeta keys = BTreeIndexMeta.deserialize(meta.indexMeta());
        if (column.type().is(DataTypeFamily.CHARACTER_STRING)
                && (keys.getFirstKey() == null || keys.getLastKey() == null)) {
            return "one of its keys is the empty string, which Paimon 1.4 mistakes for null.";
        }
        return versionProblem(path, file.fileSize());
    }

    @Nullable
    private String versionProblem(Path path, long fileSize) {
        byte[] footer = new byte[BTreeFileFooter.ENCODED_LENGTH];
        if (fileSize < footer.length) {
            return String.format("%s bytes are too few for its footer.", fileSize);
        }
        try (SeekableInputStream input = fileIO.newInputStream(path)) {
            input.seek(fileSize - footer.length);
            IOUtils.readFully(input, footer);
        } catch (EOFException e) {
            return String.format("it ends before its %s bytes.", fileSize);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    String.format(
                            "Failed to read global index file %s of table %s", path, tableName),
                    e);
        }
        try {
            int version =
                    BTreeFileFooter.readFooter(MemorySlice.wrap(footer).toInput()).getVersion();
            return version == BTreeFileFooter.CURRENT_VERSION
                    ? null
                    : String.format(
                            "its version is %s, and Paimon 1.4 knows %s.",
                            version, BTreeFileFooter.CURRENT_VERSION);
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }
}
