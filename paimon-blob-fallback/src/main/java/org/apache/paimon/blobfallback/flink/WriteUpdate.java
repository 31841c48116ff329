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

package org.apache.paimon.blobfallback.flink;

import java.io.IOException;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.engine.BlobsOfBytes;
import org.apache.paimon.blobfallback.host.CommitMessages;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.blobfallback.update.SharedBlobUpdate;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageSerializer;

/**
 * Writes the layers of an update. The rows of a group arrive one after the other. Groups are held
 * in memory until their values have enough bytes, and are then written together.
 */
final class WriteUpdate extends AbstractStreamOperator<byte[]>
        implements OneInputStreamOperator<Tuple3<Long, Long, Row>, byte[]>, BoundedOneInput {

    static final String ROWS_UPDATED = "rowsUpdated";
    static final String GROUPS_DONE = "groupsDone";
    static final String BYTES_READ = "bytesRead";
    static final String BYTES_WRITTEN = "bytesWritten";

    private static final long serialVersionUID = 1L;

    /** Bytes of values from which on the groups in memory are written. */
    private static final long ENOUGH_BYTES = 32L << 20;

    /** What a value takes in memory besides its bytes, roughly. */
    private static final int VALUE_OVERHEAD = 100;

    private final SharedBlobUpdate shared;
    private final String[] columns;
    private final ColumnValues[] values;
    private final BlobsOfBytes blobs;

    private transient CommitMessageSerializer serializer;
    private transient Tally tally;
    @Nullable private transient BlobUpdate update;
    private transient long group;
    private transient long bytes;

    /**
     * @param columns in the order of a row's values
     * @param values those of these columns
     */
    WriteUpdate(
            SharedBlobUpdate shared,
            List<String> columns,
            List<ColumnValues> values,
            BlobsOfBytes blobs) {
        this.shared = shared;
        this.columns = columns.toArray(new String[0]);
        this.values = values.toArray(new ColumnValues[0]);
        this.blobs = blobs;
    }

    @Override
    public void open() throws Exception {
        super.open();
        serializer = new CommitMessageSerializer();
        tally =
                new Tally(
                        getRuntimeContext(), ROWS_UPDATED, GROUPS_DONE, BYTES_READ, BYTES_WRITTEN);
    }

    @Override
    public void processElement(StreamRecord<Tuple3<Long, Long, Row>> record) throws IOException {
        Tuple3<Long, Long, Row> row = record.getValue();
        if (update != null && row.f0 != group && bytes > ENOUGH_BYTES) {
            write();
        }
        if (update == null) {
            update = shared.newUpdate();
        }
        group = row.f0;
        long before = blobs.length();
        for (int i = 0; i < columns.length; i++) {
            Object value = row.f2.getField(i);
            set(row.f1, i, value);
            bytes += VALUE_OVERHEAD + (value == null ? 0 : values[i].length(value));
        }
        tally.add(ROWS_UPDATED, 1);
        tally.add(BYTES_READ, blobs.length() - before);
    }

    private void set(long rowId, int column, @Nullable Object value) throws IOException {
        try {
            if (value == null) {
                update.setNull(rowId, columns[column]);
            } else {
                values[column].set(update, rowId, columns[column], value, blobs);
            }
        } catch (IllegalArgumentException e) {
            // A value that cannot be set now cannot be set by another attempt.
            throw new SuppressRestartsException(e);
        }
    }

    @Override
    public void endInput() throws IOException {
        if (update != null) {
            write();
        }
    }

    @Override
    public void close() throws Exception {
        if (update != null) {
            update.close();
        }
        super.close();
    }

    private void write() throws IOException {
        List<CommitMessage> messages;
        try {
            messages = update.prepareCommit();
        } catch (IllegalArgumentException e) {
            throw new SuppressRestartsException(e);
        }
        update = null;
        bytes = 0;
        for (CommitMessage message : messages) {
            tally.add(GROUPS_DONE, 1);
            tally.add(BYTES_WRITTEN, CommitMessages.newBytes(message));
            output.collect(new StreamRecord<>(serializer.serialize(message)));
        }
    }
}
