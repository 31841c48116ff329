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

package org.apache.paimon.blobfallback.update;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.apache.paimon.blobfallback.host.CommitMessages;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.write.LayerWriter;
import org.apache.paimon.blobfallback.write.UncommittedFiles;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.utils.Range;

/** Writes an update's layers: a value for each touched row, a placeholder for every other row. */
final class UpdateWriter {

    private final FileStoreTable table;
    private final UncommittedFiles uncommitted;

    /**
     * @param uncommitted is responsible for the files
     */
    UpdateWriter(FileStoreTable table, UncommittedFiles uncommitted) {
        this.table = table;
        this.uncommitted = uncommitted;
    }

    /**
     * Writes a layer for each column that has a value in the group.
     *
     * @throws IOException if a value cannot be read or a file cannot be written
     */
    CommitMessage write(Group<ManifestEntry> group, Collection<UpdateColumn> columns)
            throws IOException {
        List<DataFileMeta> files = new ArrayList<>();
        for (UpdateColumn column : columns) {
            if (!column.values(group.range()).isEmpty()) {
                files.addAll(writeLayer(group, column));
            }
        }
        return CommitMessages.append(group.anchor(), files);
    }

    private List<DataFileMeta> writeLayer(Group<ManifestEntry> group, UpdateColumn column)
            throws IOException {
        LayerWriter layer =
                new LayerWriter(table, group, column.field(), FileSource.APPEND, uncommitted);
        try {
            writeRows(layer, group.range(), column);
            return layer.finish();
        } catch (IOException | RuntimeException | Error e) {
            layer.abort();
            throw e;
        }
    }

    private void writeRows(LayerWriter layer, Range rowIds, UpdateColumn column)
            throws IOException {
        NavigableMap<Long, Object> values = column.values(rowIds);
        Iterator<Map.Entry<Long, Object>> touched = values.entrySet().iterator();
        InternalRow placeholder = GenericRow.of(column.placeholder());
        long rowId = rowIds.from;
        while (touched.hasNext()) {
            Map.Entry<Long, Object> next = touched.next();
            for (; rowId < next.getKey(); rowId++) {
                layer.write(placeholder);
            }
            try {
                layer.write(GenericRow.of(next.getValue()));
            } catch (IOException e) {
                throw new IOException(
                        String.format(
                                "Failed to write row id %s of column %s of table %s: %s",
                                rowId, column.field().name(), table.fullName(), e.getMessage()),
                        e);
            }
            rowId++;
        }
        for (; rowId <= rowIds.to; rowId++) {
            layer.write(placeholder);
        }
    }
}
