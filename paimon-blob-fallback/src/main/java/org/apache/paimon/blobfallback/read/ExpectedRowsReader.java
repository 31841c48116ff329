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

package org.apache.paimon.blobfallback.read;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.reader.RecordReader;

/**
 * Checks that the host's reader of a group returns as many rows as were selected. Rows are combined
 * by their order alone, so one missing or additional row would give every later row another row's
 * blob.
 */
final class ExpectedRowsReader implements RecordReader<InternalRow> {

    private final RecordReader<InternalRow> reader;
    private final long expected;
    private final String tableName;
    private final List<DataFileMeta> files;

    private long found;

    ExpectedRowsReader(
            RecordReader<InternalRow> reader,
            long expected,
            String tableName,
            List<DataFileMeta> files) {
        this.reader = reader;
        this.expected = expected;
        this.tableName = tableName;
        this.files = files;
    }

    @Nullable
    @Override
    public RecordIterator<InternalRow> readBatch() throws IOException {
        RecordIterator<InternalRow> batch = reader.readBatch();
        if (batch == null) {
            if (found != expected) {
                throw mismatch("only " + found);
            }
            return null;
        }
        return new RecordIterator<InternalRow>() {
            @Nullable
            @Override
            public InternalRow next() throws IOException {
                InternalRow row = batch.next();
                if (row != null) {
                    found++;
                    if (found > expected) {
                        throw mismatch("more");
                    }
                }
                return row;
            }

            @Override
            public void releaseBatch() {
                batch.releaseBatch();
            }
        };
    }

    private IOException mismatch(String rows) {
        return new IOException(
                String.format(
                        "Expected %s rows in the files %s of table %s, found %s.",
                        expected,
                        files.stream().map(DataFileMeta::fileName).collect(Collectors.toList()),
                        tableName,
                        rows));
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
