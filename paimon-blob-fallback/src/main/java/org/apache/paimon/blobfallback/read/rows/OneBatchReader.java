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

package org.apache.paimon.blobfallback.read.rows;

import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReader;

/**
 * All rows of a reader as one batch. The host's own reader recurses for each batch without rows,
 * which overflows the stack if a read selects few rows of a long file.
 */
public final class OneBatchReader implements RecordReader<InternalRow> {

    private final RecordReader<InternalRow> reader;
    private boolean returned;

    /**
     * @param reader of any number of batches; closed with this
     */
    public OneBatchReader(RecordReader<InternalRow> reader) {
        this.reader = reader;
    }

    @Nullable
    @Override
    public RecordIterator<InternalRow> readBatch() {
        if (returned) {
            return null;
        }
        returned = true;
        return new Rows();
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    private final class Rows implements RecordIterator<InternalRow> {

        @Nullable private RecordIterator<InternalRow> batch;

        @Nullable
        @Override
        public InternalRow next() throws IOException {
            while (true) {
                if (batch == null) {
                    batch = reader.readBatch();
                    if (batch == null) {
                        return null;
                    }
                }
                InternalRow row = batch.next();
                if (row != null) {
                    return row;
                }
                releaseBatch();
            }
        }

        @Override
        public void releaseBatch() {
            if (batch != null) {
                batch.releaseBatch();
                batch = null;
            }
        }
    }
}
