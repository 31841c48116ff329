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

package org.apache.paimon.blobfallback.tests.paimon2;

import java.util.List;
import java.util.Map;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.tests.bridge.BlobUpdater;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.BlobPlaceholder;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.operation.AbstractFileStoreWrite;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.table.sink.TableWriteImpl;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.Range;
import org.apache.paimon.utils.RecordWriter;

/**
 * Updates blobs the way that Paimon 2.0 has for it: its own writer takes a row for each row id of
 * the group, most of them placeholders. Nothing is made for a row that is not touched.
 */
// Paimon's own closeables throw Exception.
@SuppressWarnings("try")
public final class FullRowUpdater extends Paimon2CatalogClient implements BlobUpdater {

    private static final InternalRow UNTOUCHED = GenericRow.of(BlobPlaceholder.INSTANCE);

    @Override
    public void update(String name, String column, Map<Long, byte[]> values) throws Exception {
        FileStoreTable table =
                ((FileStoreTable) catalog().getTable(Identifier.fromString(name)))
                        .copy(Map.of(CoreOptions.TARGET_FILE_SIZE.key(), "99999 G"));
        ManifestEntry group = table.store().newScan().plan().files().get(0);
        CommitMessageImpl message =
                new CommitMessageImpl(
                        group.partition(),
                        0,
                        null,
                        new DataIncrement(
                                write(table, column, group, values), List.of(), List.of()),
                        CompactIncrement.emptyIncrement());
        try (BatchTableCommit commit = table.newBatchWriteBuilder().newCommit()) {
            commit.commit(List.of(message));
        }
    }

    @SuppressWarnings("unchecked")
    private static List<DataFileMeta> write(
            FileStoreTable table, String column, ManifestEntry group, Map<Long, byte[]> values)
            throws Exception {
        RowType writeType = table.rowType().project(List.of(column));
        Range range = group.file().nonNullRowIdRange();
        long[] touched = values.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
        try (BatchTableWrite write =
                table.newBatchWriteBuilder().newWrite().withWriteType(writeType)) {
            RecordWriter<InternalRow> writer =
                    ((AbstractFileStoreWrite<InternalRow>)
                                    ((TableWriteImpl<InternalRow>) write).getWrite())
                            .createWriter(group.partition(), 0);
            try {
                int next = 0;
                for (long rowId = range.from; rowId <= range.to; rowId++) {
                    if (next < touched.length && rowId == touched[next]) {
                        writer.write(GenericRow.of(Blob.fromData(values.get(rowId))));
                        next++;
                    } else {
                        writer.write(UNTOUCHED);
                    }
                }
                return writer.prepareCommit(false).newFilesIncrement().newFiles().stream()
                        .map(file -> file.assignFirstRowId(range.from))
                        .toList();
            } finally {
                writer.close();
            }
        }
    }
}
