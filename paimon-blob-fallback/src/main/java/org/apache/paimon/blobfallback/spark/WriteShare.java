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
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.engine.BlobsOfBytes;
import org.apache.paimon.blobfallback.host.CommitMessages;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.blobfallback.update.SharedBlobUpdate;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageSerializer;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Row;

/**
 * Writes a task's share of an update. Its rows arrive group by group. Groups are held in memory
 * until their values have enough bytes, and are then written together.
 */
final class WriteShare implements FlatMapFunction<Iterator<Row>, byte[]> {

    /** What a task has written. */
    static final class Written implements java.io.Serializable {

        private static final long serialVersionUID = 1L;

        private final List<byte[]> messages = new ArrayList<>();
        private long rows;
        private long bytes;

        List<byte[]> messages() {
            return messages;
        }

        long rows() {
            return rows;
        }

        long bytes() {
            return bytes;
        }
    }

    private static final long serialVersionUID = 1L;

    /** Bytes of values from which on the groups in memory are written. */
    private static final long ENOUGH_BYTES = 32L << 20;

    /** What a value takes in memory besides its bytes, roughly. */
    private static final int VALUE_OVERHEAD = 100;

    private final String tableName;
    private final SharedBlobUpdate shared;
    private final List<String> columns;
    private final List<UpdateValues> values;
    private final BlobsOfBytes blobs;

    /**
     * @param columns in the order of a row, which has the first row id of its group and its own row
     *     id before them
     * @param values those of these columns
     */
    WriteShare(
            String tableName,
            SharedBlobUpdate shared,
            List<String> columns,
            List<UpdateValues> values,
            BlobsOfBytes blobs) {
        this.tableName = tableName;
        this.shared = shared;
        this.columns = new ArrayList<>(columns);
        this.values = new ArrayList<>(values);
        this.blobs = blobs;
    }

    @Override
    public Iterator<byte[]> call(Iterator<Row> rows) throws IOException {
        Share share = new Share();
        try {
            while (rows.hasNext()) {
                share.add(rows.next());
            }
            share.write();
        } catch (IOException | RuntimeException | Error e) {
            if (share.update != null) {
                Interruptions.close(share.update, e);
            }
            throw e;
        }
        return Serialized.result(share.written);
    }

    /** The share of one attempt. */
    private final class Share {

        private final Written written = new Written();
        private final CommitMessageSerializer serializer = new CommitMessageSerializer();
        @Nullable private BlobUpdate update;
        private long group = -1;
        private long rowId = -1;
        private long bytes;

        private void add(Row row) throws IOException {
            if (row.getLong(0) != group && bytes > ENOUGH_BYTES) {
                write();
            }
            if (row.getLong(1) == rowId) {
                throw new IllegalStateException(notTheSame(tableName));
            }
            group = row.getLong(0);
            rowId = row.getLong(1);
            if (update == null) {
                update = shared.newUpdate();
            }
            for (int i = 0; i < columns.size(); i++) {
                int position = 2 + i;
                bytes += VALUE_OVERHEAD;
                if (row.isNullAt(position)) {
                    update.setNull(rowId, columns.get(i));
                } else {
                    UpdateValues.Cell cell =
                            new UpdateValues.Cell(update, rowId, columns.get(i), blobs);
                    bytes += values.get(i).set(cell, row, position);
                }
            }
            written.rows++;
        }

        private void write() throws IOException {
            if (update == null) {
                return;
            }
            for (CommitMessage message : update.prepareCommit()) {
                written.bytes += CommitMessages.newBytes(message);
                written.messages.add(serializer.serialize(message));
            }
            update = null;
            bytes = 0;
        }
    }

    /** The message for a source that gave other rows when it was read again. */
    static String notTheSame(String tableName) {
        return String.format(
                "The source of an update of table %s gave other rows when it was read for the"
                        + " values than for the row ids before: cache or checkpoint it.",
                tableName);
    }
}
