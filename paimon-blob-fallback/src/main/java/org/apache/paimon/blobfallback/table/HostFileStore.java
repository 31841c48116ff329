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

package org.apache.paimon.blobfallback.table;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.paimon.AppendOnlyFileStore;
import org.apache.paimon.FileStore;
import org.apache.paimon.blobfallback.host.TableFileStore;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.deletionvectors.DeletionVector;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.operation.AppendFileStoreWrite;
import org.apache.paimon.operation.BaseAppendFileStoreWrite;
import org.apache.paimon.table.FileStoreTable;

/**
 * The host's store of a table, whose writes merge no files.
 *
 * <p>Every merge of the host that ignores data evolution calls {@code compactRewrite} or {@code
 * clusterRewrite} of such a write: {@code sys.compact_database}, its actions, and the merge of new
 * files before a commit. It merges any files of a partition, blob files included, and writes files
 * without row ids, which no later read accepts. The host's compaction for data evolution does not
 * use these methods.
 */
final class HostFileStore extends TableFileStore {

    private final String fullName;

    private HostFileStore(FileStoreTable table) {
        super(table);
        this.fullName = table.fullName();
    }

    /**
     * The store of a table.
     *
     * @param table of the host
     * @param caches sets the caches of the table on a store
     * @return a store that asks the table's own store first if that may refuse (privileges)
     */
    static FileStore<?> of(FileStoreTable table, Consumer<AppendOnlyFileStore> caches) {
        HostFileStore store = new HostFileStore(table);
        caches.accept(store);
        FileStore<?> host = table.store();
        if (host instanceof AppendOnlyFileStore) {
            return store;
        }
        return (FileStore<?>)
                Proxy.newProxyInstance(
                        HostFileStore.class.getClassLoader(),
                        new Class<?>[] {FileStore.class},
                        (proxy, method, arguments) -> {
                            Object answer = ask(host, method, arguments);
                            return answer instanceof BaseAppendFileStoreWrite
                                    ? store.new RowWrite()
                                    : answer;
                        });
    }

    private static Object ask(FileStore<?> host, Method method, Object[] arguments)
            throws Throwable {
        try {
            return method.invoke(host, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Override
    public BaseAppendFileStoreWrite newWrite(String commitUser, @Nullable Integer writeId) {
        return new RowWrite();
    }

    /** A write of whole rows. */
    private final class RowWrite extends AppendFileStoreWrite {

        private RowWrite() {
            super(
                    fileIO,
                    newRead(),
                    schema.id(),
                    rowType,
                    partitionType,
                    pathFactory(),
                    snapshotManager(),
                    newScan(),
                    HostFileStore.this.options,
                    HostFileStore.this.tableName);
        }

        /**
         * Refuses to merge files.
         *
         * @throws UnsupportedOperationException always; it says what to call
         */
        @Override
        public List<DataFileMeta> compactRewrite(
                BinaryRow partition,
                int bucket,
                @Nullable Function<String, DeletionVector> deletions,
                List<DataFileMeta> files) {
            throw new UnsupportedOperationException(
                    String.format(
                            "Table %s has data evolution, and merging %s of its files in this way"
                                    + " would lose their row ids. Compact the table with CALL"
                                    + " sys.compact, and leave it out of sys.compact_database"
                                    + " (excluding_tables).",
                            fullName, files.size()));
        }
    }
}
